import { createHash } from 'node:crypto';

/**
 * Knows what this port itself wrote, so that a change of ours is told once and not again by the file watcher.
 * A path is *busy* while an operation of ours runs on it; what it left on disk is remembered until something else is seen.
 */
export interface OwnWrites {
  /** Events for these paths are held back until `work` has settled. */
  during<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
  /** Whether an operation of ours runs on it; asking on behalf of an event counts as holding the event back. */
  holdsBack(key: string): boolean;
  /** Which of `keys` had an event held back since the last call. */
  heldBack(keys: readonly string[]): readonly string[];
  /** Remembers what an operation left on disk; `undefined`: no file. */
  left(key: string, bytes: Uint8Array | undefined): void;
  /** Whether the last we know of the path is that we wrote it. */
  wrote(key: string): boolean;
  /** Whether `bytes` is what we left there. Anything else makes it forget. */
  recognises(key: string, bytes: Uint8Array | undefined): boolean;
}

const GONE = 'gone';
const mark = (bytes: Uint8Array | undefined): string => (bytes === undefined ? GONE : createHash('sha256').update(bytes).digest('base64'));

export function createOwnWrites(): OwnWrites {
  const running = new Map<string, number>();
  const known = new Map<string, string>();
  const held = new Set<string>();
  const count = (key: string, by: 1 | -1): void => {
    const next = (running.get(key) ?? 0) + by;
    if (next === 0) running.delete(key);
    else running.set(key, next);
  };
  return {
    async during(keys, work) {
      for (const key of keys) count(key, 1);
      try {
        return await work();
      } finally {
        for (const key of keys) count(key, -1);
      }
    },
    holdsBack(key) {
      if (!running.has(key)) return false;
      held.add(key);
      return true;
    },
    heldBack: (keys) => keys.filter((key) => held.delete(key)),
    left: (key, bytes) => void known.set(key, mark(bytes)),
    wrote: (key) => known.has(key) && known.get(key) !== GONE,
    recognises(key, bytes) {
      const expected = known.get(key);
      if (expected === undefined) return false;
      if (expected === mark(bytes)) return true;
      known.delete(key);
      return false;
    },
  };
}
