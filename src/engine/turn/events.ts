import type { EngineError } from '../ports/result';
import type { Usage } from '../ports/models';
import type { OverBudgetAnswer } from '../ports/ui';
import type { Entry } from '../session/entries';
import type { CheckpointRecord } from '../manuscript/checkpoint-log';
import type { FileChange } from '../manuscript/checkpoints';
import type { ProposalRow } from '../review/review';

export type TurnStatus = 'done' | 'stopped' | 'error';

/** 「本轮改动」: what the agent changed in this turn, between two checkpoints. */
export interface TurnChanges {
  readonly turnId: string;
  /** State before the turn's edits. */
  readonly from: string;
  /** State after. */
  readonly to: string;
  readonly files: readonly FileChange[];
}

/**
 * The one union that drives every UI. `turnId` is the id of the turn's `user` entry. Deltas belong to the model call
 * (`round`, from 1) they were streamed in; an `entry` event carries what has been written to the log and replaces them.
 */
export type TurnEvent =
  | { readonly type: 'started'; readonly turnId: string; readonly sessionId: string; readonly model: string; readonly rehearsal: boolean }
  | { readonly type: 'phase'; readonly phase: 'preparing' | 'compacting' | 'generating' | 'tools' | 'waiting' | 'finalising' | 'side' }
  | { readonly type: 'text'; readonly round: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly round: number; readonly text: string }
  /** What came as text in this round was thinking, which only its end has told. */
  | { readonly type: 'textWasReasoning'; readonly round: number }
  | { readonly type: 'toolStart'; readonly round: number; readonly callId: string; readonly name: string }
  /** What can already be read of a call whose arguments are still streaming: `write`'s path, and what is new of its content. */
  | { readonly type: 'toolPreview'; readonly callId: string; readonly path: string; readonly contentDelta: string }
  | { readonly type: 'toolRun'; readonly callId: string; readonly name: string; readonly args: unknown }
  | { readonly type: 'toolDone'; readonly callId: string; readonly name: string; readonly ok: boolean; readonly result: string }
  | { readonly type: 'ask'; readonly callId: string; readonly question: string; readonly options: readonly string[] }
  /** The agent may not do this alone. `change`: what it would do to the file, in short lines with `−` and `+`. */
  | { readonly type: 'confirm'; readonly askId: string; readonly path: string; readonly change: string }
  | { readonly type: 'confirmed'; readonly askId: string; readonly agreed: boolean }
  /** The call would go over the limit of the day, which `error` tells: the turn waits for the person's answer. */
  | { readonly type: 'overBudget'; readonly askId: string; readonly error: EngineError }
  | { readonly type: 'overBudgetAnswered'; readonly askId: string; readonly answer: OverBudgetAnswer }
  /** Queued words, by id, were put into this turn; their entries came just before. */
  | { readonly type: 'steered'; readonly ids: readonly string[] }
  | { readonly type: 'entry'; readonly entry: Entry }
  | { readonly type: 'usage'; readonly round: number; readonly usage: Usage }
  /** Nothing of an answer has come; it is asked for again after `afterMs`, at `until` (ms since the epoch), or when `Turns.retryNow` says so. */
  | { readonly type: 'retry'; readonly error: EngineError; readonly afterMs: number; readonly until: number; readonly attempt: number }
  | { readonly type: 'checkpoint'; readonly record: CheckpointRecord }
  | { readonly type: 'changes'; readonly changes: TurnChanges }
  /** 「本轮提议」: what this turn would change, in review mode. */
  | { readonly type: 'proposals'; readonly turnId: string; readonly files: readonly ProposalRow[] }
  | { readonly type: 'notice'; readonly error: EngineError }
  | { readonly type: 'ended'; readonly turnId: string | undefined; readonly status: TurnStatus; readonly error?: EngineError };
