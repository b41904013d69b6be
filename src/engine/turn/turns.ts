import type { Result } from '../ports/result';
import type { Passage } from '../session/passage';
import type { Session } from '../session/session';
import type { TurnEvent } from './events';

/** What a turn is to do besides what its words say: the program gives it material and instructions. Kinds that are not known are left out. */
export interface TurnTask {
  readonly kind: string;
}

export interface TurnInput {
  readonly text: string;
  /** The turn is about this place: what it answers is offered (`text/candidates.ts`), and its tools change nothing. */
  readonly passage?: Passage;
  readonly task?: TurnTask;
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
}
