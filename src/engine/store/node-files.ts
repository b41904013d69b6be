import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { Files, FileStat } from '../ports/files';
import { EngineFailure } from '../ports/result';
import { createConfinement, type Located } from './confine';
import { errnoOf, isMissing, storeFailure } from './failures';
import { breakLock, createLockFs, readHolder, takeLock } from './file-lock';
import type { NodeFs, OpenFile } from './node-fs';
import { createPace } from './pace';
import { createPatience } from './patience';
import { createQuickFs } from './quick-fs';
import { createTreeWalk, isNoWay, kindOf, statOf } from './tree-walk';

export interface NodeFilesOptions {
  /** In place of parts of `node:fs/promises`, for tests. */
  readonly fs?: Partial<NodeFs>;
  /** How long a busy file is tried again, in milliseconds. */
  readonly patienceMs?: number;
}

/** Files up to this size are read at once where the disk is fast, in bytes. */
const SMALL_BYTES = 64 * 1024;
const BUSY = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** What Windows answers when another program has the file to itself. */
const HELD = new Set(['EBUSY']);
/** What systems answer that cannot fsync a folder. Everything else is a real failure. */
const NO_FOLDER_SYNC = new Set(['EPERM', 'EACCES', 'EISDIR', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'EBADF']);

/** Opening a pipe, a socket or a device would wait for its other end, for ever; a folder says itself that it is none. */
function refuseOther(stat: { isFile(): boolean; isDirectory(): boolean } | undefined, path: string): void {
  if (stat !== undefined && kindOf(stat) === 'other') throw new EngineFailure({ code: 'store.io', args: { path, errno: 'ENOTSUP' } });
}

