import * as z from 'zod';

/** Where a job's list lies: one file a job, of this machine alone. */
export const JOBS_FOLDER = '.liyuan/local/jobs';

/**
 * `running`: its turn is under way, or was when the window went away. `skipped`: there was nothing to change, or the author left it out.
 * `undone`: what was changed has been taken back.
 */
const chapterSchema = z.object({
  path: z.string(),
  title: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'skipped', 'failed', 'undone']),
  /** Its newest turn that has ended. */
  turnId: z.string().optional(),
  /** 字 that the turn added and removed, or proposes to. */
  added: z.number().optional(),
  removed: z.number().optional(),
  proposed: z.boolean().optional(),
  /** Why it failed: an error code. */
  code: z.string().optional(),
});

/** `.liyuan/local/jobs/<id>.json`. */
export const jobFile = z.object({
  v: z.literal(1),
  id: z.string(),
  /** The author's words. */
  instruction: z.string(),
  sessionId: z.string(),
  /** The checkpoint of before its first turn. */
  before: z.string(),
  createdAt: z.number(),
  state: z.enum(['running', 'paused', 'finished', 'takenBack']),
  /** Why it was paused, when the author did not do it: an error code. */
  reason: z.string().optional(),
  chapters: z.array(chapterSchema),
});

export type JobChapter = Readonly<z.infer<typeof chapterSchema>>;
export type JobChapterState = JobChapter['state'];
/** One thing done in chapter after chapter. */
export type Job = Readonly<Omit<z.infer<typeof jobFile>, 'chapters'>> & { readonly chapters: readonly JobChapter[] };

export interface JobProgress {
  readonly total: number;
  /** Chapters that need nothing more: changed, left as they are, or taken back. */
  readonly settled: number;
  readonly changed: number;
  readonly failed: number;
  readonly waiting: number;
  /** 字 that stand changed, or proposed. */
  readonly added: number;
  readonly removed: number;
}

export function progressOf({ chapters }: Pick<Job, 'chapters'>): JobProgress {
  const count = (...states: readonly JobChapterState[]): number => chapters.filter(({ state }) => states.includes(state)).length;
  const stand = chapters.filter(({ state }) => state === 'done' || state === 'failed');
  return {
    total: chapters.length,
    settled: count('done', 'skipped', 'undone'),
    changed: count('done'),
    failed: count('failed'),
    waiting: count('waiting', 'running'),
    added: stand.reduce((sum, { added = 0 }) => sum + added, 0),
    removed: stand.reduce((sum, { removed = 0 }) => sum + removed, 0),
  };
}

/** The chapter whose turn is next: one that was interrupted, else the first that waits. */
export function nextChapter({ chapters }: Pick<Job, 'chapters'>): JobChapter | undefined {
  return chapters.find(({ state }) => state === 'running') ?? chapters.find(({ state }) => state === 'waiting');
}

/** A chapter in another state; what it was before is forgotten, but for its turn. */
export function withChapter(job: Job, path: string, change: Partial<Omit<JobChapter, 'path' | 'title'>> & Pick<JobChapter, 'state'>): Job {
  const changed = ({ title, turnId }: JobChapter): JobChapter => ({ path, title, ...(turnId === undefined ? {} : { turnId }), ...change });
  return { ...job, chapters: job.chapters.map((one) => (one.path === path ? changed(one) : one)) };
}
