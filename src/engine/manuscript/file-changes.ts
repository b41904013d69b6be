import { ok, type Result } from '../ports/result';
import type { ObjectStore } from '../store/objects';
import { countWords } from '../text/count-words';
import { countChange } from '../text/diff';
import { decodeBytes } from '../text/encoding';
import { sha256Hex } from '../text/hash';
import type { Changed, Manifest } from './checkpoint-log';
import type { FileChange } from './checkpoints';
import { findRenames, type RenamePair } from './renames';

/** One side of a comparison: which files, and how to get at bytes that are not in the store yet. */
export interface Side {
  readonly manifest: Manifest;
  /** Files that were read just now, so that they may be other than before although their hash is the same. */
  readonly loaded?: ReadonlyMap<string, unknown>;
  read?(path: string): Promise<Uint8Array | undefined>;
}

export interface Comparer {
  /** Which paths differ, renames found; sorted by path. */
  changed(before: Side, after: Side, known?: readonly RenamePair[]): Promise<Result<Changed>>;
  /** The same with 字 added and removed. Refuses `object.missing`, `object.corrupt`. */
  changes(before: Side, after: Side, known?: readonly RenamePair[]): Promise<Result<readonly FileChange[]>>;
}

const keptTexts = 64;
const keptCounts = 4_096;

export function createComparer({ objects }: { readonly objects: ObjectStore }): Comparer {
  const texts = new Map<string, string | undefined>();
  const counts = new Map<string, { readonly added: number; readonly removed: number }>();

  /** `undefined`: not a text. */
  const textOf = async (side: Side, path: string, sha: string): Promise<Result<string | undefined>> => {
    if (texts.has(sha)) return ok(texts.get(sha));
    let bytes = await side.read?.(path);
    // A file that has changed since it was looked at is not what is asked for.
    if (bytes === undefined || sha256Hex(bytes) !== sha) {
      const stored = await objects.get(sha);
      if (!stored.ok) return { ok: false, error: { ...stored.error, args: { ...stored.error.args, path } } };
      bytes = stored.value;
    }
    const decoded = decodeBytes(bytes);
    bound(texts, keptTexts);
    texts.set(sha, decoded.ok ? decoded.value.text : undefined);
    return ok(decoded.ok ? decoded.value.text : undefined);
  };

  const paired = async (before: Side, after: Side, known: readonly RenamePair[]): Promise<{ changed: Changed; renames: RenamePair[] }> => {
    const added: string[] = [];
    const modified: string[] = [];
    const removed: string[] = [];
    for (const [path, sha] of after.manifest) {
      const old = before.manifest.get(path);
      if (old === undefined) added.push(path);
      else if (old !== sha) modified.push(path);
    }
    for (const path of before.manifest.keys()) if (!after.manifest.has(path)) removed.push(path);
    const moved = (side: Side, paths: readonly string[]): { path: string; sha: string }[] =>
      paths.map((path) => ({ path, sha: side.manifest.get(path) ?? '' }));
    const renames =
      added.length === 0 || removed.length === 0
        ? []
        : await findRenames(
            moved(before, removed),
            moved(after, added),
            async ({ path, sha }) => {
              const text = await textOf(before.manifest.get(path) === sha ? before : after, path, sha);
              // What cannot be read is like nothing; whoever asks for its bytes is told.
              return text.ok ? text.value : undefined;
            },
            known,
          );
    const from = new Set(renames.map(([old]) => old));
    const to = new Set(renames.map(([, path]) => path));
    return {
      renames,
      changed: {
        added: added.filter((path) => !to.has(path)).sort(),
        modified: modified.sort(),
        renamed: renames.map(([old, path]) => [old, path]),
        removed: removed.filter((path) => !from.has(path)).sort(),
      },
    };
  };

  const counted = async (before: Side, after: Side, oldPath: string | undefined, newPath: string | undefined): Promise<Result<{ added: number; removed: number }>> => {
    const oldSha = oldPath === undefined ? undefined : before.manifest.get(oldPath);
    const newSha = newPath === undefined ? undefined : after.manifest.get(newPath);
    if (oldSha === newSha) return ok({ added: 0, removed: 0 });
    const key = `${oldSha ?? ''} ${newSha ?? ''}`;
    const known = counts.get(key);
    if (known !== undefined) return ok(known);
    const old = oldSha === undefined || oldPath === undefined ? ok('') : await textOf(before, oldPath, oldSha);
    if (!old.ok) return old;
    const now = newSha === undefined || newPath === undefined ? ok('') : await textOf(after, newPath, newSha);
    if (!now.ok) return now;
    const count =
      old.value === undefined || now.value === undefined
        ? { added: now.value === undefined ? 0 : countWords(now.value), removed: old.value === undefined ? 0 : countWords(old.value) }
        : countChange(old.value, now.value);
    bound(counts, keptCounts);
    counts.set(key, count);
    return ok(count);
  };

  return {
    changed: async (before, after, known = []) => ok((await paired(before, after, known)).changed),
    async changes(before, after, known = []) {
      const { changed, renames } = await paired(before, after, known);
      const found: FileChange[] = [];
      const rows = [
        ...changed.added.map((path) => ({ old: undefined, path })),
        ...changed.modified.map((path) => ({ old: path, path })),
        ...renames.map(([old, path]) => ({ old, path })),
        ...changed.removed.map((path) => ({ old: path, path: undefined })),
      ];
      for (const { old, path } of rows) {
        const count = await counted(before, after, old, path);
        if (!count.ok) return count;
        found.push({
          path: path ?? old ?? '',
          ...(old !== undefined && path !== undefined && old !== path ? { from: old } : {}),
          before: old === undefined ? null : (before.manifest.get(old) ?? null),
          after: path === undefined ? null : (after.manifest.get(path) ?? null),
          ...count.value,
        });
      }
      return ok(found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)));
    },
  };
}

function bound(map: Map<string, unknown>, limit: number): void {
  if (map.size >= limit) map.delete(map.keys().next().value as string);
}
