import type { Result, TurnEvent, TurnInput } from '../engine/index';

/** A turn that another feature started. */
export interface StartedTurn {
  readonly sessionId: string;
  stop(): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

/** The conversation of this window, for features that start a turn in it. What they start is shown in the chat like any other. */
export interface Conversation {
  /**
   * Starts a turn in the conversation that is shown, or in a new one. `watch` hears every event of it. Refuses `session.busy`,
   * `session.read-only`, and what opening the project refuses.
   */
  run(input: TurnInput, watch: (event: TurnEvent) => void): Promise<Result<StartedTurn>>;
  /** A session was written to outside a turn: what is shown of it is read anew. */
  refresh(sessionId: string): Promise<void>;
}
