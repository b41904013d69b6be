import * as nodeFs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { NodeFs } from '../../../src/engine/store/node-fs';
import type { Random } from './random';

/** A change of a folder that is not on the disk until the folder is fsynced. */
interface NameChange {
  readonly folder: string;
  undo(): Promise<void>;
}

/** A disk that keeps only what was fsynced when the power goes. */
export interface VolatileDisk {
  readonly fs: NodeFs;
  /** Resolves when the power goes. */
  readonly gone: Promise<void>;
  /** After that: takes away what the disk had not got yet. */
  lose(random: Random): Promise<void>;
}

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
const sizeOf = async (path: string): Promise<number | undefined> => {
  try {
    return (await nodeFs.stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

/** The power goes at the `goneAt`th change of the disk (from 1); nothing answers from then on. */
export function createVolatileDisk(goneAt: number): VolatileDisk {
  let off = false;
  let changes = 0;
  let resolveGone = (): void => undefined;
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve;
  });
  /** Path → how many of its bytes are surely on the disk. */
  const synced = new Map<string, number>();
  let names: NameChange[] = [];
  const underWay = new Set<Promise<unknown>>();
  const handles = new Set<FileHandle>();

  const change = async <T>(run: () => Promise<T>): Promise<T> => {
    changes += 1;
    if (changes === goneAt) {
      off = true;
      resolveGone();
    }
    if (off) return never<T>();
    const running = run();
    underWay.add(running);
    try {
      const result = await running;
      return off ? await never<T>() : result;
    } finally {
      underWay.delete(running);
    }
  };
  const looking =
    <A extends unknown[], R>(look: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => (off ? never<R>() : look(...args));

  const opened = async (path: string, flags: string, mode?: number): Promise<FileHandle> => {
    const before = await sizeOf(path);
    const handle = await nodeFs.open(path, flags, mode);
    handles.add(handle);
    if (flags !== 'r' && !synced.has(path)) synced.set(path, before ?? 0);
    if (before === undefined) names.push({ folder: dirname(path), undo: () => nodeFs.rm(path, { force: true }) });
    const sync = handle.sync.bind(handle);
    const write = handle.write.bind(handle) as (data: Uint8Array, offset: number, length: number) => ReturnType<FileHandle['write']>;
    const truncate = handle.truncate.bind(handle);
    handle.write = ((data: Uint8Array, offset: number, length: number) => change(() => write(data, offset, length))) as typeof handle.write;
    handle.truncate = (length) => change(() => truncate(length));
    handle.sync = () =>
      change(async () => {
        await sync();
        names = names.filter(({ folder }) => folder !== path);
        synced.set(path, (await handle.stat()).size);
      });
    return handle;
  };

  const renamed = async (from: string, to: string): Promise<void> => {
    const old = (await sizeOf(to)) === undefined ? undefined : await nodeFs.readFile(to);
    await nodeFs.rename(from, to);
    synced.set(to, synced.get(from) ?? (await sizeOf(to)) ?? 0);
    synced.delete(from);
    names.push({
      folder: dirname(to),
      undo: async () => {
        if (old === undefined) await nodeFs.rm(to, { force: true });
        else await nodeFs.writeFile(to, old);
        synced.delete(to);
      },
    });
  };

  const fs: NodeFs = {
    lstat: looking(nodeFs.lstat as (...args: unknown[]) => Promise<never>),
    readdir: looking(nodeFs.readdir as (...args: unknown[]) => Promise<never>),
    realpath: looking(nodeFs.realpath as (...args: unknown[]) => Promise<never>),
    open: (path, flags, mode) => {
      const open = (): Promise<FileHandle> => opened(path, flags, mode);
      return flags === 'r' ? looking(open)() : change(open);
    },
    mkdir: ((path: string, options: { recursive: boolean }) =>
      change(async () => {
        const first = await nodeFs.mkdir(path, options);
        if (first !== undefined) names.push({ folder: dirname(first), undo: () => nodeFs.rm(first, { recursive: true, force: true }) });
        return first;
      })),
    rename: (from, to) => change(() => renamed(from, to)),
    rm: (path, options) => change(() => nodeFs.rm(path, options)),
  };

  return {
    fs,
    gone,
    async lose(random) {
      await Promise.allSettled([...underWay]);
      for (const handle of handles) if (handle.fd >= 0) await handle.close();
      // Of each folder some changes in a row, from the newest back, are not there.
      const kept = new Map<string, number>();
      for (const { folder } of names) kept.set(folder, (kept.get(folder) ?? 0) + 1);
      for (const [folder, count] of kept) kept.set(folder, random.below(count + 1));
      const seen = new Map<string, number>();
      const lost = names.filter(({ folder }) => {
        const nth = seen.get(folder) ?? 0;
        seen.set(folder, nth + 1);
        return nth >= (kept.get(folder) ?? 0);
      });
      for (const one of lost.reverse()) await one.undo();
      for (const [path, sure] of synced) {
        const size = await sizeOf(path);
        if (size === undefined || size <= sure) continue;
        const length = sure + random.below(size - sure + 1);
        await nodeFs.truncate(path, length);
        // Some file systems have the length already, and zeros in place of the words.
        if (random.once(3)) await nodeFs.truncate(path, size);
      }
    },
  };
}
