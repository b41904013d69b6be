import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { mkdir, readFile, readdir, stat, symlink, utimes, writeFile, chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/engine/ports/errors';
import { EngineFailure } from '../../../src/engine/ports/result';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { withTempFolder } from '../../fakes/temp-folder';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: Uint8Array | undefined): string | undefined => (data === undefined ? undefined : new TextDecoder().decode(data));

async function codeOf(promise: Promise<unknown>): Promise<ErrorCode | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (error instanceof EngineFailure) return error.error.code;
    throw error;
  }
}
const errno = (code: string): Error => Object.assign(new Error(code), { code });

describe('reading', () => {
  it('answers undefined for what is not there, also below a file', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await writeFile(join(root, 'a.txt'), 'x');
      expect(await files.read('no/such.txt')).toBeUndefined();
      expect(await files.read('a.txt/b')).toBeUndefined();
      expect(await files.stat('no')).toBeUndefined();
      expect(await files.readRange('no', 0, 5)).toBeUndefined();
      expect(await files.list('no')).toEqual([]);
    }));

  it('reads a range, shorter at the end of the file', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await writeFile(join(root, 'a.txt'), '0123456789');
      expect(text(await files.readRange('a.txt', 2, 3))).toBe('234');
      expect(text(await files.readRange('a.txt', 8, 100))).toBe('89');
      expect(text(await files.readRange('a.txt', 50, 4))).toBe('');
    }));

  it('lists names with their kinds, a link by what it leads to', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await mkdir(join(root, 'd/sub'), { recursive: true });
      await writeFile(join(root, 'd/雨夜.md'), 'x');
      await symlink('雨夜.md', join(root, 'd/link.md'));
      await symlink('/', join(root, 'd/out'));
      const names = [...(await files.list('d'))].sort((a, b) => (a.name < b.name ? -1 : 1));
      expect(names).toEqual([
        { name: 'link.md', kind: 'file' },
        { name: 'out', kind: 'other' },
        { name: 'sub', kind: 'directory' },
        { name: '雨夜.md', kind: 'file' },
      ]);
    }));

  it('gives size, nanosecond times and kind', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await writeFile(join(root, 'a.txt'), 'abc');
      await utimes(join(root, 'a.txt'), 1_700_000_000, 1_700_000_000);
      const found = await files.stat('a.txt');
      expect(found).toMatchObject({ size: 3, mtimeNs: 1_700_000_000_000_000_000n, kind: 'file' });
      expect(found?.ino).toBeGreaterThan(0n);
    }));
});

describe('the root', () => {
  it.each(['../x', 'a/../../x', '/etc/passwd', 'a/\0b'])('refuses %j by its form', (path) =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      expect(await codeOf(files.read(path))).toBe('path.outside');
      expect(await codeOf(files.writeAtomic(path, bytes('x')))).toBe('path.outside');
      expect(await codeOf(files.append(path, bytes('x'), { fsync: false }))).toBe('path.outside');
    }));

  it('refuses what leaves it through a link, whichever part the link is', () =>
    withTempFolder((outside) =>
      withTempFolder(async (root) => {
        const files = createNodeFiles(root);
        await writeFile(join(outside, 'secret.txt'), 'secret');
        await symlink(outside, join(root, 'folder'));
        await symlink(join(outside, 'secret.txt'), join(root, 'file.txt'));
        await symlink(join(outside, 'not-yet.txt'), join(root, 'dangling.txt'));
        for (const path of ['folder/secret.txt', 'file.txt', 'dangling.txt', 'folder/new/deep.txt']) {
          expect(await codeOf(files.read(path)), path).toBe('path.outside');
          expect(await codeOf(files.writeAtomic(path, bytes('x'))), path).toBe('path.outside');
          expect(await codeOf(files.append(path, bytes('x'), { fsync: false })), path).toBe('path.outside');
        }
        expect(await readdir(outside)).toEqual(['secret.txt']);
        expect(await readFile(join(outside, 'secret.txt'), 'utf8')).toBe('secret');
      }),
    ));

  it('follows links that stay inside, and writes to what they lead to', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await mkdir(join(root, 'real'));
      await writeFile(join(root, 'real/a.txt'), 'old');
      await symlink('real', join(root, 'alias'));
      await symlink('real/a.txt', join(root, 'link.txt'));
      expect(text(await files.read('alias/a.txt'))).toBe('old');
      await files.writeAtomic('link.txt', bytes('new'));
      expect(await readFile(join(root, 'real/a.txt'), 'utf8')).toBe('new');
      expect((await nodeFs.lstat(join(root, 'link.txt'))).isSymbolicLink()).toBe(true);
    }));

  it('removes a link itself, not what it leads to', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await writeFile(join(root, 'a.txt'), 'x');
      await symlink('a.txt', join(root, 'link.txt'));
      await files.remove('link.txt');
      expect(await readdir(root)).toEqual(['a.txt']);
      await files.remove('link.txt');
    }));
});

