import type { Clock } from './ports/clock';
import type { Documents } from './ports/documents';
import type { Files, LockHolder } from './ports/files';
import type { Ids } from './ports/ids';
import type { Log } from './ports/log';
import type { Models } from './ports/models';
import type { AcceptedPassage, Offer } from './passage';
import type { Result } from './ports/result';
import type { Passage } from './session/passage';
import type { Ui } from './ports/ui';
import type { Checkpoints, CleanUpOutcome, RestoreOutcome, TurnRef, UndoOutcome } from './manuscript/checkpoints';
import type { Progress } from './manuscript/progress/progress';
import type { Arrange } from './manuscript/arrange';
import type { Manuscript } from './manuscript/manuscript';
import type { Diagnosis } from './diagnosis';
import type { Project } from './project/project';
import type { Session, Sessions } from './session/session';
import type { ObjectStore } from './store/objects';
import type { Review } from './review/review';
import type { Turns } from './turn/turns';
import type { TraceLine } from './prompt/trace-schema';
import type { ModelMessage } from './ports/models';

export interface EnginePorts {
  readonly files: Files;
  readonly documents: Documents;
  readonly models: Models;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly ui: Ui;
}

export interface EngineOptions {
  readonly ports: EnginePorts;
  /** Absolute path of `assets/`, for prompts and tool descriptions. */
  readonly assets: string;
  /** `AGENTS.md` is read only in trusted workspaces. */
  readonly trusted: () => boolean;
  /** `review`: what a turn would change is proposed to the author. Asked as a turn begins; `auto` when absent. */
  readonly apply?: () => 'auto' | 'review';
  /** Never writes: untrusted folder, or the user said so. */
  readonly readOnly?: boolean;
  /** This window, for others that find a session open in it. Absent: nothing is handed over or taken over. */
  readonly holder?: LockHolder;
  /** A checkpoint was taken that nobody asked for: of what changed on the disk outside turns. */
  readonly onQuietCheckpoint?: () => void;
}

/** What a restore may take back besides files (formats.md, Restore). */
export type RestoreKind = 'files' | 'files-and-conversation' | 'conversation';

export interface ConversationRestored {
  /** The words of the turn that was gone back before, for the input box. */
  readonly words?: string;
  readonly files?: RestoreOutcome;
}

/** The engine of one open project. */
export interface Engine {
  readonly project: Project;
  readonly sessions: Sessions;
  readonly manuscript: Manuscript;
  /** Renames, moves and deletes chapters as one, between checkpoints; refuses `session.busy` while a turn runs. */
  readonly arrange: Arrange;
  readonly checkpoints: Checkpoints;
  readonly progress: Progress;
  readonly objects: ObjectStore;
  readonly turns: Turns;
  readonly review: Review;
  /** Trace lines of a session's calls, oldest first. */
  traces(sessionId: string): Promise<Result<readonly TraceLine[]>>;
  /** Rebuilds the messages of an old call from objects and entries, and proves them by hash. */
  rebuild(trace: TraceLine): Promise<Result<readonly ModelMessage[]>>;
  /**
   * (a) `files`: the project's texts as at the checkpoint. (b) `files-and-conversation`: both as before the checkpoint's turn.
   * (d) `conversation`: the leaf alone moves to before the turn. (c), one file, is `checkpoints.restore(id, {path})`.
   * Refuses `session.busy`, `checkpoint.no-turn`.
   */
  restore(kind: RestoreKind, checkpointId: string): Promise<Result<ConversationRestored>>;
  /** Undo of the agent's edits in one turn, and the conversation back to before it. */
  undoTurn(session: Session, turn: TurnRef): Promise<Result<UndoOutcome & { readonly words: string }>>;
  /**
   * Puts a text that a turn offered into its place, as the agent's edit with a checkpoint of its own. Refuses `passage.gone` when the
   * place is not there any more, and `session.busy` while a turn runs.
   */
  acceptPassage(turn: TurnRef, passage: Passage, text: string): Promise<Result<AcceptedPassage>>;
  /** What a turn about a passage has offered. Refuses `session.unknown-entry` for any other turn. */
  offerOf(turn: TurnRef): Promise<Result<Offer>>;
  /** What lies in `.liyuan/`, and which lines of its logs cannot be read; reads all of it, writes nothing. */
  diagnose(signal: AbortSignal): Promise<Diagnosis>;
  /** `checkpoints.cleanUp` while no turn runs, since a turn stores texts before it names them. Refuses `session.busy`. */
  cleanUp(ids: readonly string[]): Promise<Result<CleanUpOutcome>>;
  /** Closes the sessions that were opened through `sessions`. May be called twice. */
  dispose(): Promise<void>;
}
