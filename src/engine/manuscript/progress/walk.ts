import { isChapter } from '../chapters';
import type { CheckpointRecord, Manifest } from '../checkpoint-log';
import { compareRecords } from '../log-state';
import { applyDelta, deltaOf, manifestOf } from '../manifest';

/** A chapter that a checkpoint changed, by the hashes of its bytes; `null`: it was, or is, not there. */
export interface ChangedText {
  readonly before: string | null;
  readonly after: string | null;
}

/** The records of `ids` in an order in which parents come first; else by (ts, id). */
export function inOrder(records: ReadonlyMap<string, CheckpointRecord>, ids: Iterable<string>): readonly CheckpointRecord[] {
  const wanted = new Set(ids);
  const done = new Set<string>();
  const ordered: CheckpointRecord[] = [];
  const sorted = [...wanted].flatMap((id) => records.get(id) ?? []).sort(compareRecords);
  for (const first of sorted) {
    const open: { readonly record: CheckpointRecord; entered: boolean }[] = [{ record: first, entered: false }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { record } = top;
      if (top.entered || done.has(record.id)) {
        open.pop();
        if (!done.has(record.id)) ordered.push(record);
        done.add(record.id);
        continue;
      }
      top.entered = true;
      for (const id of record.parents) {
        const parent = wanted.has(id) && !done.has(id) ? records.get(id) : undefined;
        // A damaged log may hold a circle.
        if (parent !== undefined && !open.some((one) => one.record.id === id)) open.push({ record: parent, entered: false });
      }
    }
  }
  return ordered;
}

/** Folds manifests of records, the next one from the last where it is its child. What does not fold is `undefined`. */
export interface Folder {
  manifest(id: string): Manifest | undefined;
  /** Of a record against its first parent, all files; `undefined` where either does not fold. */
  delta(record: CheckpointRecord): Readonly<Record<string, string | null>> | undefined;
}

export function createFolder(records: ReadonlyMap<string, CheckpointRecord>): Folder {
  let last: { readonly id: string; readonly manifest: Manifest } | undefined;

  const manifest = (id: string): Manifest | undefined => {
    const chain: CheckpointRecord[] = [];
    const seen = new Set<string>();
    let at: string | undefined = id;
    let base: Manifest | undefined;
    while (base === undefined) {
      const record: CheckpointRecord | undefined = at === undefined || seen.has(at) ? undefined : records.get(at);
      if (record === undefined) return undefined;
      seen.add(record.id);
      if (last?.id === record.id) base = last.manifest;
      else if (record.files !== undefined) base = manifestOf(record.files);
      else {
        chain.push(record);
        at = record.parents[0];
      }
    }
    for (const record of chain.reverse()) base = applyDelta(base, record.delta ?? {});
    last = { id, manifest: base };
    return base;
  };

  return {
    manifest,
    delta(record) {
      if (record.files === undefined) return record.delta;
      const parent = record.parents[0];
      const before = parent === undefined ? new Map<string, string>() : manifest(parent);
      return before === undefined ? undefined : deltaOf(before, manifestOf(record.files));
    },
  };
}

/**
 * The chapters among changed files, each file that was renamed as one change; a file whose bytes only changed their name is none.
 * `before`: hashes of what was there.
 */
export function changedChapters(
  delta: Readonly<Record<string, string | null>>,
  before: Manifest,
  renamed: readonly (readonly [string, string])[],
  folder: string,
): { readonly edited: readonly ChangedText[]; readonly added: readonly ChangedText[] } {
  const now = new Map(Object.entries(delta).filter(([path]) => isChapter(path, folder)));
  const edited: ChangedText[] = [];
  const pairUp = (from: string, to: string): void => {
    edited.push({ before: before.get(from) ?? null, after: now.get(to) ?? null });
    now.delete(from);
    now.delete(to);
  };
  for (const [from, to] of renamed) if (now.get(from) === null && typeof now.get(to) === 'string' && !before.has(to)) pairUp(from, to);
  const added: ChangedText[] = [];
  for (const [path, after] of now) {
    const was = before.get(path) ?? null;
    (was === null && after !== null ? added : edited).push({ before: was, after });
  }
  return { edited: edited.filter((one) => one.before !== one.after), added };
}
