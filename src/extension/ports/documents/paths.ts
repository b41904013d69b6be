import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { EngineFailure, isTextName, normalisePath, ok, refuse, type EngineError, type Result } from '../../../engine/index';

/** A path of the project and where it is on disk. */
export interface Place {
  /** NFC, `/`, relative to the project root. */
  readonly key: string;
  /** With the names as they are on disk (as asked for where nothing is there yet). */
  readonly uri: vscode.Uri;
  /** Absolute path of `uri`. */
  readonly file: string;
  /** `file` with links resolved; the same as `file` where nothing is there yet. */
  readonly real: string;
  /** Of what `real` is; `undefined`: nothing is there. */
  readonly stats: Stats | undefined;
}

export interface Paths {
  /**
   * Finds a path. Refuses `path.outside` (by form or through links; dot entries are outside too), `path.clash` (two names that differ in normal
   * form alone; with `fresh` also a sibling that differs in case alone, unless it is `fresh.except`),
   * and with `fresh` `path.forbidden-name` and `path.too-long`.
   */
  locate(path: string, fresh?: { readonly except?: string }): Promise<Result<Place>>;
  /** The key of a URI under the root; `undefined` outside it, in or under a dot entry, or for another scheme. */
  keyOf(uri: vscode.Uri): string | undefined;
  /** Whether an absolute path with links resolved lies in the project, outside dot entries. */
  inside(real: string): Promise<boolean>;
}

/** Names are the same file here whatever their case. */
const FOLDS_CASE = process.platform === 'win32' || process.platform === 'darwin';

const nfc = (name: string): string => name.normalize('NFC');
const folded = (name: string): string => nfc(name).toLowerCase();

/** Whether two keys are one file here: a document may have been opened by a name of another case than the file has. */
export const sameKey = (a: string, b: string): boolean => a === b || (FOLDS_CASE && folded(a) === folded(b));

/** The code of a failed system call, e.g. `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** What a failed system call, or a name that no file can have, means for a path. Errors of another kind are thrown on. */
export function refusalOf(error: unknown, path: string): EngineError {
  if (error instanceof EngineFailure) return error.error;
  if (error instanceof URIError) return { code: 'path.outside', args: { path }, cause: error.message };
  switch (errorCode(error)) {
    case undefined:
      throw error;
    case 'ELOOP':
      return { code: 'path.outside', args: { path }, cause: String(error) };
    case 'ENAMETOOLONG':
      return { code: 'path.too-long', args: { path }, cause: String(error) };
    case 'ENOSPC':
    case 'EDQUOT':
      return { code: 'store.disk-full', args: { path }, cause: String(error) };
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return { code: 'path.not-writable', args: { path }, cause: String(error) };
    default:
      return { code: 'store.io', args: { path }, cause: String(error) };
  }
}

/** `undefined` for a missing entry; other failures reject. */
export async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The form of a path alone: `path.outside` for absolute ones, `..` and NUL. The root is `''`. */
function keyFrom(path: string): Result<string> {
  if (isAbsolute(path) || /^(?:[/\\]|[A-Za-z]:)/.test(path) || path.includes('\0')) return refuse('path.outside', { path });
  const parts = nfc(path).split('/').filter((part) => part !== '' && part !== '.');
  if (parts.some((part) => part === '..' || part.split('\\').includes('..'))) return refuse('path.outside', { path });
  return ok(parts.join('/'));
}

/** What a directory calls `part`: the entry itself, one that differs in normal form, or (where the system says so) in case. */
async function nameOnDisk(dir: string, part: string, strict: boolean): Promise<{ readonly name?: string; readonly rivals: readonly string[] }> {
  const there = (await orMissing(lstat(join(dir, part)))) !== undefined;
  // An exact hit needs no look at the neighbours, unless its name has another normal form or we are about to write.
  if (there && !strict && !FOLDS_CASE && part.normalize('NFD') === part) return { name: part, rivals: [] };
  const names = (await orMissing(readdir(dir))) ?? [];
  const same = names.filter((name) => nfc(name) === part);
  const near = names.filter((name) => nfc(name) !== part && folded(name) === folded(part));
  const name = same.find((one) => one === part) ?? same[0] ?? (there ? near[0] : undefined);
  return { ...(name === undefined ? {} : { name }), rivals: same.length > 1 ? same : near.filter((one) => one !== name) };
}

