import type { Result } from '../ports/result';
import type { UndoOutcome } from '../manuscript/checkpoints';
import type { Job } from './job';
import type { JobPlan } from './plan';

/** A job, and what is not kept of it. */
export type JobView = Job & {
  /** The author has asked for a pause; the chapter under way is finished first. */
  readonly pausing: boolean;
  /** It waits because the history is being restored, or a turn runs in its conversation. */
  readonly blocked: boolean;
};

/**
 * A job: one instruction carried out chapter by chapter, each a turn of its own with a checkpoint of its own, in a conversation made for it.
 * One at a time. What changes a job that another window works on is refused with `store.locked`.
 */
export interface Jobs {
  /** The job that is there, if any: under way, paused, or over and not yet closed. One that its window did not survive is paused. */
  current(): Promise<Result<JobView | undefined>>;
  /** What it would take. Sends nothing. Refuses `turn.aborted`, and what reading a chapter refuses. */
  plan(input: { readonly instruction: string; readonly paths: readonly string[] }, signal: AbortSignal): Promise<Result<JobPlan>>;
  /** Begins: the state of now becomes a checkpoint, and the first chapter's turn starts. Refuses `job.open`, `job.none` (no chapter), `store.*`. */
  start(input: { readonly instruction: string; readonly paths: readonly string[] }): Promise<Result<JobView>>;
  /** After the chapter under way. */
  pause(): void;
  /** Now: the turn under way is stopped. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Goes on with the chapters that wait. Refuses `job.none`. */
  resume(): Promise<Result<void>>;
  /** Leaves a chapter out that has not had its turn. Refuses `job.none`. */
  skip(path: string): Promise<Result<void>>;
  /** Once more: what the turns of these chapters left is taken back first. Without paths: all that failed. Then it goes on. */
  retry(path?: string): Promise<Result<void>>;
  /** Takes back what a chapter's turn changed, the author's own words since then left. Refuses `session.busy` while any turn runs, and what undoing refuses. */
  undo(path: string): Promise<Result<UndoOutcome>>;
  /** All files as before the job; what stands there now is kept as a checkpoint. Refuses `session.busy` and what restoring refuses. */
  takeBack(): Promise<Result<void>>;
  /** Forgets the list; what was changed stays. Refuses `job.open` while it runs. */
  close(): Promise<Result<void>>;
  /** The author has renamed chapters, all at once: the list goes along. */
  follow(renames: readonly { readonly from: string; readonly to: string }[]): Promise<Result<void>>;
  onChange(listener: (job: JobView | undefined) => void): () => void;
  /** The window goes away: nothing is written any more, and another one may go on. */
  dispose(): Promise<void>;
}
