/** Runs tasks one after another, in the order they were handed in. A task that fails does not stop the next. */
export interface Queue {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when everything handed in so far has ended. */
  idle(): Promise<void>;
}

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const result = last.then(task);
      last = result.then(
        () => undefined,
        () => undefined, // the caller has the failure; the queue only waits
      );
      return result;
    },
    async idle() {
      await last;
    },
  };
}
