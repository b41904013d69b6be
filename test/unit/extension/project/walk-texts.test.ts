import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { walkTexts, type FoundTexts, type WalkOptions } from '../../../../src/extension/features/project/walk-texts';
import { withTempFolder } from '../../../fakes/temp-folder';

const GBK_RAIN = Uint8Array.from([0xd3, 0xea, 0xa1, 0xa3]);
const never = new AbortController().signal;

function walking(files: readonly string[], check: (found: FoundTexts, root: string) => Promise<void> | void, options: Partial<WalkOptions> = {}): Promise<void> {
  return withTempFolder(async (root) => {
    for (const path of files) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), GBK_RAIN);
    }
    await check(await walkTexts(root, { signal: never, ...options }), root);
  });
}

describe('looking for texts in a folder', () => {
  it('counts those of each folder at any depth, and names those in the folder itself, in whatever encoding they are', () =>
    walking(['第1章.txt', '第2章.TXT', 'cover.png', '书/卷一/甲/001.md', '书/卷一/002.txt', '草稿/x.md', '图/a.jpg'], (found) => {
      expect([...found.loose].sort()).toEqual(['第1章.txt', '第2章.TXT']);
      expect([...found.folders].sort()).toEqual([['书', 2], ['草稿', 1]]);
      expect(found).toMatchObject({ complete: true, unread: 0 });
    }));

  it('passes by dot-folders, node_modules at any depth, and links', () =>
    walking(['.git/a.md', '.b.md', 'node_modules/p/readme.md', '书/node_modules/p/readme.md', '书/001.md'], async (found, root) => {
      expect([[...found.loose], [...found.folders]]).toEqual([[], [['书', 1]]]);
      await symlink(root, join(root, '书', '自己'));
      expect([...(await walkTexts(root, { signal: never })).folders]).toEqual([['书', 1]]);
    }));

  it('takes thousands of files', () =>
    withTempFolder(async (root) => {
      await mkdir(join(root, '章'));
      for (let n = 0; n < 3_000; n += 1) await writeFile(join(root, '章', `${String(n)}.txt`), '');
      expect(await walkTexts(root, { signal: never })).toMatchObject({ complete: true, folders: new Map([['章', 3_000]]) });
    }));

  it('ends early at its limit, and says that there may be more', () =>
    walking(['a/1.md', 'a/2.md', 'b/c/d/3.md'], (found) => {
      expect(found.complete).toBe(false);
      expect(found.folders.get('a')).toBe(2);
    }, { most: 4 }));

  it('ends early when it is cancelled', () => {
    const controller = new AbortController();
    controller.abort();
    return walking(['a/1.md', '2.md'], (found) => { expect(found).toMatchObject({ complete: false, loose: ['2.md'] }); }, { signal: controller.signal });
  });

  it('goes on beside a folder that cannot be read', () =>
    walking(['a/1.md', 'locked/2.md'], (found) => { expect(found).toMatchObject({ complete: true, unread: 1, folders: new Map([['a', 1]]) }); }, {
      list: (folder) => (folder.endsWith('locked') ? Promise.reject(new Error('EACCES')) : readdir(folder, { withFileTypes: true })),
    }));

  it('says so when the folder itself cannot be read', async () => {
    await expect(walkTexts('/no/such/folder', { signal: never })).rejects.toThrow('ENOENT');
  });
});
