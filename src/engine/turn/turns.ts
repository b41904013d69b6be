import type { Result } from '../ports/result';
import type { Passage } from '../session/passage';
import type { Session } from '../session/session';
import type { TurnEvent } from './events';
import type { NewWords, QueuedWords, WordQueue } from './word-queue';

/** What a turn is to do besides what its words say: the program gives it material and instructions. Kinds that are not known are left out. */
export interface TurnTask {
  readonly kind: string;
  /** Of `job-chapter`: the one chapter the turn may change. */
  readonly path?: string;
}

/** What may go along with the words of a turn. */
export interface TurnExtras {
  /** The turn is about this place: what it answers is offered (`text/candidates.ts`), and its tools change nothing. */
  readonly passage?: Passage;
  readonly task?: TurnTask;
}

/** What a turn begins with: words, or those of the queue with this id (a turn without any ends at once, stopped, when they are gone). */
export type TurnInput = (NewWords & TurnExtras) | { readonly queued: string };

/** A last turn without its `end`. */
export interface Interrupted {
  readonly turnId: string;
  readonly text: string;
  /** What had streamed in when the host went away, if anything. */
  readonly partial?: { readonly text: string; readonly reasoning: string };
  /** Set when the turn was waiting for this question: it is asked again on `continue`. */
  readonly pendingAsk?: { readonly callId: string; readonly question: string; readonly options: readonly string[] };
}

/** Turns of agent sessions. At most one runs per session; a second start is an `ended` event with `session.busy`. */
export interface Turns {
  /** Never rejects: failures are events; the last event is always `ended`. */
  run(session: Session, input: TurnInput, signal: AbortSignal): AsyncIterable<TurnEvent>;
  /** Words that wait for the end of a turn, or steer it. */
  readonly queue: WordQueue;
  /**
   * Words for the turn that runs: said to the model after the tools under way. Those that do not come to it, since the turn ends before, wait
   * at the front of the queue; so does everything where no turn runs. Refuses what the queue refuses.
   */
  steer(session: Session, words: NewWords): Promise<Result<readonly QueuedWords[]>>;
  /** Ends the wait before another try (`retry`). Nothing happens where none is waited for. */
  retryNow(sessionId: string): void;
  /** True from `run` until `ended`. */
  busy(sessionId: string): boolean;
  interrupted(session: Session): Promise<Interrupted | undefined>;
  /** Goes on with an interrupted turn: the same messages, calls without a result answered as interrupted, a pending question asked again. */
  resume(session: Session, signal: AbortSignal): AsyncIterable<TurnEvent>;
  /** Closes an interrupted turn as it stands (`end` `interrupted`); its edits become the agent's checkpoint. */
  settle(session: Session): Promise<Result<void>>;
  /**
   * Summarises the earlier turns by hand: about half of them, more when they are long; the last one never. Events as of a turn, none of a
   * reply; `ended` with `summary.nothing`, `summary.turn-open`, `session.busy` or what models refuse leaves the branch as it was.
   */
  compact(session: Session, signal: AbortSignal): AsyncIterable<TurnEvent>;
  /**
   * Takes a summary of this branch out of use, or back into it: the turns it covers are sent whole again, or not. Nothing is lost either
   * way. Refuses `session.unknown-entry`, `summary.turn-open`, `session.busy`, `session.read-only`.
   */
  useSummary(session: Session, summaryId: string, use: boolean): Promise<Result<void>>;
  /**
   * The summary in force in the author's words: a new entry for the same turns; the old one stays, and is in force again when the new one is
   * taken out of use. Refuses `summary.nothing` for blank words, and for a summary that is not in force `session.unknown-entry`; else as `useSummary`.
   */
  rewriteSummary(session: Session, summaryId: string, text: string): Promise<Result<void>>;
}
