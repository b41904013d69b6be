import type { Clock } from '../ports/clock';
import type { Files, Lock, LockHolder } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';

/** What every session of a project needs. */
export interface SessionDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** This machine's id, for `head` entries. */
  readonly machine: string;
  /** Nothing is written, caches included. */
  readonly readOnly?: boolean;
  /** Read-only because a newer version wrote the project. */
  readonly newer?: boolean;
  /** This window, for others that find a session held by it. */
  readonly holder?: LockHolder;
  /** Whether a turn runs in a session: then it is not handed over. */
  readonly busy?: (sessionId: string) => boolean;
}

/** One session to be opened: `lock` says whether it may be written. */
export interface OpenInput {
  readonly path: string;
  /** Held by us; absent: read-only. */
  readonly lock: Lock | undefined;
  /** The lock is absent because another window holds it. */
  readonly lockedElsewhere?: boolean;
  /** Copies of the same session that a cloud drive left beside it. */
  readonly copies: readonly string[];
  /** Project-relative path of the lock, also when it is not ours. */
  readonly lockPath: string;
  readonly onClose: () => void;
}
