import type { Result } from '../ports/result';
import type { Session } from '../session/session';
import type { TurnEvent } from './events';

export interface TurnInput {
  readonly text: string;
}

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
}
