import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseRoot, findProjectRoots } from '../../../../src/extension/project/find-roots';
import { withTempFolder } from '../../../fakes/temp-folder';

const unexpected = (folder: { readonly path: string }, error: unknown): never => { throw new Error(`${folder.path}: ${String(error)}`); };

describe('the projects of a window', () => {
  test('are the folders with a project.json, in the window’s order', () =>
    withTempFolder(async (root) => {
      for (const name of ['b', 'a', 'none']) await mkdir(join(root, name));
      for (const name of ['b', 'a']) {
        await mkdir(join(root, name, '.liyuan'));
        await writeFile(join(root, name, '.liyuan', 'project.json'), '{}');
      }
      await writeFile(join(root, 'file'), '');
      const folders = ['b', 'none', 'file', 'gone', 'a'].map((name) => ({ path: join(root, name) }));
      const found = await findProjectRoots(folders, unexpected);
      expect(found.map((folder) => folder.path)).toEqual([join(root, 'b'), join(root, 'a')]);
    }));

  test('leave out a folder that cannot be looked into, and say so', () =>
    withTempFolder(async (root) => {
      const failures: string[] = [];
      const found = await findProjectRoots([{ path: `${root}\0` }], (folder) => failures.push(folder.path));
      expect([found, failures]).toEqual([[], [`${root}\0`]]);
      await chmod(root, 0o755);
    }));

  test('give the remembered one, else the first', () => {
    const roots = [{ path: '/a' }, { path: '/b' }];
    expect(chooseRoot(roots, '/b')).toEqual({ path: '/b' });
    expect(chooseRoot(roots, '/gone')).toEqual({ path: '/a' });
    expect(chooseRoot([], '/a')).toBeUndefined();
  });
});
