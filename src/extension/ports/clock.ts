import type { Clock } from '../../engine/index';

/** The real clock. A pending `after` keeps no process alive. */
export function createClock(): Clock {
  return {
    now: () => Date.now(),
    after(ms, f) {
      const timer = setTimeout(f, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
