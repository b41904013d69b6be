import type { Documents } from '../ports/documents';
import type { Result } from '../ports/result';
import type { Manuscript } from '../manuscript/manuscript';
import type { Proposal, ProposalKind, ReviewNote } from './proposal';
import type { ProposalView } from './on-live';

/** One file of a turn's card. */
export interface ProposalRow {
  readonly id: string;
  readonly path: string;
  readonly from?: string;
  readonly kind: ProposalKind;
  /** `carried`: a later turn has worked on, and its card has the file. `conflict`: it waits, but the author changed the same words since. */
  readonly state: Proposal['state'] | 'carried' | 'conflict';
  /** 字. */
  readonly added: number;
  readonly removed: number;
  /** Single changes that wait; 0 for what can only be decided whole. */
  readonly waiting: number;
  readonly accepted: number;
  readonly rejected: number;
}

/** What the next turn is told of earlier proposals. */
export interface ReviewNews {
  readonly notes: readonly ReviewNote[];
  /** What still waits. */
  readonly pending: readonly { readonly path: string; readonly kind: ProposalKind }[];
}

export interface Accepted {
  readonly accepted: readonly string[];
  /** Left waiting, since the author changed the same words; or another refusal, for each. */
  readonly refused: readonly { readonly id: string; readonly path: string; readonly error: import('../ports/result').EngineError }[];
  readonly checkpoints: readonly string[];
}

/** What the tools of a turn work on in review mode. */
export interface ReviewDesk {
  /** Reads see what is proposed; whatever changes a file is recorded as a proposal. */
  readonly documents: Documents;
  /** Counts and orders chapters as they would be. */
  readonly manuscript: Manuscript;
}

/**
 * Review mode: what the agent would change waits here until the author accepts it (turns.md, Agent turn). Proposals belong to a session; only who
 * holds it decides on them: everything that changes something refuses `session.read-only` elsewhere, and `store.*`.
 */
export interface Review {
  /** Reads what lies on the disk, once; later calls cost nothing. */
  load(): Promise<Result<void>>;
  /** Reads a session's proposals anew, for who does not hold it. */
  refresh(sessionId: string): Promise<Result<void>>;
  /** All that wait, oldest first. Needs `load`. */
  pending(): readonly Proposal[];
  /** Files of proposals that wait and cannot be shown, sorted, since their texts are not in the store: after a merge or a copy that is not whole. */
  lost(): readonly string[];
  find(id: string): Proposal | undefined;
  /** A proposal beside what stands in its file now. */
  view(id: string): Promise<ProposalView | undefined>;
  /** The files of a turn's card; none: the turn proposed nothing. */
  rows(sessionId: string, turnId: string): Promise<readonly ProposalRow[]>;
  /** The turns of a session that proposed something. */
  turns(sessionId: string): readonly string[];
  /** The author changes what is proposed. Refuses `review.gone`. */
  setText(id: string, text: string): Promise<Result<void>>;
  /**
   * Carries proposals out: texts in one edit through the documents port, then new, renamed and deleted files; then an `agent` checkpoint with the
   * turn. `force`: the proposal counts where the author changed the same words. What cannot be carried out waits on and is told.
   */
  accept(ids: readonly string[], options?: { readonly force?: boolean }): Promise<Result<Accepted>>;
  /** One single change alone. Refuses `review.gone`, `review.conflict`. */
  acceptChange(id: string, changeId: string): Promise<Result<Accepted>>;
  reject(ids: readonly string[]): Promise<Result<void>>;
  rejectChange(id: string, changeId: string): Promise<Result<void>>;
  /** A rejected one waits again. Refuses `review.gone` when another one waits for the same file. */
  reopen(id: string): Promise<Result<void>>;
  /** For a turn that runs: its tools' documents. */
  desk(sessionId: string, turnId: string): Promise<Result<ReviewDesk>>;
  /** What a turn on this branch (ids of its turns) is to be told; it counts as told from here on. */
  tell(sessionId: string, turnId: string, branch: readonly string[]): Promise<Result<ReviewNews>>;
  /** The author has renamed files, all at once: what waits for them goes along. */
  follow(renames: readonly { readonly from: string; readonly to: string }[]): Promise<Result<void>>;
  /** Turns that were taken back: what of theirs waits is dropped. */
  drop(sessionId: string, turns: readonly string[]): Promise<Result<void>>;
  /** Called with the session whose proposals changed, also by what the author types into their files. */
  onChange(listener: (sessionId: string) => void): () => void;
  dispose(): void;
}
