import type { Result } from '../ports/result';
import type { BadLine } from '../store/line-log';
import type { Entry, EntryOf, EntryType, NewEntry, SessionHeader, UnknownEntry } from './entries';

/** Where an entry stands: enough for lists and navigation without parsing payloads. */
export interface EntryStub {
  readonly id: string;
  readonly parentId: string | null;
  readonly ts: number;
  readonly type: string;
}

/**
 * Why a session cannot be written: another window holds its lock, a newer version wrote it, the engine was opened for reading
 * only, it was handed over to another window that asked for it, or the lock was lost (taken away, or the machine slept).
 */
export type ReadOnlyReason = 'locked' | 'newer-version' | 'asked' | 'handed-over' | 'lock-lost';

/**
 * An open session: an immutable tree that only grows. One append queue; reads are synchronous against what has been
 * appended so far. Payloads are parsed when asked for.
 */
export interface Session {
  readonly header: SessionHeader;
  /** Title after `meta` entries. */
  title(): string;
  /** Set when another window holds the lock, the format is newer, or the lock was lost. */
  readonly readOnly: boolean;
  /** Why, for who tells a person; nothing while it can be written, and when the lock could not be had for another reason. */
  readonly readOnlyReason?: ReadOnlyReason | undefined;
  readonly badLines: readonly BadLine[];
  /** Ids under which the file holds different records (after a bad merge). `get` answers the same one in any line order. */
  readonly duplicates: readonly string[];
  /** The other records of a duplicate id. */
  alternatives(id: string): readonly (Entry | UnknownEntry)[];
  /** The current position, `null` before the first entry. Survives restarts (`head`). */
  leaf(): string | null;
  get(id: string): Entry | UnknownEntry | undefined;
  stub(id: string): EntryStub | undefined;
  /** Ids from root to `leaf` (default: the current one), entries without `meta`/`head`. A missing parent ends the walk (gap). */
  path(leaf?: string | null): readonly string[];
  /** Parsed entries of `path(leaf)`, known types only. */
  branch(leaf?: string | null): readonly Entry[];
  children(id: string | null): readonly string[];
  /** The newest `type` entry on the branch, nearest to the leaf. */
  lastOnBranch<T extends EntryType>(type: T, leaf?: string | null): EntryOf<T> | undefined;
  /** Ids of all entries of a type, on whatever branch, in the order of the file. */
  idsOfType(type: EntryType): readonly string[];
  isOnBranch(id: string, leaf?: string | null): boolean;
  /** The newest value per meta key by (ts, id). */
  meta(key: string): unknown;
  entryCount(): number;
  /**
   * Appends at the current leaf (or under `parentId`), moves the leaf to the last one, resolves when written — and on the
   * disk, when `durable`. Several entries are one write each, in order, chained parent to child. The first of an opening, what goes elsewhere and
   * each `user` entry are preceded by a `head` of this machine that names them: by it the machine finds its own tip again after a merge.
   */
  append(
    entries: readonly NewEntry[],
    options: { readonly durable: boolean; readonly parentId?: string | null },
  ): Promise<Result<readonly Entry[]>>;
  /** Moves the leaf by a durable `head` entry. */
  setLeaf(leaf: string | null): Promise<Result<void>>;
  setMeta(key: string, value: unknown): Promise<Result<void>>;
  /** Called when the session cannot be written any more. */
  onReadOnly(listener: () => void): () => void;
  /** For a session that another window writes: takes in what it wrote, and stands where it stands. Resolves to whether anything was new. */
  refresh(): Promise<Result<boolean>>;
  onAppend(listener: (entries: readonly Entry[]) => void): () => void;
  /** Waits for the queue, releases the lock. Safe to call twice. */
  close(): Promise<void>;
}

export interface SessionInfo {
  readonly id: string;
  readonly kind: SessionHeader['kind'];
  readonly title: string;
  readonly createdAt: number;
  /** Milliseconds since the epoch of the file's last change. */
  readonly updatedAt: number;
  readonly size: number;
}

export interface Sessions {
  /** Newest change first. A file that cannot be read as a session is reported, never hidden. */
  list(): Promise<{ readonly sessions: readonly SessionInfo[]; readonly unreadable: readonly string[] }>;
  /** The file exists, with its header fsynced, before this resolves. */
  create(input: { readonly kind: SessionHeader['kind']; readonly title: string }): Promise<Result<Session>>;
  /** Opening the same id twice in a process gives the same object until closed. Locked elsewhere: opens read-only. */
  open(id: string): Promise<Result<Session>>;
  /**
   * Takes over a session that is open read-only because another window holds it, or because that window took it: asks for it and waits
   * up to 8 s, or with `force` takes it away. Resolves to it opened anew; the object of before is closed. Refuses `session.held`
   * `{host?, app?}`, `session.not-taken` (aborted), `session.read-only` and `store.*`; then everything is as it was.
   */
  takeOver(id: string, options: { readonly force: boolean; readonly signal: AbortSignal }): Promise<Result<Session>>;
}
