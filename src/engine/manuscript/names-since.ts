import type { CheckpointRecord } from './checkpoint-log';
import type { LogState } from './log-state';
import { ownRecords } from './turn-records';
import type { TurnRef } from './checkpoints';

type Pairs = readonly (readonly [from: string, to: string])[];

/**
 * Where a file stands now that had a name when the agent's edits of a turn were over, by what the checkpoints since then say of renames. Going back to
 * a whole state takes the renames since that state back.
 */
export function namesSince(state: LogState, turn: TurnRef): (path: string) => string {
  const last = ownRecords(state, turn).at(-1);
  const renames: Pairs[] = [];
  const until = new Map<string, number>(last === undefined ? [] : [[last.id, 0]]);
  for (const record of last === undefined ? [] : lineFrom(state, last)) {
    const back = record.restoredFrom === undefined ? undefined : state.records.get(record.restoredFrom);
    const length = back !== undefined && back.tree === record.tree ? until.get(back.id) : undefined;
    if (length === undefined) renames.push(record.moved ?? record.changed.renamed);
    else renames.length = length;
    until.set(record.id, renames.length);
  }
  return (path) => renames.reduce((name, pairs) => pairs.find(([from]) => from === name)?.[1] ?? name, path);
}

/** The checkpoints after this one up to the newest that descends from it, oldest first; none when lines have been joined in between. */
function lineFrom(state: LogState, first: CheckpointRecord): readonly CheckpointRecord[] {
  const line: CheckpointRecord[] = [];
  const seen = new Set<string>();
  let at: CheckpointRecord | undefined = [...state.tips].map((id) => state.records.get(id)).sort((a, b) => (b?.ts ?? 0) - (a?.ts ?? 0))[0];
  while (at !== undefined && at.id !== first.id && !seen.has(at.id)) {
    seen.add(at.id);
    line.push(at);
    at = state.records.get(at.parents[0] ?? '');
  }
  return at?.id === first.id ? line.reverse() : [];
}
