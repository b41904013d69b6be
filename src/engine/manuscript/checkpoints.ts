import type { Result } from '../ports/result';
import type { Changed, CheckpointRecord, Manifest } from './checkpoint-log';
import type { FileStep } from './file-history';
import type { Mark } from './marks';
import type { StoreSize } from './store-size';

export interface TurnRef {
  readonly sessionId: string;
  readonly userEntryId: string;
}

export interface CheckpointInput {
  readonly author: 'agent' | 'user' | 'import';
  /** Absent: what the author’s changes are called in the project's language. */
  readonly message?: string;
  readonly turn?: TurnRef;
  readonly aborted?: boolean;
  /** Renames that were made all at once, old name and new: what belongs to a file follows them. */
  readonly moved?: readonly (readonly [from: string, to: string])[];
}

/** One path of a comparison. `before`/`after`: object hashes, `null` = not there. */
export interface FileChange {
  readonly path: string;
  /** Set for a rename: where it came from. */
  readonly from?: string;
  readonly before: string | null;
  readonly after: string | null;
  /** 字 by `countWords` on either side; 0 where there is no file or it is not text. */
  readonly added: number;
  readonly removed: number;
}

/** What a restore would do, for the confirmation. */
export interface RestorePlan {
  readonly target: CheckpointRecord;
  readonly files: readonly FileChange[];
}

/** `leave`: every file stays as it is found, for when the objects of both sides are gone. */
export type RestoreEnding = 'finish' | 'undo' | 'leave';

export interface RestoreOutcome {
  /** The checkpoint of what stood there before (the newest one when nothing had changed since). */
  readonly pre: string;
  /** The checkpoint of the result. */
  readonly result: string;
  readonly files: readonly FileChange[];
}