/** Up to `size` bytes from `offset`; fewer where the file ends. */
async function readUpTo(handle: OpenFile, offset: number, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const { bytesRead } = await handle.read(bytes, done, size - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** `Files` over `node:fs`, confined to `root` (absolute, a folder that exists). */
export function createNodeFiles(root: string, options: NodeFilesOptions = {}): Files {
  const pace = createPace();
  const changes = createPace();
  /** Where nothing is put in between, small things are asked for at once. */
  const atOnce = options.fs === undefined;
  const fs: NodeFs = atOnce ? createQuickFs({ looks: pace, changes }) : { ...nodeFs, ...options.fs };
  const lockFs = atOnce ? createLockFs(changes) : undefined;
  const patience = createPatience(options.patienceMs ?? 5000);
  const confinement = createConfinement(root, fs);
  const locate = (path: string, follow: boolean): Promise<Located> => confinement.locate(path, follow);
  const walk = createTreeWalk({ fs, locate, atOnce, pace });

  /** Runs one operation; whatever it throws becomes an `EngineFailure` that names `path`. */
  const guarded = async <T>(path: string, run: () => Promise<T>, doing: 'reading' | 'writing' = 'writing'): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      throw storeFailure(error, path, doing);
    }
  };
  const looking = <T>(path: string, run: () => Promise<T>): Promise<T> => guarded(path, run, 'reading');

  const syncFolder = async (absolute: string): Promise<void> => {
    let handle: OpenFile | undefined;
    try {
      handle = await fs.open(absolute, 'r');
      await handle.sync();
    } catch (error) {
      if (!NO_FOLDER_SYNC.has(errnoOf(error) ?? '')) throw error;
    } finally {
      await handle?.close();
    }
  };

  const makeFolder = async (absolute: string): Promise<void> => {
    const first = await fs.mkdir(absolute, { recursive: true });
    if (first === undefined) return;
    for (let at = absolute; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
  };

  const openMaking = async (absolute: string, flags: string, mode?: number): Promise<OpenFile> => {
    const open = (): Promise<OpenFile> => patience.run(HELD, () => fs.open(absolute, flags, mode));
    try {
      return await open();
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
      await makeFolder(dirname(absolute));
      return open();
    }
  };

  const renamePatiently = (from: string, to: string): Promise<void> => patience.run(BUSY, () => fs.rename(from, to));

  /** Puts a file in place of another of its folder. The folder was written just now: what cannot be replaced is held by someone. */
  const replace = async (temp: string, target: string, path: string): Promise<void> => {
    try {
      await renamePatiently(temp, target);
    } catch (error) {
      const errno = errnoOf(error) ?? '';
      if (!BUSY.has(errno)) throw error;
      throw new EngineFailure({ code: 'store.busy', args: { path, errno } });
    }
  };

  const writeAll = async (handle: OpenFile, bytes: Uint8Array): Promise<void> => {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
      done += bytesWritten;
    }
  };

  /** Appends to an open file, or leaves it as long as it was. */
  const appendWhole = async (handle: OpenFile, before: number, bytes: Uint8Array, fsync: boolean): Promise<void> => {
    try {
      await writeAll(handle, bytes);
      if (fsync) await handle.sync();
    } catch (error) {
      const { size } = await handle.stat();
      if (size > before && size <= before + bytes.length) await handle.truncate(before);
      throw error;
    }
  };

  /** A small file at once; `undefined` when it is not there or not small. */
  const readSmall = (path: string): Uint8Array | undefined => {
    const at = confinement.locateSync(path);
    if (at?.stat.isFile() !== true || at.stat.size > SMALL_BYTES) return undefined;
    try {
      return readFileSync(at.path);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };

  const statNow = (path: string): FileStat | undefined => {
    const at = confinement.locateSync(path);
    return at === undefined ? undefined : statOf(at.stat);
  };

  return {
    root,

    read: (path) =>
      looking(path, async () => {
        const small = atOnce && (await pace.ready()) ? pace.measure(() => readSmall(path)) : undefined;
        if (small !== undefined) return small;
        const at = await locate(path, true);
        if (at.stat === undefined) return undefined;
        refuseOther(at.stat, path);
        let handle: OpenFile;
        try {
          handle = await fs.open(at.path, 'r');
        } catch (error) {
          if (isMissing(error)) return undefined;
          throw error;
        }
        try {
          // One read of the size it has: `readFile` would go through it in small pieces.
          const { size } = await handle.stat();
          const bytes = await readUpTo(handle, 0, size);
          return bytes.length === size && size > 0 ? bytes : await handle.readFile();
        } finally {
          await handle.close();
        }
      }),

    readRange: (path, offset, length) =>
      looking(path, async () => {
        const at = await locate(path, true);
        if (at.stat === undefined) return undefined;
        refuseOther(at.stat, path);
        const size = Math.max(0, Math.min(length, Number(at.stat.size) - offset));
        const handle = await fs.open(at.path, 'r');
        try {
          return await readUpTo(handle, offset, size);
        } finally {
          await handle.close();
        }
      }),

    readRangeSync(path, offset, length) {
      let handle: number | undefined;
      try {
        const at = confinement.locateSync(path);
        if (at === undefined) return undefined;
        refuseOther(at.stat, path);
        handle = openSync(at.path, 'r');
        const size = Math.max(0, Math.min(length, fstatSync(handle).size - offset));
        const bytes = Buffer.allocUnsafe(size);
        let done = 0;
        for (let read = -1; done < size && read !== 0; done += read) read = readSync(handle, bytes, done, size - done, offset + done);
        return bytes.subarray(0, done);
      } catch (error) {
        throw storeFailure(error, path, 'reading');
      } finally {
        if (handle !== undefined) closeSync(handle);
      }
    },

    stat: (path) =>
      looking(path, async () => {
        if (atOnce && (await pace.ready())) {
          const known = pace.measure(() => statNow(path));
          if (known !== undefined) return known;
        }
        const { stat } = await locate(path, true);
        return stat === undefined ? undefined : statOf(stat);
      }),

    real: (path) =>
      looking(path, async () => {
        const at = await locate(path, true);
        return relative((await locate('', true)).path, at.path).split(sep).join('/');
      }),

    list: (dir) =>
      looking(dir, async () => {
        const at = await locate(dir, true);
        if (at.stat === undefined) return [];
        const entries = await fs.readdir(at.path, { withFileTypes: true });
        return Promise.all(
          entries.map(async (entry) => {
            if (!entry.isSymbolicLink()) return { name: entry.name, kind: kindOf(entry) };
            const target = await locate(`${dir}/${entry.name}`, true).catch((error: unknown) => {
              if (isNoWay(error)) return undefined;
              throw error;
            });
            return { name: entry.name, kind: target?.stat === undefined ? ('other' as const) : kindOf(target.stat) };
          }),
        );
      }),

    tree: (dir) =>
      looking(dir, async () => {
        const at = await locate(dir, true);
        return at.stat?.isDirectory() === true ? walk(dir, at.path) : [];
      }),

    append: (path, bytes, { fsync, expectedSize }) =>
      guarded(path, async () => {
        const changed = (size: number): EngineFailure =>
          new EngineFailure({ code: 'store.changed-outside', args: { path, expected: expectedSize ?? 0, size } });
        const at = await locate(path, true);
        if (at.stat === undefined && expectedSize !== undefined && expectedSize !== 0) throw changed(0);
        refuseOther(at.stat, path);
        const handle = await openMaking(at.path, 'a');
        let size: number;
        try {
          ({ size } = await handle.stat());
          if (expectedSize !== undefined && size !== expectedSize) throw changed(size);
          await appendWhole(handle, size, bytes, fsync);
        } finally {
          await handle.close();
        }
        if (at.stat === undefined) await syncFolder(dirname(at.path));
        return size + bytes.length;
      }),

    writeAtomic: (path, bytes, { fsync = true, temporaryIn } = {}) =>
      guarded(path, async () => {
        const at = await locate(path, true);
        const folder = temporaryIn === undefined ? at.folder : (await locate(temporaryIn, true)).path;
        const temp = join(folder, `.${basename(at.path).slice(0, 40)}.${randomUUID()}.tmp`);
        const mode = at.stat === undefined ? undefined : Number(at.stat.mode & 0o777n);
        const handle = await openMaking(temp, 'wx', mode);
        try {
          try {
            await writeAll(handle, bytes);
            if (fsync) await handle.sync();
          } finally {
            await handle.close();
          }
          if (folder !== at.folder) await makeFolder(at.folder);
          await replace(temp, at.path, path);
        } catch (error) {
          await fs.rm(temp, { force: true });
          throw error;
        }
        if (fsync) await syncFolder(at.folder);
      }),

    fsync: (path) =>
      guarded(path, async () => {
        const at = await locate(path, true);
        if (at.stat?.isDirectory() === true) return syncFolder(at.path);
        refuseOther(at.stat, path);
        const handle = await fs.open(at.path, 'r+');
        try {
          await handle.sync();
        } finally {
          await handle.close();
        }
      }),

    rename: (from, to) =>
      guarded(from, async () => {
        const source = await locate(from, false);
        const target = await locate(to, false);
        try {
          await renamePatiently(source.path, target.path);
        } catch (error) {
          if (errnoOf(error) !== 'ENOENT' || source.stat === undefined) throw error;
          await makeFolder(target.folder);
          await renamePatiently(source.path, target.path);
        }
      }),

    remove: (path) =>
      guarded(path, async () => {
        const at = await locate(path, false);
        if (at.stat !== undefined) await fs.rm(at.path, { force: true });
      }),

    mkdir: (dir) =>
      guarded(dir, async () => {
        const at = await locate(dir, true);
        if (at.stat?.isDirectory() !== true) await makeFolder(at.path);
      }),

    lock: (path, options = {}) =>
      guarded(path, async () => {
        const at = await locate(path, false);
        await makeFolder(at.folder);
        return takeLock(at.path, path, { ...options, ...(lockFs === undefined ? {} : { fs: lockFs }) });
      }),

    lockHolder: (path) => guarded(path, async () => readHolder((await locate(path, false)).path)),

    breakLock: (path) => guarded(path, async () => breakLock((await locate(path, false)).path)),
  };
}
