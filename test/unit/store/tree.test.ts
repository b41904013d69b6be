import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { withTempFolder } from '../../fakes/temp-folder';

/** Fast: asked at once. Slow: through promises, as when something is put in between. */
const both = [['at once', {}], ['through promises', { fs: { lstat } }]] as const;

describe.each(both)('a tree of files, %s', (_, options) => {
  it('lists every file with its stat, leaving out names that start with a dot', () =>
    withTempFolder(async (root) => {
      await mkdir(join(root, '正文/卷一'), { recursive: true });
      await mkdir(join(root, '正文/.隐'));
      await writeFile(join(root, '正文/a.md'), '一');
      await writeFile(join(root, '正文/卷一/b.md'), '二二');
      await writeFile(join(root, '正文/.c.md'), 'x');
      await writeFile(join(root, '正文/.隐/d.md'), 'x');
      const files = createNodeFiles(root, options);
      const tree = [...(await files.tree('正文'))].sort((a, b) => a.stat.size - b.stat.size);
      expect(tree.map(({ path, stat }) => [path, stat.size, stat.kind])).toEqual([['正文/a.md', 3, 'file'], ['正文/卷一/b.md', 6, 'file']]);
      expect(tree[0]?.stat).toEqual(await files.stat('正文/a.md'));
      expect(await files.tree('没有')).toEqual([]);
      expect(await files.tree('正文/a.md')).toEqual([]);
    }));

  it('follows links inside the project, and neither out of it nor round in a circle', () =>
    withTempFolder((outside) =>
      withTempFolder(async (root) => {
        await writeFile(join(outside, 'secret.md'), 'x');
        await mkdir(join(root, '正文'));
        await mkdir(join(root, '别处'));
        await writeFile(join(root, '别处/e.md'), '五');
        await symlink('../别处', join(root, '正文/卷二'));
        await symlink('../别处/e.md', join(root, '正文/f.md'));
        await symlink('.', join(root, '正文/圈'));
        await symlink(outside, join(root, '正文/外'));
        await symlink(join(outside, 'secret.md'), join(root, '正文/外.md'));
        await symlink('nowhere', join(root, '正文/断.md'));
        const tree = await createNodeFiles(root, options).tree('正文');
        expect(tree.map(({ path }) => path).sort()).toEqual(['正文/f.md', '正文/卷二/e.md']);
      }),
    ));

  it('says where a file lies that a link led to, and skips links into dot-folders and to themselves', () =>
    withTempFolder(async (root) => {
      await mkdir(join(root, '正文/卷一/内'), { recursive: true });
      await mkdir(join(root, '.隐/深'), { recursive: true });
      await writeFile(join(root, '正文/卷一/内/a.md'), '一');
      await writeFile(join(root, '.隐/深/b.md'), '二');
      await symlink('卷一', join(root, '正文/卷二'));
      await symlink('../.隐', join(root, '正文/隐'));
      await symlink('../.隐/深/b.md', join(root, '正文/隐.md'));
      await symlink('环.md', join(root, '正文/环.md'));
      await symlink('正文', join(root, '稿'));
      const files = createNodeFiles(root, options);
      const tree = async (dir: string): Promise<unknown> => (await files.tree(dir)).map(({ path, real }) => [path, real]).sort();
      expect(await tree('正文')).toEqual([['正文/卷一/内/a.md', undefined], ['正文/卷二/内/a.md', '正文/卷一/内/a.md']]);
      expect(await tree('稿')).toEqual([['稿/卷一/内/a.md', undefined], ['稿/卷二/内/a.md', '正文/卷一/内/a.md']]);
      expect((await files.list('正文')).find(({ name }) => name === '环.md')?.kind).toBe('other');
    }));

  it('reads and stats small and large files alike, and refuses to leave the project', () =>
    withTempFolder(async (root) => {
      await writeFile(join(root, 'small'), 'ab');
      await writeFile(join(root, 'large'), Buffer.alloc(200_000, 1));
      await writeFile(join(root, 'empty'), '');
      const files = createNodeFiles(root, options);
      expect((await files.read('small'))?.length).toBe(2);
      expect((await files.read('large'))?.length).toBe(200_000);
      expect((await files.read('empty'))?.length).toBe(0);
      expect(await files.read('none')).toBeUndefined();
      await expect(files.read('../x')).rejects.toMatchObject({ error: { code: 'path.outside' } });
      await symlink('/etc', join(root, 'out'));
      await expect(files.read('out/hostname')).rejects.toMatchObject({ error: { code: 'path.outside' } });
      await expect(files.stat('out/hostname')).rejects.toMatchObject({ error: { code: 'path.outside' } });
    }));
});
