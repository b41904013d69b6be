import type { Context } from './context';

/** One thing a user does, from opening a folder to what they see. A file `test/e2e/*.e2e.ts` exports `scenarios`. */
export interface Scenario {
  /** A sentence about what the user gets. */
  readonly name: string;
  /** Time limit in ms, cleaning up not counted. Default 60,000. */
  readonly timeoutMs?: number;
  /** It shows in another language what a neighbour shows: run with `--all`, or when it is asked for by `--grep`. */
  readonly twin?: boolean;
  run(context: Context): Promise<void>;
}
