import type { Budget } from './ports/budget';
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
import type { Jobs } from './jobs/jobs';
import type { Manuscript } from './manuscript/manuscript';
import type { Diagnosis } from './diagnosis';
import type { Project } from './project/project';
import type { SessionSearch } from './session/search';
import type { Mention } from './session/mentions';
import type { Session, Sessions } from './session/session';
import type { ObjectStore } from './store/objects';
import type { Review } from './review/review';
import type { TokenScale } from './text/token-scale';
import type { Turns } from './turn/turns';
import type { ContextUse } from './prompt/context-use';
import type { Rules } from './writing-rules';
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
  /** Where model calls have a limit of the day. */
  readonly budget?: Budget;
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
  /** What is known of the models' tokens. Absent: learned anew. */
  readonly tokenScale?: TokenScale;
  /** A checkpoint was taken that nobody asked for: of what changed on the disk outside turns. */
  readonly onQuietCheckpoint?: () => void;
}

/** What a restore may take back besides files (formats.md, Restore). */
export type RestoreKind = 'files' | 'files-and-conversation' | 'conversation';

export interface ConversationRestored {
  /** The words of the turn that was gone back before, for the input box. */
  readonly words?: string;
  /** What those words pointed at. */
  readonly mentions?: readonly Mention[];
  readonly files?: RestoreOutcome;
}

export interface GoBackPlan {
  /** Turns of the branch after it. */
  readonly later: number;
  /** Files that the agent changed in it or after it, sorted. */
  readonly files: readonly string[];
  /** Those of them that differ from what the agent left: the author's own words are in them. */
  readonly authored: readonly string[];
}

export interface WentBack {
  readonly words: string;
  readonly conflicts: UndoOutcome['conflicts'];
}

/** The engine of one open project. */
export interface Engine {
  readonly project: Project;
  readonly sessions: Sessions;
  readonly manuscript: Manuscript;
  /** Renames, moves and deletes chapters as one, between checkpoints; refuses `session.busy` while a turn runs. */
  readonly arrange: Omit<Arrange, 'recover'>;
  readonly checkpoints: Checkpoints;
  readonly progress: Progress;
  readonly objects: ObjectStore;
  readonly turns: Turns;
  /** The author's standing rules for the agent: `AGENTS.md`, style notes, forbidden words. */
  readonly rules: Rules;
  readonly review: Review;
  /** Long jobs: one instruction, chapter by chapter. */
  readonly jobs: Jobs;
  /** Trace lines of a session's calls, oldest first. */
  traces(sessionId: string): Promise<Result<readonly TraceLine[]>>;
  /** What the newest call of a session was made of; nothing before the first. */
  contextUse(sessionId: string): Promise<Result<ContextUse | undefined>>;
  /** Rebuilds the messages of an old call from objects and entries, and proves them by hash. */
  rebuild(trace: TraceLine): Promise<Result<readonly ModelMessage[]>>;
  /**
   * (a) `files`: the project's texts as at the checkpoint. (b) `files-and-conversation`: both as before the checkpoint's turn.
   * (d) `conversation`: the leaf alone moves to before the turn. (c), one file, is `checkpoints.restore(id, {path})`.
   * Refuses `session.busy`, `checkpoint.no-turn`.
   */
  restore(kind: RestoreKind, checkpointId: string): Promise<Result<ConversationRestored>>;
  /** What `goBack` to before a turn of the current branch would touch, for who is asked. Writes nothing. Refuses `session.unknown-entry`. */
  planGoBack(session: Session, turnId: string): Promise<Result<GoBackPlan>>;
  /**
   * Goes back to before a turn of the current branch, to say it again: what is there is saved as a checkpoint, the agent's edits of that
   * turn and of all after it are taken back (the author's words stay; what cannot be taken back is a conflict), the conversation goes to
   * before it. `conversation`: no file changes. The branch stays in the tree. All or nothing: where a turn cannot be taken back the files
   * are as they were. Refuses `session.busy`, `session.read-only`, `session.unknown-entry`, and what undoing refuses.
   */
  goBack(session: Session, turnId: string, how: 'files-and-conversation' | 'conversation'): Promise<Result<WentBack>>;
  /** Shows another of the turns that begin where this one does: the leaf goes to the newest below it; no file changes. Refuses `session.busy`, `session.unknown-entry`. */
  switchTurn(session: Session, turnId: string): Promise<Result<void>>;
  /** Undo of the agent's edits in one turn, and the conversation back to before it. */
  undoTurn(session: Session, turn: TurnRef): Promise<Result<UndoOutcome & { readonly words: string; readonly mentions: readonly Mention[] }>>;
  /**
   * Puts a text that a turn offered into its place, as the agent's edit with a checkpoint of its own. Refuses `passage.gone` when the
   * place is not there any more, and `session.busy` while a turn runs.
   */
  acceptPassage(turn: TurnRef, passage: Passage, text: string): Promise<Result<AcceptedPassage>>;
  /** What a turn about a passage has offered. Refuses `session.unknown-entry` for any other turn. */
  offerOf(turn: TurnRef): Promise<Result<Offer>>;
  /** Looks for words in all sessions: see `SessionSearch`. */
  readonly search: SessionSearch;
  /**
   * Gives a session another title, deletes it softly or takes that back, whether it is open or not. Refuses `session.busy` when one is to be
   * deleted in which a turn runs, `session.read-only` (another window has it), `session.not-found`, `store.*`.
   */
  markSession(id: string, mark: { readonly title?: string; readonly deleted?: boolean }): Promise<Result<void>>;
  /** What lies in `.liyuan/`, and which lines of its logs cannot be read; reads all of it, writes nothing. */
  diagnose(signal: AbortSignal): Promise<Diagnosis>;
  /** `checkpoints.cleanUp` while no turn runs, since a turn stores texts before it names them. Refuses `session.busy`. */
  cleanUp(ids: readonly string[]): Promise<Result<CleanUpOutcome>>;
  /** Closes the sessions that were opened through `sessions`. May be called twice. */
  dispose(): Promise<void>;
}
