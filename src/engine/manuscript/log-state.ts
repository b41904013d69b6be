import { isNewerLine, type CheckpointRecord, type LogLine } from './checkpoint-log';
import type { TurnRef } from './checkpoints';
import { foldMark, type MarkState } from './marks';

export type RestoreLine = Extract<LogLine, { type: 'restore' }>;

/** What the lines of a checkpoint log come to. Grows line by line, in file order, which is not the order of cause. */
export interface LogState {
  /** Records by id; with a state taken from the cache, only the newer ones. */
  readonly records: Map<string, CheckpointRecord>;
  /** Ids that are nobody's parent. */
  readonly tips: Set<string>;
  /** Ids named as a parent so far, for lines that stand before their children. */
  readonly parents: Set<string>;
  readonly pruned: Set<string>;
  readonly marks: Map<string, MarkState>;
  /** Turns that have announced edits which no agent checkpoint has credited yet. */
  readonly intents: Map<string, TurnRef>;
  /** Restores that were begun and not ended. */
  readonly restores: Map<string, RestoreLine>;
  /** Restores that were ended. */
  readonly ended: Set<string>;
  /** A restore that was carried out and whose result is not recorded yet. */
  unrecorded: RestoreLine | undefined;
  /** A line of a newer version was seen: nothing may be written. */
  newer: boolean;
}

export const turnKey = (turn: TurnRef): string => `${turn.sessionId}/${turn.userEntryId}`;

export function emptyState(): LogState {
  return {
    records: new Map(),
    tips: new Set(),
    parents: new Set(),
    pruned: new Set(),
    marks: new Map(),
    intents: new Map(),
    restores: new Map(),
    ended: new Set(),
    unrecorded: undefined,
    newer: false,
  };
}

export function addLine(state: LogState, line: LogLine): void {
  if (isNewerLine(line)) state.newer = true;
  switch (line.type) {
    case 'checkpoint':
      addRecord(state, line);
      break;
    case 'mark':
      state.marks.set(line.target, foldMark(state.marks.get(line.target), line));
      break;
    case 'prune':
      for (const id of line.ids) state.pruned.add(id);
      break;
    case 'intent':
      state.intents.set(turnKey(line.turn), line.turn);
      break;
    case 'restore':
      if (!state.ended.has(line.id)) state.restores.set(line.id, line);
      break;
    case 'restored': {
      const restore = state.restores.get(line.of);
      state.restores.delete(line.of);
      state.ended.add(line.of);
      if (line.outcome === 'done' && restore !== undefined) state.unrecorded = restore;
      // Ended both ways: its end was written, but nobody was told, so it was taken back.
      if (line.outcome === 'undone' && state.unrecorded?.id === line.of) state.unrecorded = undefined;
      break;
    }
  }
}

function addRecord(state: LogState, record: CheckpointRecord): void {
  // The same line twice, as after a merge of two copies.
  if (state.records.has(record.id)) return;
  state.records.set(record.id, record);
  if (!state.parents.has(record.id)) state.tips.add(record.id);
  for (const parent of record.parents) {
    state.parents.add(parent);
    state.tips.delete(parent);
  }
  if (record.author === 'agent' && record.turn !== undefined) state.intents.delete(turnKey(record.turn));
  if (record.restoredFrom !== undefined) state.unrecorded = undefined;
}

/** Greatest (ts, id) of the given records. */
export function newestOf(records: Iterable<CheckpointRecord>): CheckpointRecord | undefined {
  let newest: CheckpointRecord | undefined;
  for (const record of records) if (newest === undefined || compareRecords(record, newest) > 0) newest = record;
  return newest;
}

/** By (ts, id), oldest first. */
export function compareRecords(a: CheckpointRecord, b: CheckpointRecord): number {
  return a.ts - b.ts || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
