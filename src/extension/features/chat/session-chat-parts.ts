import type { Engine, FileChange, GoBackPlan, Log, Mention, NewWords, Result, Session, TurnEvent, TurnInput, TurnTask } from '../../../engine/index';
import type { ChatDelta, ChatItem, ChatStatus, QueueAct, QueuedRow } from '../../../protocol/chat';
import type { Translate } from '../../l10n/translate';

export type Phase = ChatStatus['phase'];

/** One open session as it is shown, and the turn that may be running in it. Lives on while another session is shown. */
export interface SessionChat {
  readonly session: Session;
  items(): readonly ChatItem[];
  phase(): Phase;
  usage(): ChatStatus['usage'];
  /** Of the newest turn, in words. */
  turnCost(): string | undefined;
  running(): boolean;
  /** Reads the branch anew: after opening, a restore, an undo. */
  reload(): Promise<void>;
  /** False when a turn is running. True when the turn has been started, not when it has ended. */
  send(text: string, mentions?: readonly Mention[], task?: TurnTask): boolean;
  /** The same for whoever wants to hear what comes of it. */
  run(input: TurnInput, watch: (event: TurnEvent) => void): boolean;
  /** Words for when the turn has ended, or with `steer` for the one that runs. */
  enqueue(words: NewWords, steer: boolean): Promise<Result<void>>;
  /** Words that wait, in order. Those in front are sent by themselves when a turn has ended well, and never after a stop or an error. */
  queue(): readonly QueuedRow[];
  /** What the user does with words that wait. */
  queueAct(act: QueueAct): Promise<Result<void>>;
  /** No row of the queue is being changed: a view that comes up anew knows nothing of it. */
  leaveQueue(): void;
  stop(): void;
  /** Does not wait any longer before the model is asked again. */
  retryNow(): void;
  /** Goes on with, closes, takes back or repeats an interrupted turn. Words to put into the box, after an undo. */
  resume(how: 'continue' | 'retry' | 'undo' | 'keep'): Promise<Result<{ readonly words: string; readonly mentions: readonly Mention[] } | undefined>>;
  /** Takes back a turn's edits; the conversation goes to before it. */
  undo(turnId: string): Promise<Result<{ readonly words: string; readonly mentions: readonly Mention[]; readonly conflicts: readonly { readonly path: string; readonly quote: string }[] }>>;
  /** Summarises the earlier turns. Resolves when that has ended; what it refuses stands in the conversation too. */
  compact(): Promise<Result<void>>;
  /** Takes a summary out of use, or back into it. */
  useSummary(id: string, use: boolean): Promise<Result<void>>;
  /** The summary in force in other words. */
  rewriteSummary(id: string, text: string): Promise<Result<void>>;
  /** Runs the last turn once more. */
  retryLast(): Promise<Result<void>>;
  /** What saying a turn again would touch first. */
  planAgain(turnId: string): Promise<Result<GoBackPlan>>;
  /** Says a turn again, in the same words or in others, after going back to before it. Resolves when the new turn has been started. */
  runAgain(turnId: string, how: 'files-and-conversation' | 'conversation', text?: string): Promise<Result<void>>;
  /** Shows the next or the previous of the turns that begin where this one does. At either end nothing happens. */
  switchTurn(turnId: string, step: 1 | -1): Promise<Result<void>>;
  /** Turns of the branch after this one. */
  turnsAfter(turnId: string): number;
  changesOf(turnId: string): Promise<Result<readonly FileChange[]>>;
  /** Resolves when no turn is running. */
  idle(): Promise<void>;
}

export interface SessionChatDeps {
  readonly engine: Engine;
  readonly session: Session;
  readonly log: Log;
  readonly t: Translate;
  /** Tokens the model's window holds, as far as it is known. */
  readonly window: () => number;
  /** The model's service has refused tools. */
  readonly toolsRefused: () => boolean;
  /** True once in the life of a window, for the first turn with the rehearsal model. */
  readonly firstRehearsal: () => boolean;
  readonly onDeltas: (deltas: readonly ChatDelta[]) => void;
  /** Phase or usage changed. */
  readonly onStatus: () => void;
  /** All items were read anew. */
  readonly onReset: () => void;
  /** The session can only be read from now on. */
  readonly onReadOnly: () => void;
  readonly onCheckpoint: () => void;
  readonly onEnded: () => void;
}
