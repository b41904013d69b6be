import type { CheckpointRecord } from './checkpoint-log';
import type { TurnRef } from './checkpoints';
import { compareRecords, type LogState } from './log-state';

/** The agent's checkpoints of a turn, oldest first. */
export function ownRecords(state: LogState, turn: TurnRef): readonly CheckpointRecord[] {
  return [...state.records.values()]
    .filter(
      (record) =>
        record.author === 'agent' && record.turn?.sessionId === turn.sessionId && record.turn.userEntryId === turn.userEntryId,
    )
    .sort(compareRecords);
}

/** What stood there just before the agent's first checkpoint of a turn: its parent. */
export function stateBefore(state: LogState, turn: TurnRef): CheckpointRecord | undefined {
  const parent = ownRecords(state, turn)[0]?.parents[0];
  return parent === undefined ? undefined : state.records.get(parent);
}
