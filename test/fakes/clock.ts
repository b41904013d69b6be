import type { Clock } from '../../src/engine/ports/clock';

export interface FakeClock extends Clock {
  /** Moves time on by `ms` and runs what became due, in order of its time. */
  advance(ms: number): void;
  /** Like `advance`, but lets promises settle after each timer, so that timers set by them within the span run too. */
  advanceAsync(ms: number): Promise<void>;
  /** Sets the time without running anything: a clock that was corrected, also backwards. */
  set(now: number): void;
  /** How many timers are waiting. */
  pending(): number;
}

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** 2026-01-01T00:00:00Z. */
export const FAKE_START = 1_767_225_600_000;

/** A clock driven by hand: time stands still until `advance`. */
export function createFakeClock(start: number = FAKE_START): FakeClock {
  let now = start;
  let order = 0;
  const timers = new Set<Timer>();

  const nextDue = (until: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.at > until) continue;
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer;
    }
    return next;
  };
  const runOne = (timer: Timer): void => {
    timers.delete(timer);
    now = Math.max(now, timer.at);
    timer.run();
  };
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 50; i += 1) await Promise.resolve();
  };

  return {
    now: () => now,
    after(ms, f) {
      const timer: Timer = { at: now + Math.max(0, ms), order: order++, run: f };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const until = now + ms;
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) runOne(timer);
      now = until;
    },
    async advanceAsync(ms) {
      const until = now + ms;
      await settle();
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        runOne(timer);
        await settle();
      }
      now = until;
    },
    set(value) {
      now = value;
    },
    pending: () => timers.size,
  };
}
