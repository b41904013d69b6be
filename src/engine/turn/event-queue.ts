/**
 * Events on their way to one reader. Pushing never waits; what comes before the reader is kept; a reader that leaves
 * does not stop the one who pushes.
 */
export interface EventQueue<T> {
  push(event: T): void;
  /** After this the reader gets what is left, then the end. */
  close(): void;
  readonly events: AsyncIterable<T>;
}

export function createEventQueue<T>(): EventQueue<T> {
  const waiting: T[] = [];
  let closed = false;
  let wake: (() => void) | undefined;

  const notify = (): void => {
    wake?.();
    wake = undefined;
  };

  async function* read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift() as T;
      if (closed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }

  return {
    push(event) {
      waiting.push(event);
      notify();
    },
    close() {
      closed = true;
      notify();
    },
    events: read(),
  };
}
