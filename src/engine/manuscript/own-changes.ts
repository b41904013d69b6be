import { ok, refuse, type Result } from '../ports/result';
import type { CheckpointRoom } from './checkpoint-room';
import type { FileChange } from './checkpoints';
import type { RenamePair } from './renames';

/** What a checkpoint changed against the nearest one before it that has not been pruned. See `Checkpoints.changesOf`. */
export async function changesOf(room: CheckpointRoom, id: string): Promise<Result<readonly FileChange[]>> {
  const { history, comparer } = room;
  const all = await history.all();
  if (!all.ok) return all;
  const { records, pruned } = all.value;
  const record = records.get(id);
  if (record === undefined) return refuse('checkpoint.not-found', { id });
  let known: readonly RenamePair[] = record.changed.renamed;
  let before = record.parents[0];
  for (const seen = new Set<string>(); before !== undefined && pruned.has(before) && !seen.has(before); ) {
    seen.add(before);
    known = joined(records.get(before)?.changed.renamed ?? [], known);
    before = records.get(before)?.parents[0];
  }
  const after = await history.manifest(id);
  if (!after.ok) return after;
  const from = before === undefined ? ok(new Map<string, string>()) : await history.manifest(before);
  return from.ok ? comparer.changes({ manifest: from.value }, { manifest: after.value }, known) : from;
}

/** The renames of two steps as one. */
function joined(first: readonly RenamePair[], then: readonly RenamePair[]): readonly RenamePair[] {
  const onward = new Map(then);
  const arrived = new Set(first.map(([, to]) => to));
  return [...first.map(([from, to]): RenamePair => [from, onward.get(to) ?? to]), ...then.filter(([from]) => !arrived.has(from))];
}
