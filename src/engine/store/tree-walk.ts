import { lstatSync, readdirSync, type BigIntStats, type Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { FileStat, TreeFile } from '../ports/files';
import { EngineFailure } from '../ports/result';
import type { Located } from './confine';
import { errnoOf, isMissing, storeFailure } from './failures';
import { mapLimited } from './limited';
import { lstatOrMissing, type NodeFs } from './node-fs';
import type { Pace } from './pace';

/** Stats asked for at a time. */
const STATS_AT_ONCE = 64;
/** A link that cannot be followed: to itself, to where we may not look, too far. */
const NO_WAY = new Set(['ELOOP', 'EACCES', 'EPERM', 'ENAMETOOLONG']);

/** A link that leads out of the project, to nothing, or that cannot be followed. */
export const isNoWay = (error: unknown): boolean =>
  NO_WAY.has(errnoOf(error) ?? '') || (error instanceof EngineFailure && error.error.code === 'path.outside');

export const kindOf = (stat: { isFile(): boolean; isDirectory(): boolean }): FileStat['kind'] =>
  stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : 'other';

export const statOf = (stat: BigIntStats): FileStat => ({
  size: Number(stat.size),
  mtimeNs: stat.mtimeNs,
  ctimeNs: stat.ctimeNs,
  ino: stat.ino,
  kind: kindOf(stat),
});

/** A folder of a tree: by its name, its real path, and its path in the project when a link led to it. */
interface WalkedFolder {
  readonly path: string;
  readonly absolute: string;
  readonly real?: string;
}

/** Lists the files below a folder, given with its real path, as `Files.tree` promises. Where nothing is put in between (`atOnce`) and the disk is fast, all at once. */
export function createTreeWalk(deps: {
  readonly fs: NodeFs;
  readonly locate: (path: string, follow: boolean) => Promise<Located>;
  readonly atOnce: boolean;
  readonly pace: Pace;
}): (dir: string, absolute: string) => Promise<readonly TreeFile[]> {
  const { fs, locate, atOnce, pace } = deps;

  /** Takes up one folder of a tree (its real path), then those inside it. Only links have to be located. */
  const visit = async (dir: WalkedFolder, above: ReadonlySet<string>, found: TreeFile[]): Promise<void> => {
    // A link that leads back to a folder above it ends here.
    if (above.has(dir.absolute)) return;
    const inside = new Set(above).add(dir.absolute);
    const names: string[] = [];
    const folders: WalkedFolder[] = [];
    const below = ({ real }: WalkedFolder, name: string): { readonly real?: string } => (real === undefined ? {} : { real: `${real}/${name}` });
    for (const entry of await entriesOf(dir)) {
      const { name } = entry;
      const path = `${dir.path}/${name}`;
      if (name.startsWith('.')) continue;
      if (entry.isDirectory()) folders.push({ path, absolute: join(dir.absolute, name), ...below(dir, name) });
      else if (entry.isFile()) names.push(name);
      else if (entry.isSymbolicLink()) {
        const target = await followed(path);
        if (target === undefined) continue;
        const { real, stat } = target;
        if (stat.isDirectory()) folders.push({ path, absolute: target.path, real });
        else if (stat.isFile()) found.push({ path, stat: statOf(stat), real });
      }
    }
    for (const [i, stat] of (await lstatAll(dir.absolute, names)).entries()) {
      const name = names[i] ?? '';
      if (stat?.isFile() === true) found.push({ path: `${dir.path}/${name}`, stat: statOf(stat), ...below(dir, name) });
    }
    for (const next of folders) await visit(next, inside, found);
  };

  /** `[]` for a folder that went away meanwhile. One that cannot be read is named, not the folder that was asked for. */
  const entriesOf = async ({ path, absolute }: WalkedFolder): Promise<Dirent[]> => {
    try {
      if (atOnce && (await pace.ready())) return pace.measure(() => readdirSync(absolute, { withFileTypes: true }));
      return await fs.readdir(absolute, { withFileTypes: true });
    } catch (error) {
      if (isMissing(error)) return [];
      throw storeFailure(error, path, 'reading');
    }
  };

  /** Stats of files in one folder: one after the other at once, or many at a time where the disk is slow. */
  const lstatAll = async (folder: string, names: readonly string[]): Promise<(BigIntStats | undefined)[]> => {
    const stats: (BigIntStats | undefined)[] = [];
    while (stats.length < names.length && atOnce && (await pace.ready())) {
      const slice = names.slice(stats.length, stats.length + STATS_AT_ONCE);
      for (const name of slice) stats.push(pace.measure(() => lstatSync(`${folder}${sep}${name}`, { bigint: true, throwIfNoEntry: false })));
    }
    const rest = names.slice(stats.length);
    return [...stats, ...(await mapLimited(rest, STATS_AT_ONCE, (name) => lstatOrMissing(fs, join(folder, name))))];
  };

  /** What a link leads to and its path in the project, when that is inside, in no dot-folder, and there is a way. */
  const followed = async (path: string): Promise<{ readonly path: string; readonly stat: BigIntStats; readonly real: string } | undefined> => {
    let target: Located;
    try {
      target = await locate(path, true);
    } catch (error) {
      if (isNoWay(error)) return undefined;
      throw error;
    }
    const parts = relative((await locate('', true)).path, target.path).split(sep);
    if (target.stat === undefined || parts.some((part) => part.startsWith('.'))) return undefined;
    return { path: target.path, stat: target.stat, real: parts.join('/') };
  };

  return async (dir, absolute) => {
    const found: TreeFile[] = [];
    await visit({ path: dir, absolute }, new Set(), found);
    return found;
  };
}
