import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Whether a disk answers fast enough to be asked synchronously, and for how long at a time. A local disk with warm caches gives
 * a small file within some ten microseconds, a tenth of what the promises around it cost; a slow one would hold up everything else.
 */
export interface Pace {
  /** Resolves to whether one more operation may be synchronous; lets others run first when it has been going on for long. */
  ready(): Promise<boolean>;
  /** The same without letting others run first: for what comes one at a time. */
  fast(): boolean;
  /** Runs one small synchronous operation and remembers how long it took. */
  measure<T>(operation: () => T): T;
}

export interface PaceOptions {
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
  /** Lets everything else that waits run. */
  readonly breathe?: () => Promise<unknown>;
}

/** Answers that took this long, in milliseconds, several in a row, make the disk slow for a while: one alone is the scheduler's. */
const SLOW_MS = 2;
const SLOW_IN_A_ROW = 3;
const REST_MS = 10_000;
/** Others wait no longer than this, in milliseconds. */
const BURST_MS = 8;

export function createPace({ now = () => performance.now(), breathe = nextTurn }: PaceOptions = {}): Pace {
  let restUntil = -Infinity;
  let slow = 0;
  let burstFrom = -Infinity;
  const fast = (): boolean => now() >= restUntil;
  return {
    fast,
    async ready() {
      if (!fast()) return false;
      if (now() - burstFrom >= BURST_MS) {
        await breathe();
        burstFrom = now();
      }
      return true;
    },
    measure(operation) {
      const began = now();
      try {
        return operation();
      } finally {
        const ended = now();
        slow = ended - began >= SLOW_MS ? slow + 1 : 0;
        if (slow >= SLOW_IN_A_ROW) {
          slow = 0;
          restUntil = ended + REST_MS;
        }
      }
    },
  };
}
