import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyFolder, makeFreshFolder } from '../../../../src/extension/features/project/copy-sample';
import { withTempFolder } from '../../../fakes/temp-folder';

it('a folder for the sample never is one that was there, whatever it held', () =>
  withTempFolder(async (root) => {
    await mkdir(join(root, '盐渡来信'));
    await writeFile(join(root, '盐渡来信', '我的.md'), '我写的');
    expect(await makeFreshFolder(root, '盐渡来信')).toBe(join(root, '盐渡来信 2'));
    expect(await makeFreshFolder(root, '盐渡来信')).toBe(join(root, '盐渡来信 3'));
    expect(await readdir(join(root, '盐渡来信'))).toEqual(['我的.md']);
  }));

it('the copy of the sample novel is whole, dot-files too, and may be written even where the original may not', () =>
  withTempFolder(async (root) => {
    const [from, to] = [join(root, 'from'), join(root, 'to')];
    await mkdir(to);
    await copyFolder('assets/sample-novel', to);
    const all = async (folder: string): Promise<readonly string[]> => (await readdir(folder, { recursive: true })).sort();
    expect(await all(to)).toEqual(await all('assets/sample-novel'));
    expect(await all(to)).toContain(join('.liyuan', 'project.json'));

    await mkdir(from);
    await writeFile(join(from, '001.md'), '雨。');
    await chmod(join(from, '001.md'), 0o444);
    await copyFolder(from, to);
    expect((await stat(join(to, '001.md'))).mode & 0o200).toBe(0o200);
  }));

it('a file that is there is never written over', () =>
  withTempFolder(async (root) => {
    const [from, to] = [join(root, 'from'), join(root, 'to')];
    for (const [folder, text] of [[from, '样例'], [to, '我写的']] as const) {
      await mkdir(folder);
      await writeFile(join(folder, '001.md'), text);
    }
    await expect(copyFolder(from, to)).rejects.toThrow('EEXIST');
    expect(await readFile(join(to, '001.md'), 'utf8')).toBe('我写的');
  }));
