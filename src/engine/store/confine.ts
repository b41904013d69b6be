import { lstatSync, realpathSync, type BigIntStats } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { EngineFailure } from '../ports/result';
import { isMissing } from './failures';
import { lstatOrMissing, type NodeFs } from './node-fs';

/** Where a project-relative path really lies. */
export interface Located {
  /** Absolute, with links resolved (the last one only when followed). */
  readonly path: string;
  /** Absolute folder of it, links resolved. */
  readonly folder: string;
  /** What stands there, `undefined` when nothing does. */
  readonly stat: BigIntStats | undefined;
}

export interface Confinement {
  /** Refuses (throws `path.outside`) whatever leaves the root, by name or through links. `follow`: also resolve a link at the end. */
  locate(path: string, follow: boolean): Promise<Located>;
  /** The real path of something that is there, links followed, with its stat; `undefined` when nothing is. */
  locateSync(path: string): { readonly path: string; readonly stat: BigIntStats } | undefined;
}

/** How long a folder's real place is believed, in milliseconds. Long enough for one batch of operations. */
const BELIEVE_MS = 100;

const outside = (path: string): EngineFailure => new EngineFailure({ code: 'path.outside', args: { path } });

function partsOf(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  const bad = (part: string): boolean => part === '..' || part.includes('\0') || (sep === '\\' && /[\\:]/.test(part));
  if (path.startsWith('/') || isAbsolute(path) || parts.some(bad)) throw outside(path);
  return parts;
}

/** Keeps paths inside `root` after resolving links. */
export function createConfinement(root: string, fs: NodeFs): Confinement {
  const folders = new Map<string, { readonly real: string; readonly until: number }>();
  let realRoot: Promise<string> | undefined;
  let realRootNow: string | undefined;

  const rootPath = (): Promise<string> => {
    realRoot ??= fs.realpath(root).catch((error: unknown) => {
      realRoot = undefined;
      throw error;
    });
    return realRoot;
  };

  const checkInside = (top: string, real: string, path: string): string => {
    const way = relative(top, real);
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw outside(path);
    return real;
  };
  const inside = async (real: string, path: string): Promise<string> => checkInside(await rootPath(), real, path);

  /** The real path of something, or `undefined` when nothing is there. A link that leads nowhere is refused. */
  const realOf = async (absolute: string, path: string): Promise<string | undefined> => {
    try {
      return await inside(await fs.realpath(absolute), path);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    const link = await lstatOrMissing(fs, absolute);
    if (link?.isSymbolicLink() === true) throw outside(path);
    return undefined;
  };

  const folderOf = async (parts: readonly string[], path: string): Promise<string> => {
    const last = parts.at(-1);
    if (last === undefined) return rootPath();
    const key = parts.join('/');
    const known = folders.get(key);
    if (known !== undefined && known.until > performance.now()) return known.real;
    const parent = await folderOf(parts.slice(0, -1), path);
    const absolute = join(parent, last);
    // Below a real folder, a folder that is no link is real itself.
    const real = (await lstatOrMissing(fs, absolute))?.isDirectory() === true ? absolute : await realOf(absolute, path);
    if (real === undefined) {
      folders.delete(key);
      return join(parent, last);
    }
    folders.set(key, { real, until: performance.now() + BELIEVE_MS });
    return real;
  };

  const realRootSync = (): string => (realRootNow ??= realpathSync.native(root));

  const folderSync = (parts: readonly string[], path: string): string => {
    const key = parts.join('/');
    const known = folders.get(key);
    if (known !== undefined && known.until > performance.now()) return known.real;
    const real = checkInside(realRootSync(), realpathSync.native(join(root, ...parts)), path);
    folders.set(key, { real, until: performance.now() + BELIEVE_MS });
    return real;
  };

  return {
    locateSync(path) {
      const parts = partsOf(path);
      const name = parts.at(-1);
      try {
        const absolute = name === undefined ? realRootSync() : join(folderSync(parts.slice(0, -1), path), name);
        const stat = lstatSync(absolute, { bigint: true });
        if (!stat.isSymbolicLink()) return { path: absolute, stat };
        const real = checkInside(realRootSync(), realpathSync.native(absolute), path);
        return { path: real, stat: lstatSync(real, { bigint: true }) };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async locate(path, follow) {
      const parts = partsOf(path);
      const name = parts.at(-1);
      if (name === undefined) {
        const real = await rootPath();
        return { path: real, folder: real, stat: await lstatOrMissing(fs, real) };
      }
      const folder = await folderOf(parts.slice(0, -1), path);
      const absolute = join(folder, name);
      const stat = await lstatOrMissing(fs, absolute);
      if (!follow || stat?.isSymbolicLink() !== true) return { path: absolute, folder, stat };
      const real = await realOf(absolute, path);
      if (real === undefined) return { path: absolute, folder, stat: undefined };
      return { path: real, folder: join(real, '..'), stat: await lstatOrMissing(fs, real) };
    },
  };
}
