/**
 * What to do with a stamped event: `apply` it; `drop` it (a former epoch's, or already contained); `hold` it until the
 * snapshot that was asked for is here; `gap`: something before it is missing (or its whole epoch was never shown), ask for
 * a snapshot.
 */
export type Verdict = 'apply' | 'drop' | 'hold' | 'gap';

/** Keeps the place in the host's stream of events (`epoch`, `seq`). */
export interface Sequence {
  readonly epoch: string | undefined;
  /** A snapshot was asked for. */
  ask(): void;
  /** The request for a snapshot failed; the place is lost until the next one. */
  fail(): void;
  /** A snapshot is here: its epoch counts from now on, and the one before never again. */
  reset(epoch: string, seq: number): void;
  judge(epoch: string, seq: number): Verdict;
  /** Whether a snapshot of this epoch and seq that came unasked is newer than what is shown. */
  isNews(epoch: string, seq: number): boolean;
}

export function createSequence(): Sequence {
  let epoch: string | undefined;
  let last = 0;
  let asking = false;
  const retired = new Set<string>();
  return {
    get epoch() {
      return epoch;
    },
    ask: () => {
      asking = true;
    },
    fail: () => {
      asking = false;
    },
    reset: (newEpoch, seq) => {
      if (epoch !== undefined && epoch !== newEpoch) retired.add(epoch);
      retired.delete(newEpoch);
      epoch = newEpoch;
      last = seq;
      asking = false;
    },
    judge: (eventEpoch, seq) => {
      if (asking) return 'hold';
      if (eventEpoch !== epoch) return retired.has(eventEpoch) ? 'drop' : 'gap';
      if (seq <= last) return 'drop';
      if (seq > last + 1) return 'gap';
      last = seq;
      return 'apply';
    },
    isNews: (eventEpoch, seq) => (eventEpoch === epoch ? seq > last : !retired.has(eventEpoch)),
  };
}
