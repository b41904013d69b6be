/** Runs work one after another per key; work with no key in common runs side by side. */
export interface KeyedQueue {
  /** Starts `work` when everything queued before it under any of `keys` has settled. Passes its outcome on. */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
}

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(keys, work) {
      const before = keys.flatMap((key) => tails.get(key) ?? []);
      const result = Promise.allSettled(before).then(work);
      for (const key of keys) tails.set(key, result);
      const forget = (): void => {
        for (const key of keys) if (tails.get(key) === result) tails.delete(key);
      };
      result.then(forget, forget);
      return result;
    },
  };
}
