import { existsSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { NodeFs } from '../../src/engine/store/node-fs';

/** A disk that is full, write-protected, slow, or on which another program holds a file. Give its `fs` to `createNodeFiles`. */
export interface FaultyDisk {
  readonly fs: NodeFs;
  /** Only so many bytes more fit; a write that meets the end is cut there. `undefined`: as many as wanted. */
  room(bytes: number | undefined): void;
  /** Every change is refused with this errno; `undefined`: none. */
  protect(errno: 'EACCES' | 'EROFS' | undefined): void;
  /** Another program holds the files whose path ends so: they can be read, and neither written nor replaced. `undefined`: none. */
  hold(ending: string | undefined, errno?: 'EBUSY' | 'EPERM' | 'EACCES'): void;
  /** Every change takes so long, in milliseconds, through `wait`. */
  slow(ms: number): void;
  /** Changes so far. */
  readonly changes: number;
}

const failure = (code: string, path: string): Error => Object.assign(new Error(`${code}: ${path}`), { code });

export function createFaultyDisk(wait: (ms: number) => Promise<void> = () => Promise.resolve()): FaultyDisk {
  let left: number | undefined;
  let protection: 'EACCES' | 'EROFS' | undefined;
  let held: { readonly ending: string; readonly errno: string } | undefined;
  let delay = 0;
  let changes = 0;

  const change = async <T>(paths: readonly string[], run: () => Promise<T>): Promise<T> => {
    changes += 1;
    if (delay > 0) await wait(delay);
    const [path = ''] = paths;
    if (protection !== undefined) throw failure(protection, path);
    const busy = held;
    if (busy !== undefined && paths.some((one) => one.endsWith(busy.ending))) throw failure(busy.errno, path);
    return run();
  };

  const wrap = (path: string, handle: FileHandle): FileHandle => {
    const write = handle.write.bind(handle) as (data: Uint8Array, offset: number, length: number) => ReturnType<FileHandle['write']>;
    const sync = handle.sync.bind(handle);
    handle.write = ((data: Uint8Array, offset: number, length: number) =>
      change([path], async () => {
        const fits = Math.min(length, left ?? length);
        if (left !== undefined) left -= fits;
        if (fits === 0 && length > 0) throw failure('ENOSPC', path);
        return write(data, offset, fits);
      })) as typeof handle.write;
    handle.sync = () => change([path], () => sync());
    return handle;
  };

  return {
    fs: {
      ...nodeFs,
      open: async (path, flags, mode) => {
        if (flags === 'r') return nodeFs.open(path, flags, mode);
        return wrap(path, await change([path], () => nodeFs.open(path, flags, mode)));
      },
      // A folder that is there is no change, also where nothing may be written.
      mkdir: ((path: string, options: { recursive: boolean }) =>
        existsSync(path) ? Promise.resolve(undefined) : change([path], () => nodeFs.mkdir(path, options))),
      rename: (from, to) => change([from, to], () => nodeFs.rename(from, to)),
      // Room that is made is room.
      rm: (path, options) => (existsSync(path) ? change([path], () => nodeFs.rm(path, options)) : Promise.resolve()),
    },
    room(bytes) {
      left = bytes;
    },
    protect(errno) {
      protection = errno;
    },
    hold(ending, errno = 'EBUSY') {
      held = ending === undefined ? undefined : { ending, errno };
    },
    slow(ms) {
      delay = ms;
    },
    get changes() {
      return changes;
    },
  };
}
