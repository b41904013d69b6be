import * as sync from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { promisify } from 'node:util';
import type { NodeFs, OpenFile } from './node-fs';
import type { Pace } from './pace';

/** Written or read at once up to this size, in bytes. */
const SMALL_BYTES = 64 * 1024;

const fsync = promisify(sync.fsync);
const ftruncate = promisify(sync.ftruncate);
const close = promisify(sync.close);
const fstat = promisify(sync.fstat) as (fd: number) => Promise<sync.Stats>;
const readFile = promisify(sync.readFile) as (fd: number) => Promise<Buffer>;
const read = promisify(sync.read) as (
  ...args: [fd: number, buffer: Uint8Array, offset: number, length: number, position: number]
) => Promise<{ bytesRead: number }>;
const write = promisify(sync.write) as (...args: [fd: number, bytes: Uint8Array, offset: number, length: number]) => Promise<{ bytesWritten: number }>;

export interface Paces {
  readonly looks: Pace;
  readonly changes: Pace;
}

/**
 * `node:fs/promises` for a disk that answers fast: what is asked of it happens at once instead of by way of the thread pool, which takes
 * ten times as long as the answer. Where the disk turns out to be slow (`pace`), and for whatever waits for the platter (fsync), it is the
 * thread pool after all. A disk that is busy writing still tells quickly what it has: `looks` and `changes` are judged apart.
 */
export function createQuickFs({ looks, changes }: Paces): NodeFs {
  const by =
    (pace: Pace) =>
    async <T>(now: () => T, later: () => Promise<T>): Promise<T> =>
      (await pace.ready()) ? pace.measure(now) : later();
  const looking = by(looks);
  const changing = by(changes);

  const opened = (fd: number): OpenFile => ({
    stat: () => looking(() => sync.fstatSync(fd), () => fstat(fd)),
    read: (buffer, offset, length, position) =>
      length > SMALL_BYTES
        ? read(fd, buffer, offset, length, position)
        : looking(() => ({ bytesRead: sync.readSync(fd, buffer, offset, length, position) }), () => read(fd, buffer, offset, length, position)),
    readFile: () => readFile(fd),
    write: (bytes, offset, length) =>
      length > SMALL_BYTES
        ? write(fd, bytes, offset, length)
        : changing(() => ({ bytesWritten: sync.writeSync(fd, bytes, offset, length) }), () => write(fd, bytes, offset, length)),
    sync: () => fsync(fd),
    truncate: (length) => ftruncate(fd, length),
    close: () => changing(() => sync.closeSync(fd), () => close(fd)),
  });

  return {
    open: (path, flags, mode) =>
      (flags === 'r' ? looking : changing)<OpenFile>(() => opened(sync.openSync(path, flags, mode)), () => nodeFs.open(path, flags, mode)),
    lstat: (path, options) => looking(() => sync.lstatSync(path, options), () => nodeFs.lstat(path, options)),
    mkdir: (path, options) => changing(() => sync.mkdirSync(path, options), () => nodeFs.mkdir(path, options)),
    rename: (from, to) => changing(() => sync.renameSync(from, to), () => nodeFs.rename(from, to)),
    readdir: (path, options) => looking(() => sync.readdirSync(path, options), () => nodeFs.readdir(path, options)),
    realpath: nodeFs.realpath,
    rm: nodeFs.rm,
  };
}
