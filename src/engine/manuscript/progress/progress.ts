import type { Result } from '../../ports/result';
import type { DayWords } from './days';

export interface Written {
  /** From checkpoints, oldest first. */
  readonly days: readonly DayWords[];
  /** Checkpoints whose texts a clean-up has taken before they were counted. */
  readonly lost: number;
}

export interface RefreshOptions {
  readonly signal?: AbortSignal;
  /** How many checkpoints have been counted, of how many that were not known yet. */
  readonly progress?: (done: number, total: number) => void;
}

/** How much was written (`measure.ts` says what that means), by day and author, out of checkpoints. Never part of a checkpoint's own work. */
export interface Progress {
  /**
   * Counts the checkpoints that are not counted yet and keeps what came of it in the cache; reads only what those changed. When `signal` is
   * aborted, what was counted so far is kept and given. Refuses `store.*`.
   */
  refresh(options?: RefreshOptions): Promise<Result<Written>>;
  /**
   * 字 that stand in buffers and files now and in no checkpoint: the author's. Reads only chapters that have changed since the newest checkpoint.
   * While a turn runs, what it was before. Before
   * the first checkpoint, what the book has grown by since the first `refresh`.
   */
  pending(): Promise<Result<number>>;
  dispose(): void;
}