describe('append', () => {
  it('creates the file and its folders, and answers the new size', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      expect(await files.append('a/b/c.jsonl', bytes('one\n'), { fsync: true })).toBe(4);
      expect(await files.append('a/b/c.jsonl', bytes('二\n'), { fsync: false, expectedSize: 4 })).toBe(8);
      expect(await readFile(join(root, 'a/b/c.jsonl'), 'utf8')).toBe('one\n二\n');
    }));

  it('refuses and writes nothing when the file is not as long as expected', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await writeFile(join(root, 'a'), '12345');
      expect(await codeOf(files.append('a', bytes('x'), { fsync: false, expectedSize: 4 }))).toBe('store.changed-outside');
      expect(await codeOf(files.append('new', bytes('x'), { fsync: false, expectedSize: 4 }))).toBe('store.changed-outside');
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('12345');
      expect(existsSync(join(root, 'new'))).toBe(false);
    }));

  it('leaves the file as long as it was when the disk fills up in the middle of a write', () =>
    withTempFolder(async (root) => {
      await writeFile(join(root, 'a'), 'whole\n');
      const open: typeof nodeFs.open = async (...args) => {
        const handle = await nodeFs.open(...args);
        let calls = 0;
        const write = handle.write.bind(handle);
        handle.write = (async (data: Uint8Array, offset: number, length: number) => {
          calls += 1;
          if (calls > 1) throw errno('ENOSPC');
          return write(data, offset, Math.min(length, 3));
        }) as typeof handle.write;
        return handle;
      };
      const files = createNodeFiles(root, { fs: { open } });
      expect(await codeOf(files.append('a', bytes('{"cut":1}\n'), { fsync: true, expectedSize: 6 }))).toBe('store.disk-full');
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('whole\n');
    }));

  it('takes back what an fsync could not make durable', () =>
    withTempFolder(async (root) => {
      await writeFile(join(root, 'a'), 'whole\n');
      const open: typeof nodeFs.open = async (...args) => {
        const handle = await nodeFs.open(...args);
        handle.sync = () => Promise.reject(errno('EIO'));
        return handle;
      };
      const files = createNodeFiles(root, { fs: { open } });
      expect(await codeOf(files.append('a', bytes('more\n'), { fsync: true }))).toBe('store.io');
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('whole\n');
    }));
});

describe('writeAtomic', () => {
  it('replaces the whole file, keeps its permissions and leaves no temporary file', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await files.writeAtomic('d/a.json', bytes('{}'));
      await chmod(join(root, 'd/a.json'), 0o640);
      await files.writeAtomic('d/a.json', bytes('{"v":1}'));
      expect(await readFile(join(root, 'd/a.json'), 'utf8')).toBe('{"v":1}');
      expect((await stat(join(root, 'd/a.json'))).mode & 0o777).toBe(0o640);
      expect(await readdir(join(root, 'd'))).toEqual(['a.json']);
    }));

  it('keeps the old file when writing fails, and cleans up', () =>
    withTempFolder(async (root) => {
      await writeFile(join(root, 'a'), 'old');
      const open: typeof nodeFs.open = async (...args) => {
        const handle = await nodeFs.open(...args);
        handle.write = () => Promise.reject(errno('ENOSPC'));
        return handle;
      };
      const files = createNodeFiles(root, { fs: { open } });
      expect(await codeOf(files.writeAtomic('a', bytes('new')))).toBe('store.disk-full');
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('old');
      expect(await readdir(root)).toEqual(['a']);
    }));

  it('tries a busy rename again', () =>
    withTempFolder(async (root) => {
      let tries = 0;
      const rename: typeof nodeFs.rename = (from, to) => {
        tries += 1;
        return tries < 4 ? Promise.reject(errno('EBUSY')) : nodeFs.rename(from, to);
      };
      await createNodeFiles(root, { fs: { rename } }).writeAtomic('a', bytes('new'));
      expect(tries).toBe(4);
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('new');
    }));

  it('gives up a rename that stays busy, and keeps the old file', () =>
    withTempFolder(async (root) => {
      await writeFile(join(root, 'a'), 'old');
      const rename: typeof nodeFs.rename = () => Promise.reject(errno('EPERM'));
      const files = createNodeFiles(root, { fs: { rename }, patienceMs: 30 });
      expect(await codeOf(files.writeAtomic('a', bytes('new')))).toBe('store.busy');
      expect(await readdir(root)).toEqual(['a']);
      expect(await readFile(join(root, 'a'), 'utf8')).toBe('old');
    }));
});