export function createPaths(root: vscode.Uri): Paths {
  const rootKey = FOLDS_CASE ? folded(root.path) : nfc(root.path);
  let rootReal: Promise<string> | undefined;
  const realRoot = (): Promise<string> => {
    rootReal ??= realpath(root.fsPath).catch((error: unknown) => {
      rootReal = undefined;
      throw error;
    });
    return rootReal;
  };

  const inside = async (real: string): Promise<boolean> => {
    const way = relative(await realRoot(), real);
    if (way === '') return true;
    if (isAbsolute(way)) return false;
    return way.split(sep).every((part) => !part.startsWith('.'));
  };

  return {
    inside,

    async locate(path, fresh) {
      const key = fresh === undefined ? keyFrom(path) : normalisePath(path);
      if (!key.ok) return key;
      const parts = key.value === '' ? [] : key.value.split('/');
      if (parts.some((part) => part.startsWith('.'))) return refuse('path.outside', { path: key.value });
      const names: string[] = [];
      let dir = root.fsPath;
      let real = await realRoot();
      let stats: Stats | undefined = await stat(real);
      for (const [i, part] of parts.entries()) {
        const found: { readonly name?: string; readonly rivals: readonly string[] } =
          stats === undefined ? { rivals: [] } : await nameOnDisk(dir, part, fresh !== undefined);
        const rivals = found.rivals.filter((name) => nfc(name) === part || (fresh !== undefined && !(name === fresh.except && i === parts.length - 1)));
        const twin = rivals.find((name) => name !== found.name);
        if (twin !== undefined) {
          const at = (name: string): string => [...parts.slice(0, i), name].join('/');
          return refuse('path.clash', { path: at(found.name ?? part), other: at(twin) });
        }
        if (fresh !== undefined && stats !== undefined && !stats.isDirectory()) {
          return refuse('path.clash', { path: key.value, other: names.map(nfc).join('/') });
        }
        names.push(found.name ?? part);
        dir = join(dir, found.name ?? part);
        if (found.name === undefined) {
          stats = undefined;
          real = join(real, part);
          continue;
        }
        const resolved = await realOf(dir);
        // A link to nowhere could lead anywhere once something is written through it.
        if (resolved === undefined) return refuse('path.outside', { path: key.value });
        if (!(await inside(resolved))) return refuse('path.outside', { path: key.value });
        real = resolved;
        stats = await orMissing(stat(resolved));
      }
      // A link that is called a chapter must lead to a text, not to a script.
      if (stats?.isFile() === true && isTextName(key.value) && !isTextName(real)) return refuse('path.outside', { path: key.value });
      return ok({ key: names.map(nfc).join('/'), uri: vscode.Uri.joinPath(root, ...names), file: dir, real, stats });
    },

    keyOf(uri) {
      if (uri.scheme !== root.scheme || uri.authority !== root.authority) return undefined;
      const path = FOLDS_CASE ? folded(uri.path) : nfc(uri.path);
      if (!path.startsWith(`${rootKey}/`)) return undefined;
      const key = nfc(uri.path).slice(rootKey.length + 1);
      return key.split('/').some((part) => part === '' || part.startsWith('.')) ? undefined : key;
    },
  };
}

/** Where a link leads; `undefined`: nowhere, or in a circle. */
async function realOf(file: string): Promise<string | undefined> {
  try {
    return await orMissing(realpath(file));
  } catch (error) {
    if (errorCode(error) === 'ELOOP') return undefined;
    throw error;
  }
}

/** Everything below `place`, recursive; entries whose name starts with `.` are left out, links that leave the project too. */
export async function listFiles(
  place: Place,
  paths: Paths,
  warn: (message: string, data: Readonly<Record<string, unknown>>) => void,
): Promise<readonly { readonly path: string; readonly size: number; readonly mtime: number }[]> {
  const files = new Map<string, { readonly path: string; readonly size: number; readonly mtime: number }>();
  const add = (path: string, stats: Stats): void => {
    if (files.has(path)) warn('two names differ in normal form alone', { path });
    else files.set(path, { path, size: stats.size, mtime: stats.mtimeMs });
  };

  const walk = async (dir: string, key: string, above: readonly string[]): Promise<void> => {
    const entries: readonly Dirent[] = (await orMissing(readdir(dir, { withFileTypes: true }))) ?? [];
    await Promise.all(
      entries.map(async (entry) => {
        if (entry.name.startsWith('.')) return;
        const file = join(dir, entry.name);
        const path = key === '' ? nfc(entry.name) : `${key}/${nfc(entry.name)}`;
        const real = entry.isSymbolicLink() ? await realOf(file) : file;
        if (real === undefined || (entry.isSymbolicLink() && !(await paths.inside(real)))) return;
        if (real !== file && isTextName(path) && !isTextName(real)) return;
        const stats = await orMissing(stat(real));
        if (stats?.isFile() === true) add(path, stats);
        // A link to a folder we are already in would never end.
        else if (stats?.isDirectory() === true && !above.includes(real)) await walk(real, path, [...above, real]);
      }),
    );
  };

  if (place.stats?.isDirectory() === true) await walk(place.real, place.key, [place.real]);
  return [...files.values()];
}
