import type { Clock, Log } from '../../engine/index';

/** How a project is left: what runs in it ends first, then it is released; several one after the other. */
export interface Closing {
  /** `end` is called at once when a project is left, and waited for before its release. The answer takes it out again. */
  before(end: () => Promise<void>): () => void;
  close(release: () => Promise<void>): void;
  /**
   * The window goes away, and what runs in it is left as it stands: a turn without an end is what the next window offers to go
   * on with, where a stopped one would be over.
   */
  abandon(release: () => Promise<void>): void;
  /** Resolves when all that was left is released. Never rejects. */
  done(): Promise<void>;
}

/** `mostMs`: what has not ended by then is released all the same; the log keeps what it had written. */
export function createClosing(deps: { readonly clock: Clock; readonly log: Log; readonly mostMs: number }): Closing {
  const { clock, log, mostMs } = deps;
  const ends = new Set<() => Promise<void>>();
  let last: Promise<void> = Promise.resolve();

  const told = (what: string) => (error: unknown): void => { log.error(what, { error: String(error instanceof Error ? error.stack : error) }); };

  async function endAll(): Promise<void> {
    const all = Promise.all([...ends].map((end) => end().catch(told('what runs in a project could not be ended'))));
    let cancel: () => void = () => undefined;
    const late = new Promise<'late'>((resolve) => { cancel = clock.after(mostMs, () => { resolve('late'); }); });
    if ((await Promise.race([all, late])) === 'late') log.warn('a project is released before all in it has ended', { afterMs: mostMs });
    cancel();
  }

  const releaseAfter = (ended: Promise<void>, release: () => Promise<void>): void => {
    last = Promise.all([last, ended]).then(release).catch(told('a project could not be released'));
  };

  return {
    before: (end) => {
      ends.add(end);
      return () => { ends.delete(end); };
    },
    close: (release) => { releaseAfter(endAll(), release); },
    abandon: (release) => { releaseAfter(Promise.resolve(), release); },
    done: () => last,
  };
}
