import { EngineFailure, refuse, type Result } from '../ports/result';
import type { Queue } from '../store/queue';
import { SESSION_VERSION } from './entries';
import { watchForWish } from './hand-over';
import type { OpenInput, SessionDeps } from './open-input';
import type { ReadOnlyReason } from './session';

/** Whether one open session may be written, and what becomes of its lock. */
export interface Access {
  /** The lock is ours, and the format is one that we write. */
  owned(): boolean;
  reason(): ReadOnlyReason | undefined;
  /** Why an append is refused: `session.read-only`, `store.newer-version`, `store.lock-lost`. */
  refusal(): Result<never> | undefined;
  onReadOnly(listener: () => void): () => void;
  /** From now on the session is handed over when another window asks for it; `before` runs right before, with nothing under way. */
  watch(id: string, before: () => Promise<void>): void;
  /** Nothing is handed over or written any more. */
  close(): void;
  release(): Promise<void>;
}

export function createAccess(deps: SessionDeps, input: OpenInput, queue: Queue, version: () => number | undefined): Access {
  const { files, clock, log } = deps;
  const { path, lock, lockPath } = input;
  const listeners = new Set<() => void>();
  let closed = false;
  let handedOver = false;
  let stopWatching = (): void => undefined;

  const newer = (): boolean => (version() ?? 0) > SESSION_VERSION;
  const owned = (): boolean => lock?.held() === true && !newer() && deps.readOnly !== true;
  const tell = (): void => {
    for (const listener of [...listeners]) listener();
  };

  const release = async (): Promise<void> => {
    try {
      await lock?.release();
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      log.warn('the lock of a session could not be released', { path, code: error.error.code });
    }
  };

  void lock?.lost.then(() => {
    log.warn('the lock of a session was lost: it is read-only now', { path });
    stopWatching();
    tell();
  });

  return {
    owned,
    reason() {
      if (deps.readOnly === true) return deps.newer === true ? 'newer-version' : 'asked';
      if (newer()) return 'newer-version';
      if (lock === undefined) return input.lockedElsewhere === true ? 'locked' : undefined;
      if (handedOver) return 'handed-over';
      return lock.held() || closed ? undefined : 'lock-lost';
    },
    refusal() {
      if (closed || deps.readOnly === true || lock === undefined || handedOver) return refuse('session.read-only', { path });
      const v = version();
      if (newer() && v !== undefined) return refuse('store.newer-version', { path, v });
      return lock.held() ? undefined : refuse('store.lock-lost', { path });
    },
    onReadOnly(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    watch(id, before) {
      if (lock === undefined || deps.holder === undefined) return;
      // While a turn runs the other window has to wait.
      const mayGo = (): boolean => !closed && owned() && deps.busy?.(id) !== true;
      const handOver = async (): Promise<void> => {
        if (!mayGo()) return;
        await queue.run(async () => {
          if (!mayGo()) return;
          await before();
          handedOver = true;
          await release();
        });
        if (!handedOver) return;
        stopWatching();
        log.info('a session was handed over to another window', { path });
        tell();
      };
      const onError = (error: unknown): void => {
        log.warn('whether another window wants a session could not be seen', { path, error: String(error) });
      };
      stopWatching = watchForWish({ files, clock, onError }, lockPath, handOver);
    },
    close() {
      closed = true;
      stopWatching();
    },
    release,
  };
}
