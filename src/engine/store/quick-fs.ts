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

/**
 * `node:fs/promises` for a disk that answers fast: what is asked of it happens at once instead of by way of the thread pool, which takes
 * ten times as long as the answer. Where the disk turns out to be slow (`pace`), and for whatever waits for the platter (fsync), it is the
 * thread pool after all.
 */
export function createQuickFs(pace: Pace): NodeFs {
  const quickly = async <T>(now: () => T, later: () => Promise<T>): Promise<T> => ((await pace.ready()) ? pace.measure(now) : later());

  const opened = (fd: number): OpenFile => ({
    stat: () => quickly(() => sync.fstatSync(fd), () => fstat(fd)),
    read: (buffer, offset, length, position) =>
      length > SMALL_BYTES
        ? read(fd, buffer, offset, length, position)
        : quickly(() => ({ bytesRead: sync.readSync(fd, buffer, offset, length, position) }), () => read(fd, buffer, offset, length, position)),
    readFile: () => readFile(fd),
    write: (bytes, offset, length) =>
      length > SMALL_BYTES
        ? write(fd, bytes, offset, length)
        : quickly(() => ({ bytesWritten: sync.writeSync(fd, bytes, offset, length) }), () => write(fd, bytes, offset, length)),
    sync: () => fsync(fd),
    truncate: (length) => ftruncate(fd, length),
    close: () => quickly(() => sync.closeSync(fd), () => close(fd)),
  });

  return {
    open: async (path, flags, mode) =>
      (await pace.ready()) ? opened(pace.measure(() => sync.openSync(path, flags, mode))) : nodeFs.open(path, flags, mode),
    lstat: (path, options) => quickly(() => sync.lstatSync(path, options), () => nodeFs.lstat(path, options)),
    mkdir: (path, options) => quickly(() => sync.mkdirSync(path, options), () => nodeFs.mkdir(path, options)),
    rename: (from, to) => quickly(() => sync.renameSync(from, to), () => nodeFs.rename(from, to)),
    readdir: (path, options) => quickly(() => sync.readdirSync(path, options), () => nodeFs.readdir(path, options)),
    realpath: nodeFs.realpath,
    rm: nodeFs.rm,
  };
}
