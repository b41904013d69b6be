import type { Checkpoints } from '../manuscript/checkpoints';
import type { Manuscript } from '../manuscript/manuscript';
import type { Clock } from '../ports/clock';
import type { ErrorCode } from '../ports/errors';
import type { Lock } from '../ports/files';
import type { Result } from '../ports/result';
import { ok } from '../ports/result';
import type { Review } from '../review/review';
import type { Session } from '../session/session';
import type { Turns } from '../turn/turns';
import { runChapter, type ChapterOutcome } from './chapter-turn';
import { nextChapter, withChapter, type Job, type JobChapter } from './job';

export interface RunDeps {
  readonly manuscript: Manuscript;
  readonly checkpoints: Checkpoints;
  readonly review: Review;
  readonly turns: Turns;
  readonly withSession: <T>(id: string, f: (session: Session) => Promise<Result<T>>) => Promise<Result<T>>;
  readonly clock: Clock;
  readonly words: (title: string, instruction: string) => string;
  /** Held until the run has ended. */
  readonly lock: Lock;
  /** The job as it stands: the author changes it while it runs. */
  readonly job: () => Job | undefined;
  /** Keeps it, durable. */
  readonly set: (job: Job) => Promise<void>;
  /** `pausing` or `blocked` has changed. */
  readonly tell: () => void;
}

/** The work on a job from a start to the next pause or its end. */
export interface Run {
  readonly ended: Promise<void>;
  pausing(): boolean;
  blocked(): boolean;
  pause(): void;
  /** Takes a pause that was asked for back. */
  goOn(): void;
  stop(): Promise<void>;
  /** Nothing is kept of what comes from here on: the next window goes on with the chapter under way. */
  abandon(): Promise<void>;
}

/** So many chapters in a row that fail mean that the next will as well. */
const MOST_FAILURES = 3;
/** Between two looks at whether the gate is open again. */
const RETRY_MS = 1_000;

/** What no chapter can do anything about: the job is paused at once, and the chapter waits. */
const HALTING: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'model.not-configured', 'model.bad-settings', 'model.no-key', 'model.not-allowed', 'model.auth', 'model.quota', 'model.not-found', 'model.window-too-small', 'usage.over-budget',
  'workspace.untrusted', 'session.read-only', 'session.not-found', 'store.disk-full', 'store.read-only', 'store.lock-lost', 'asset.missing',
]);

export function createRun(deps: RunDeps): Run {
  const stopNow = new AbortController();
  let pausing = false;
  let blocked = false;
  let abandoned = false;

  const isBlocked = (now: boolean): void => {
    if (blocked === now) return;
    blocked = now;
    deps.tell();
  };

  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        cancel();
        stopNow.signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = deps.clock.after(RETRY_MS, end);
      stopNow.signal.addEventListener('abort', end, { once: true });
    });

  async function turnOf(job: Job, chapter: JobChapter): Promise<ChapterOutcome> {
    const there = await deps.manuscript.chapter(chapter.path);
    if (!there.ok) return { status: 'error', error: there.error };
    if (there.value === undefined) return { status: 'error', error: { code: 'doc.not-found' } };
    const words = deps.words(chapter.title, job.instruction);
    const done = await deps.withSession(job.sessionId, async (session) => ok(await runChapter(deps, session, chapter, words, stopNow.signal)));
    return done.ok ? done.value : { status: 'error', error: done.error };
  }

  /** Notes how the chapter's turn ended. `busy`: it has not had one. */
  async function note(before: JobChapter, { turnId, status, error, changed }: ChapterOutcome): Promise<'fine' | 'failed' | 'halt' | 'busy'> {
    const { path } = before;
    const job = deps.job();
    if (job === undefined) return 'halt';
    const turn = turnId === undefined ? {} : { turnId };
    const counts = changed ?? {};
    if (error?.code === 'session.busy') {
      await deps.set(withChapter(job, path, { state: before.state }));
      return 'busy';
    }
    if (status === 'done') {
      await deps.set(withChapter(job, path, { state: changed === undefined ? 'skipped' : 'done', ...turn, ...counts }));
      return 'fine';
    }
    const code: ErrorCode = status === 'stopped' ? 'turn.aborted' : (error?.code ?? 'internal');
    const halts = status === 'stopped' || HALTING.has(code);
    await deps.set(withChapter(job, path, halts && changed === undefined ? { state: 'waiting', ...turn } : { state: 'failed', code, ...turn, ...counts }));
    return halts ? 'halt' : code === 'doc.not-found' ? 'fine' : 'failed';
  }

  const pausedFor = async (reason?: string): Promise<void> => {
    const job = deps.job();
    if (job !== undefined) await deps.set({ ...job, state: 'paused', ...(reason === undefined ? {} : { reason }) });
  };

  async function work(): Promise<void> {
    let inRow = 0;
    while (!abandoned) {
      const job = deps.job();
      if (job === undefined) return;
      if (pausing || stopNow.signal.aborted) return pausedFor();
      if (!deps.lock.held()) return pausedFor('store.lock-lost');
      const chapter = nextChapter(job);
      if (chapter === undefined) return deps.set({ ...job, state: 'finished' });
      await deps.set(withChapter(job, chapter.path, { state: 'running' }));
      const outcome = await turnOf(job, chapter);
      if (abandoned) return;
      const noted = await note(chapter, outcome);
      isBlocked(noted === 'busy');
      if (noted === 'busy') await wait();
      inRow = noted === 'failed' ? inRow + 1 : noted === 'fine' ? 0 : inRow;
      if (noted === 'halt' && outcome.status !== 'stopped') return pausedFor(outcome.error?.code);
      if (inRow >= MOST_FAILURES) return pausedFor(outcome.error?.code);
    }
  }

  const ended = (async () => {
    try {
      await work();
    } finally {
      isBlocked(false);
      await deps.lock.release();
    }
  })();

  const change = (to: boolean): void => {
    if (pausing === to) return;
    pausing = to;
    deps.tell();
  };

  return {
    ended,
    pausing: () => pausing || stopNow.signal.aborted,
    blocked: () => blocked,
    pause: () => { change(true); },
    goOn: () => { change(false); },
    async stop() {
      stopNow.abort();
      deps.tell();
      await ended;
    },
    async abandon() {
      abandoned = true;
      await deps.lock.release();
    },
  };
}
