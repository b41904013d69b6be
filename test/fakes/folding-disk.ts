import { existsSync, readdirSync } from 'node:fs';
import * as nodeFs from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { NodeFs } from '../../src/engine/store/node-fs';

const folded = (name: string): string => name.normalize('NFC').toLowerCase();

const entryOf = (folder: string, name: string, same: (a: string, b: string) => boolean): string =>
  existsSync(join(folder, name)) || !existsSync(folder) ? name : (readdirSync(folder).find((other) => same(other, name)) ?? name);

/** A path below `root` by the names on the disk: where they differ in normal form alone, or (`foldsCase`) in case too. */
export function onDiskPath(root: string, path: string, foldsCase = false): string {
  const same = foldsCase ? (a: string, b: string): boolean => folded(a) === folded(b) : (a: string, b: string): boolean => a.normalize('NFC') === b;
  return path.split('/').reduce((at, part) => join(at, part.normalize('NFD') === part && !foldsCase ? part : entryOf(at, part, same)), root);
}

/** The absolute path by the names on the disk, as a disk that keeps case and does not mind it finds it. */
const found = (path: unknown): string => onDiskPath(sep, String(path).slice(1), true);

/**
 * A disk as on macOS and Windows: it keeps the case of a name, and finds it by any other. Give it to `createNodeFiles`, and `foldsCase` to
 * `createMemoryDocuments`.
 */
export function createFoldingFs(): NodeFs {
  return {
    lstat: ((path: string, options: object) => nodeFs.lstat(found(path), options)) as typeof nodeFs.lstat,
    mkdir: ((path: string, options: object) => nodeFs.mkdir(found(path), options)) as typeof nodeFs.mkdir,
    readdir: ((path: string, options: object) => nodeFs.readdir(found(path), options)) as unknown as typeof nodeFs.readdir,
    realpath: ((path: string) => nodeFs.realpath(found(path))),
    open: (path, flags, mode) => nodeFs.open(found(path), flags, mode),
    rm: (path, options) => nodeFs.rm(found(path), options),
    rename: (from, to) => foldingRename(from, to),
  };
}

/** The new name is as given, also where another case of it stood. */
export async function foldingRename(from: string, to: string): Promise<void> {
  const [source, target] = [found(from), found(to)];
  await nodeFs.stat(source);
  if (source !== target && existsSync(target)) await nodeFs.rename(source, target);
  await nodeFs.rename(existsSync(source) ? source : target, join(dirname(target), basename(to)));
}
