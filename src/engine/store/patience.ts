import { setTimeout as wait } from 'node:timers/promises';
import { errnoOf } from './failures';

/** Tries again while another program (a virus scanner, a cloud drive) holds a file. */
export interface Patience {
  /** Runs until it succeeds, fails with another errno than those of `busy`, or `ms` have passed; then its failure is thrown. */
  run<T>(busy: ReadonlySet<string>, attempt: () => Promise<T>): Promise<T>;
}

/** Waits longer from one attempt to the next, in all up to `ms`. */
export function createPatience(ms: number): Patience {
  return {
    async run(busy, attempt) {
      const until = performance.now() + ms;
      for (let pause = 10; ; pause = Math.min(pause * 2, 500)) {
        try {
          return await attempt();
        } catch (error) {
          if (!busy.has(errnoOf(error) ?? '') || performance.now() + pause > until) throw error;
        }
        await wait(pause);
      }
    },
  };
}
