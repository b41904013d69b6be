import type { Documents } from '../ports/documents';
import type { Files, FileStat } from '../ports/files';
import { EngineFailure, ok, refuse, type Result } from '../ports/result';
import type { ProjectRules } from '../project/project';
import { storeFailure } from '../store/failures';
import { mapLimited } from '../store/limited';
import { sha256Hex } from '../text/hash';
import type { Manifest } from './checkpoint-log';
import { isCovered, scannedPath, type CoveredRoot } from './coverage';
import type { NamesOnDisk } from './names-on-disk';
import type { StatCache } from './stat-cache';

const AT_ONCE = 16;

/** The covered files as they stand: open buffers with their unsaved words over what is on disk. */
export interface LiveFiles {
  readonly manifest: Manifest;
  /** Files that would be covered but are over the limit: not in the manifest, never to be overwritten. */
  readonly oversize: ReadonlySet<string>;
  /** Files with a covered name that a link leads to from elsewhere: not in the manifest, and none of ours to change. */
  readonly elsewhere: ReadonlySet<string>;
  /** What other programs wrote into files whose buffers hold unsaved words. */
  readonly beneath: ReadonlyMap<string, Uint8Array>;
  /** Bytes that had to be read for hashing. */
  readonly loaded: ReadonlyMap<string, Uint8Array>;
  /** The bytes of a path of the manifest, read again when they were not loaded. */
  read(path: string): Promise<Uint8Array | undefined>;
}

export interface ScanOptions {
  /** The file system's own time, taken before the scan began, in ns. */
  readonly at: bigint | undefined;
  /** Hash everything, whatever it looks like. */
  readonly thorough?: boolean;
}

export interface Scanner {
  /** Refuses `path.clash` (two names equal but for their normal form). Rejects with `EngineFailure` when a file cannot be read. */
  scan(options: ScanOptions): Promise<Result<LiveFiles>>;
}

interface Found {
  /** NFC. */
  readonly path: string;
  /** As the name is on disk. */
  readonly onDisk: string;
  readonly stat: FileStat;
}

export function createScanner(deps: {
  readonly files: Files;
  readonly documents: Documents;
  readonly rules: ProjectRules;
  readonly stats: StatCache;
  readonly names: NamesOnDisk;
}): Scanner {
  const { files, documents, rules, stats, names } = deps;

  /** A link that leads out of the project, or nowhere, is no file of it. */
  const inside = async <T>(path: string, look: (path: string) => Promise<T>): Promise<T | undefined> => {
    try {
      return await look(path);
    } catch (error) {
      const { error: failed } = storeFailure(error, path, 'reading');
      if (failed.code === 'path.outside' || failed.args?.['errno'] === 'ELOOP') return undefined;
      throw new EngineFailure(failed);
    }
  };

  /** The folder by its names on disk, which may be of another normal form; several where there are twins. */
  const foldersOf = async (root: string): Promise<readonly string[]> => {
    if (root.normalize('NFD') === root) return [root];
    let found: readonly string[] = [''];
    for (const part of root.split('/')) {
      const next: string[] = [];
      for (const folder of found) {
        for (const { name, kind } of await files.list(folder === '' ? '.' : folder)) {
          if (kind === 'directory' && name.normalize('NFC') === part) next.push(folder === '' ? name : `${folder}/${name}`);
        }
      }
      found = next;
    }
    return found;
  };

  const coveredFiles = async (elsewhere: Set<string>): Promise<readonly Found[]> => {
    const found: Found[] = [];
    for (const path of rules.files) {
      const stat = await inside(path, files.stat);
      if (stat?.kind === 'file') found.push({ path, onDisk: path, stat });
    }
    for (const root of rules.roots) {
      for (const folder of await foldersOf(root)) {
        const place: CoveredRoot = { path: folder, real: (await inside(folder, files.real)) ?? folder };
        for (const { path: onDisk, stat, real } of (await inside(folder, files.tree)) ?? []) {
          if (!rules.covered(onDisk)) continue;
          const path = onDisk.normalize('NFC');
          if (isCovered(rules, place, onDisk, real)) found.push({ path, onDisk, stat });
          else elsewhere.add(path);
        }
      }
    }
    return found;
  };

  return {
    async scan({ at, thorough = false }) {
      await stats.load();
      const elsewhere = new Set<string>();
      const found = await coveredFiles(elsewhere);
      const places = new Map<string, string>();
      for (const { path, onDisk } of found) {
        const other = places.get(path);
        if (other !== undefined) return refuse('path.clash', { path: onDisk, other });
        places.set(path, onDisk);
      }
      const shas = new Map<string, string>();
      const oversize = new Set<string>();
      const loaded = new Map<string, Uint8Array>();
      const overlay = new Set<string>();
      const beneath = new Map<string, Uint8Array>();
      for (const given of documents.dirty()) {
        const asked = given.normalize('NFC');
        const path = places.has(asked) ? asked : await scannedPath(names, rules, asked);
        if (!rules.covered(path) || elsewhere.has(path)) continue;
        const bytes = await inside(path, (at) => documents.bytes(at));
        if (bytes === undefined) continue;
        overlay.add(path);
        if (bytes.length > rules.maxBytes) {
          oversize.add(path);
          continue;
        }
        shas.set(path, sha256Hex(bytes));
        loaded.set(path, bytes);
        const under = await inside(path, (at) => documents.beneath(at));
        if (under !== undefined && under.length <= rules.maxBytes) beneath.set(path, under);
      }
      const unknown = found.filter(({ path, stat }) => {
        if (overlay.has(path)) return false;
        if (stat.size > rules.maxBytes) {
          oversize.add(path);
          return false;
        }
        const known = thorough ? undefined : stats.sha(path, stat);
        if (known !== undefined) shas.set(path, known);
        return known === undefined;
      });
      await mapLimited(unknown, AT_ONCE, async ({ path, onDisk, stat }) => {
        const bytes = await files.read(onDisk);
        if (bytes === undefined) return;
        const sha = sha256Hex(bytes);
        shas.set(path, sha);
        loaded.set(path, bytes);
        // A file that grew while it was read is looked at again next time.
        if (bytes.length === stat.size) stats.note(path, stat, sha, at);
      });
      stats.keepOnly(new Set(places.keys()));
      return ok({
        manifest: new Map([...shas].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))),
        oversize,
        beneath,
        elsewhere,
        loaded,
        read: async (path) => {
          const bytes = loaded.get(path);
          if (bytes !== undefined) return bytes;
          const onDisk = places.get(path);
          return onDisk === undefined ? undefined : files.read(onDisk);
        },
      });
    },
  };
}
