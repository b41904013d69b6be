import type { Clock } from '../ports/clock';

/** Why a request was given up. */
export type StopReason = 'aborted' | 'idle' | 'total';

/** Watches one request: the caller's signal, silence while something is being waited for, and how long it may take in all. */
export interface Watch {
  /** Aborted with any reason; also by `dispose`. */
  readonly signal: AbortSignal;
  readonly stopped: StopReason | undefined;
  /** A byte arrived: silence is counted from now. */
  touch(): void;
  /** The promise's value, or `undefined` as soon as the request is given up; the promise itself is then left to end as it may. */
  wait<T>(promise: Promise<T>): Promise<{ readonly value: T } | undefined>;
  /** Lets go of timer and listener and aborts what may still run. */
  dispose(): void;
}

/**
 * `idleMs` of silence give the request up; time during which nobody waits does not count. So do `totalMs` from now, where they are given,
 * whatever arrives and whoever waits.
 */
export function createWatch(signal: AbortSignal, clock: Clock, idleMs: number, totalMs?: number): Watch {
  const controller = new AbortController();
  let stopped: StopReason | undefined;
  let waiting = false;
  let cancelTimer: (() => void) | undefined;
  let cancelTotal: (() => void) | undefined;
  let release: () => void = () => undefined;
  const given = new Promise<undefined>((resolve) => {
    release = () => {
      resolve(undefined);
    };
  });

  function stop(reason: StopReason): void {
    if (stopped !== undefined) return;
    stopped = reason;
    disarm();
    cancelTotal?.();
    controller.abort();
    release();
  }

  function arm(): void {
    disarm();
    cancelTimer = clock.after(idleMs, () => {
      stop('idle');
    });
  }

  function disarm(): void {
    cancelTimer?.();
    cancelTimer = undefined;
  }

  const onAbort = (): void => {
    stop('aborted');
  };
  if (signal.aborted) stop('aborted');
  else {
    signal.addEventListener('abort', onAbort, { once: true });
    if (totalMs !== undefined) cancelTotal = clock.after(totalMs, () => { stop('total'); });
  }

  return {
    signal: controller.signal,
    get stopped() {
      return stopped;
    },
    touch() {
      if (waiting && stopped === undefined) arm();
    },
    async wait(promise) {
      if (stopped !== undefined) {
        promise.catch(() => undefined);
        return undefined;
      }
      waiting = true;
      arm();
      try {
        return await Promise.race([promise.then((value) => ({ value })), given]);
      } finally {
        waiting = false;
        disarm();
      }
    },
    dispose() {
      signal.removeEventListener('abort', onAbort);
      disarm();
      cancelTotal?.();
      controller.abort();
    },
  };
}
