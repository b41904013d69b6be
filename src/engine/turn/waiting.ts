import type { Clock } from '../ports/clock';

/** Pauses that somebody may cut short. */
export interface Waits {
  /** Resolves after `ms`, or at once when the signal is aborted or `goOn(key)` is called. One pause a key. */
  pause(key: string, ms: number, signal: AbortSignal): Promise<void>;
  /** Nothing happens where nobody waits. */
  goOn(key: string): void;
}

export function createWaits(clock: Clock): Waits {
  const waiting = new Map<string, AbortController>();
  return {
    async pause(key, ms, signal) {
      const early = new AbortController();
      waiting.set(key, early);
      try {
        await pause(clock, ms, AbortSignal.any([signal, early.signal]));
      } finally {
        waiting.delete(key);
      }
    },
    goOn: (key) => waiting.get(key)?.abort(),
  };
}

/** Resolves after `ms`, or at once when the signal is aborted. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
