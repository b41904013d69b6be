import type { CheckpointRecord } from './checkpoint-log';
import { compareRecords, turnKey, type LogState } from './log-state';
import { markOf } from './marks';

export const DAY_MS = 24 * 3_600_000;
/** Checkpoints younger than this, and this many of the newest, always stay. */
const KEPT_DAYS = 30;
const KEPT_NEWEST = 50;
/** An object younger than this is never removed: somebody may be about to name it. */
export const SWEPT_AFTER_MS = 30 * DAY_MS;

/**
 * The checkpoints that a clean-up may hide: old ones that nobody has pinned or named. Kept are also the tips, what an unfinished
 * restore needs, the other checkpoints of a kept one's turn, and the parents of all these, so that what they changed can still be
 * shown and taken back. Pruned already: not among them. Newest first. `state` holds all lines; `needed`: what something on this machine
 * offers to go back to.
 */
export function removable(state: LogState, now: number, needed: ReadonlySet<string> = new Set()): readonly CheckpointRecord[] {
  const shown = [...state.records.values()].filter(({ id }) => !state.pruned.has(id)).sort((a, b) => compareRecords(b, a));
  const kept = new Set<string>([...state.tips, ...needed]);
  for (const [at, { id, ts }] of shown.entries()) {
    if (at < KEPT_NEWEST || now - ts < KEPT_DAYS * DAY_MS || markOf(state.marks.get(id)) !== undefined) kept.add(id);
  }
  for (const { target, pre } of [...state.restores.values(), ...(state.unrecorded === undefined ? [] : [state.unrecorded])]) kept.add(target).add(pre);
  const ofTurn = new Map<string, string[]>();
  for (const { id, turn } of shown) {
    if (turn === undefined) continue;
    const key = turnKey(turn);
    const others = ofTurn.get(key);
    if (others === undefined) ofTurn.set(key, [id]);
    else others.push(id);
  }
  for (const id of [...kept]) {
    const turn = state.records.get(id)?.turn;
    for (const other of turn === undefined ? [] : (ofTurn.get(turnKey(turn)) ?? [])) kept.add(other);
  }
  for (const id of [...kept]) for (const parent of state.records.get(id)?.parents ?? []) kept.add(parent);
  return shown.filter(({ id }) => !kept.has(id));
}
