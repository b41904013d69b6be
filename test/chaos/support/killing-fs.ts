import * as nodeFs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { NodeFs } from '../../../src/engine/store/node-fs';

/** Where in one change of the disk it strikes: before it, in the middle of it (a write: some of its bytes), or after it. */
export type Blow = { readonly when: 'before' | 'after' } | { readonly when: 'amid'; readonly share: number };

/**
 * `node:fs/promises` that strikes at some change of the disk (opening to write, write, truncate, fsync, rename, removal, new folder).
 * `strike` gives the blow for the change that is due, if any; `die` never comes back.
 */
export function createKillingFs(strike: () => Blow | undefined, die: () => Promise<never>): NodeFs {
  const around = async <T>(change: () => Promise<T>, some?: (share: number) => Promise<unknown>): Promise<T> => {
    const blow = strike();
    if (blow?.when === 'before') return die();
    if (blow?.when === 'amid') {
      await some?.(blow.share);
      return die();
    }
    const result = await change();
    return blow === undefined ? result : die();
  };

  const wrap = (handle: FileHandle): FileHandle => {
    const write = handle.write.bind(handle) as (data: Uint8Array, offset: number, length: number) => ReturnType<FileHandle['write']>;
    const sync = handle.sync.bind(handle);
    const truncate = handle.truncate.bind(handle);
    handle.write = ((data: Uint8Array, offset: number, length: number) =>
      around(
        () => write(data, offset, length),
        (share) => write(data, offset, Math.floor(length * share)),
      )) as typeof handle.write;
    handle.sync = () => around(() => sync());
    handle.truncate = (length) => around(() => truncate(length));
    return handle;
  };

  return {
    ...nodeFs,
    open: async (path, flags, mode) =>
      flags === 'r' ? nodeFs.open(path, flags, mode) : wrap(await around(() => nodeFs.open(path, flags, mode))),
    mkdir: ((...args: Parameters<typeof nodeFs.mkdir>) => around(() => nodeFs.mkdir(...args))),
    rename: (from, to) => around(() => nodeFs.rename(from, to)),
    rm: (path, options) => around(() => nodeFs.rm(path, options)),
  };
}
