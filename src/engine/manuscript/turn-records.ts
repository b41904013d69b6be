import type { CheckpointRecord } from './checkpoint-log';
import type { TurnRef } from './checkpoints';
import { compareRecords, type LogState } from './log-state';

/** The agent's checkpoints of a turn, each after those it descends from, whatever the clock said; else by (ts, id). */
export function ownRecords(state: LogState, turn: TurnRef): readonly CheckpointRecord[] {
  const own = [...state.records.values()].filter(
    (record) => record.author === 'agent' && record.turn?.sessionId === turn.sessionId && record.turn.userEntryId === turn.userEntryId,
  );
  if (own.length < 2) return own;
  const ids = new Set(own.map(({ id }) => id));
  const older = new Map(own.map((record) => [record.id, ancestorsAmong(state, record, ids)]));
  return own.sort((a, b) => (older.get(a.id) ?? 0) - (older.get(b.id) ?? 0) || compareRecords(a, b));
}

/** How many of `ids` a record descends from. */
function ancestorsAmong(state: LogState, record: CheckpointRecord, ids: ReadonlySet<string>): number {
  const seen = new Set<string>([record.id]);
  const open = [...record.parents];
  let count = 0;
  for (let id = open.pop(); id !== undefined && count < ids.size - 1; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (ids.has(id)) count += 1;
    open.push(...(state.records.get(id)?.parents ?? []));
  }
  return count;
}

/** Whether, at this time or later, the author went back to a state that has the turn's edits: then they stand again, even if they had been taken out. */
export function broughtBack(state: LogState, turn: TurnRef, since: number): boolean {
  const last = ownRecords(state, turn).at(-1);
  if (last === undefined) return false;
  return [...state.records.values()].some(({ restoredFrom, ts }) => restoredFrom !== undefined && ts >= since && descendsFrom(state, restoredFrom, last.id));
}

function descendsFrom(state: LogState, id: string, ancestor: string): boolean {
  const seen = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === ancestor) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(state.records.get(at)?.parents ?? []));
  }
  return false;
}

/** What stood there just before the agent's first checkpoint of a turn: its parent. */
export function stateBefore(state: LogState, turn: TurnRef): CheckpointRecord | undefined {
  const parent = ownRecords(state, turn)[0]?.parents[0];
  return parent === undefined ? undefined : state.records.get(parent);
}