/** One edit the agent made, journalled before it is applied: hashes of the file's bytes before and after. */
export interface JournalEdit {
  readonly path: string;
  readonly from?: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface UndoOutcome {
  readonly undone: readonly string[];
  /** Places left as they are because the author changed the same words. */
  readonly conflicts: readonly { readonly path: string; readonly quote: string }[];
  readonly checkpoint?: string;
}

/** What a clean-up would do. */
export interface CleanUpPlan {
  /** Those that go, newest first. */
  readonly checkpoints: readonly CheckpointRecord[];
  /** How many stay. */
  readonly kept: number;
  /** Stored files that nothing names then and that are older than 30 days, and what they take on the disk. */
  readonly objects: number;
  readonly bytes: number;
}

export interface CleanUpOutcome {
  readonly checkpoints: number;
  readonly objects: number;
  readonly bytes: number;
}

export interface VerifyOptions {
  readonly signal?: AbortSignal;
  /** How many objects have been read, of how many. */
  readonly progress?: (done: number, total: number) => void;
}

/** A stored text that is missing or damaged, and what it hurts: nothing when only conversations or traces use it. */
export interface BadObject {
  readonly sha: string;
  readonly code: 'object.missing' | 'object.corrupt';
  /** Oldest first. */
  readonly checkpoints: readonly { readonly id: string; readonly paths: readonly string[] }[];
}

export interface Verified {
  /** Folded, and objects read and hashed. */
  readonly checkpoints: number;
  readonly objects: number;
  /** False when it was broken off. */
  readonly complete: boolean;
  /** Checkpoints whose fold does not match their tree. */
  readonly broken: readonly string[];
  readonly bad: readonly BadObject[];
}

/** Snapshots of the project's text files (live buffers included). One operation at a time, under the checkpoint lock. */
export interface Checkpoints {
  /** Takes one if anything differs from the newest; `undefined` when nothing does. */
  take(input: CheckpointInput): Promise<Result<CheckpointRecord | undefined>>;
  /** Newest first by (ts, id), pruned ones left out. */
  list(): Promise<Result<readonly CheckpointRecord[]>>;
  /** Every record there ever was, pruned ones too, unordered. */
  records(): Promise<Result<readonly CheckpointRecord[]>>;
  get(id: string): Promise<Result<CheckpointRecord>>;
  /** Fold along parents; refuses `checkpoint.broken` when `tree` does not match. */
  manifest(id: string): Promise<Result<Manifest>>;
  /** Changes from `from` (a checkpoint, or `null` = nothing) to `to` (a checkpoint, or `now` = the live files). */
  compare(from: string | null, to: string | 'now'): Promise<Result<readonly FileChange[]>>;
  /**
   * What a checkpoint changed against the one before it: the nearest by first parents that a clean-up has not taken, else nothing.
   * Its own renames are known. Refuses `checkpoint.broken` with the id of the side that does not fold.
   */
  changesOf(id: string): Promise<Result<readonly FileChange[]>>;
  /** The checkpoints that changed a file, newest first, through its renames. `path`: its name at the checkpoint `at`, or now. */
  touching(path: string, at?: string): Promise<Result<readonly FileStep[]>>;
  /** The author's own records on the way (by first parents) from `from`, left out, to `to`; oldest first. None when `from` is not on it. */
  authoredBetween(from: string, to: string): Promise<Result<readonly CheckpointRecord[]>>;
  /** The exact bytes of a path at a checkpoint; `undefined` = the path was not there. */
  fileAt(id: string, path: string): Promise<Result<Uint8Array | undefined>>;
  planRestore(id: string, options?: { readonly path?: string }): Promise<Result<RestorePlan>>;
  /** Restores all files, or one `path`. Saves what is there first; all or nothing. */
  restore(id: string, options?: { readonly path?: string }): Promise<Result<RestoreOutcome>>;
  /** The state just before a turn: the newest checkpoint older than the turn's own on its chain. */
  before(turn: TurnRef): Promise<Result<CheckpointRecord>>;
  /**
   * A `restore` in the log without its `restored`, of this machine: what another one has begun is its own to end. One that has changed all its
   * files, or none, is over: it is closed, and nobody need be asked. `undefined` too while another window is at work.
   */
  openRestore(): Promise<Result<{ readonly id: string; readonly target: string } | undefined>>;
  /**
   * Ends an open restore; every way is idempotent. What the author has typed since is saved first. Refuses `object.missing`,
   * `object.corrupt`, `doc.changed` (the author types on), `restore.failed`; then it stays open.
   */
  finishRestore(id: string, how: RestoreEnding): Promise<Result<void>>;
  /** Opens the edit journal of a turn: writes `intent` before the first edit. */
  journal(turn: TurnRef): TurnJournal;
  /** Takes back this turn's agent edits only, by re-anchored inverse edits. */
  undoTurn(turn: TurnRef): Promise<Result<UndoOutcome>>;
  /**
   * Ends a turn: up to two checkpoints, first the author's own words typed meanwhile (`user`), then the agent's edits.
   * `changes`: what the agent changed, for the 「本轮改动」 card.
   */
  endTurn(turn: TurnRef, message: string, aborted: boolean): Promise<Result<{ readonly records: readonly CheckpointRecord[]; readonly changes: readonly FileChange[]; readonly changed: Changed }>>;
  /** The newest record, if any. */
  head(): Promise<Result<CheckpointRecord | undefined>>;
  /** Pins a checkpoint or takes the pin back; names it, or with `name: ''` takes the name away. Both survive a clean-up. */
  mark(id: string, mark: { readonly pinned?: boolean; readonly name?: string }): Promise<Result<void>>;
  /** Of checkpoints that are pinned or named. */
  marks(): Promise<Result<ReadonlyMap<string, Mark>>>;
  /** What a clean-up would do now. Writes nothing. */
  planCleanUp(): Promise<Result<CleanUpPlan>>;
  /**
   * Hides those checkpoints of a plan that may still go, then removes what nothing names any more and is older than 30 days. May be
   * called again after a crash. Not while a turn runs: `Engine.cleanUp` sees to that. Refuses `restore.open`, and `store.lock-lost` when
   * another window may have taken over meanwhile.
   */
  cleanUp(ids: readonly string[]): Promise<Result<CleanUpOutcome>>;
  storeSize(): Promise<Result<StoreSize>>;
  /** 「校验」: hashes everything anew. Other operations go on in between. */
  verify(options?: VerifyOptions): Promise<Result<Verified>>;
}

export interface TurnJournal {
  /**
   * Records before/after of an edit about to be applied; durable before it resolves. An edit that did not take place after all is
   * recorded backwards; what save participants made of an applied edit is recorded as one more edit.
   */
  record(edit: { readonly path: string; readonly from?: string; readonly before: Uint8Array | null; readonly after: Uint8Array | null }): Promise<Result<void>>;
  /** The edits recorded so far were carried out, or recorded backwards. Never fails: what is not known to be done is judged by what stands. */
  settled(): Promise<void>;
  edits(): readonly JournalEdit[];
  /**
   * The path under which checkpoints will know what is written at a path: by the names on the disk, where names that differ in case are one
   * (`fresh`: the last name is a new one). Refuses `path.not-writable` and `path.outside` where checkpoints do not cover what the path leads to.
   */
  locate(path: string, fresh?: boolean): Promise<Result<string>>;
}