describe('failures', () => {
  it.each([
    ['ENOSPC', 'store.disk-full'],
    ['EDQUOT', 'store.disk-full'],
    ['EROFS', 'store.read-only'],
    ['EACCES', 'store.read-only'],
    ['EIO', 'store.io'],
    ['EBUSY', 'store.busy'],
  ] as const)('names %s as %s', (code, expected) =>
    withTempFolder(async (root) => {
      const open: typeof nodeFs.open = () => Promise.reject(errno(code));
      expect(await codeOf(createNodeFiles(root, { fs: { open }, patienceMs: 30 }).append('a', bytes('x'), { fsync: false }))).toBe(expected);
    }));

  it('fsyncs a folder as well as a file', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await files.mkdir('a/b');
      await files.writeAtomic('a/b/c', bytes('x'), { fsync: false });
      await files.fsync('a/b');
      await files.fsync('a/b/c');
      expect(await codeOf(files.fsync('a/none'))).toBe('store.io');
    }));

  it('renames into a folder that is not there yet', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      await files.writeAtomic('a', bytes('x'));
      await files.rename('a', 'deep/er/b');
      expect(text(await files.read('deep/er/b'))).toBe('x');
      expect(await codeOf(files.rename('gone', 'b'))).toBe('store.io');
    }));
});

describe('locks', () => {
  it('is taken once at a time, also within one process', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      const lock = await files.lock('.liyuan/locks/a.lock');
      expect(lock.held()).toBe(true);
      expect(await codeOf(files.lock('.liyuan/locks/a.lock'))).toBe('store.locked');
      await lock.release();
      await lock.release();
      expect(lock.held()).toBe(false);
      const again = await files.lock('.liyuan/locks/a.lock');
      await again.release();
    }));

  it('is taken over when its heartbeat is old', () =>
    withTempFolder(async (root) => {
      await mkdir(join(root, 'a.lock'));
      const long = new Date('2020-01-01T00:00:00Z');
      await utimes(join(root, 'a.lock'), long, long);
      const lock = await createNodeFiles(root).lock('a.lock');
      expect(lock.held()).toBe(true);
      await lock.release();
    }));

  it('settles lost when someone else took it, and never throws', () =>
    withTempFolder(async (root) => {
      const files = createNodeFiles(root);
      const lock = await files.lock('a.lock', { staleMs: 3000 });
      const other = new Date('2020-01-01T00:00:00Z');
      await utimes(join(root, 'a.lock'), other, other);
      await lock.lost;
      expect(lock.held()).toBe(false);
      await lock.release();
    }));

  it('is refused while the heartbeat of another process is fresh', () =>
    withTempFolder(async (root) => {
      execFileSync(process.execPath, ['-e', `require('node:fs').mkdirSync(${JSON.stringify(join(root, 'a.lock'))})`]);
      const files = createNodeFiles(root);
      expect(await codeOf(files.lock('a.lock'))).toBe('store.locked');
    }));
});

describe('what may not be read', () => {
  it('is named by itself, in a tree too, and not said to be write-protected', () =>
    withTempFolder(async (root) => {
      await mkdir(join(root, '正文/卷一'), { recursive: true });
      await writeFile(join(root, '正文/1.md'), 'x');
      const readdir: unknown = (path: string, options: { withFileTypes: true }) =>
        path.endsWith('卷一') ? Promise.reject(errno('EACCES')) : nodeFs.readdir(path, options);
      const open: typeof nodeFs.open = () => Promise.reject(errno('EACCES'));
      const files = createNodeFiles(root, { fs: { readdir: readdir as typeof nodeFs.readdir, open } });
      await expect(files.tree('正文')).rejects.toMatchObject({ error: { code: 'store.no-access', args: { path: '正文/卷一', errno: 'EACCES' } } });
      expect(await codeOf(files.read('正文/1.md'))).toBe('store.no-access');
      expect(await codeOf(files.append('正文/1.md', bytes('y'), { fsync: false }))).toBe('store.read-only');
    }));
});
