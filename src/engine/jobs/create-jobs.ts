import type { Checkpoints } from '../manuscript/checkpoints';
import type { Manuscript } from '../manuscript/manuscript';
import type { Clock } from '../ports/clock';
import type { Documents } from '../ports/documents';
import type { Files, Lock, LockHolder } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import type { TokenPrice } from '../ports/models';
import type { Result } from '../ports/result';
import { EngineFailure, fail, ok, refuse } from '../ports/result';
import type { Review } from '../review/review';
import type { Session, Sessions } from '../session/session';
import { createQueue } from '../store/queue';
import type { TurnGate } from '../turn/gate';
import type { Turns } from '../turn/turns';
import { withChapter, type Job, type JobChapter } from './job';
import { createJobStore } from './job-store';
import type { Jobs, JobView } from './jobs';
import { planJob } from './plan';
import { createRun, type Run } from './run';
import { takeBackTurn } from './take-back';

export interface JobsDeps {
  readonly files: Files;
  readonly documents: Documents;
  readonly manuscript: Manuscript;
  readonly checkpoints: Checkpoints;
  readonly review: Review;
  readonly turns: Turns;
  readonly gate: TurnGate;
  readonly sessions: Pick<Sessions, 'create'>;
  /** Uses a session, opened for as long as `f` runs unless it is open. */
  readonly withSession: <T>(id: string, f: (session: Session) => Promise<Result<T>>) => Promise<Result<T>>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly countTokens: (text: string) => Promise<number>;
  readonly tokenFactor?: () => Promise<number>;
  /** Tokens of what every call begins with, without the author's words. */
  readonly standing: () => Promise<number>;
  /** Of the model that writes. */
  readonly price?: () => Promise<TokenPrice | undefined>;
  /** What is said to the model for a chapter. */
  readonly words: (title: string, instruction: string) => string;
  readonly holder?: LockHolder | undefined;
}

const LOCK = '.liyuan/locks/jobs.lock';
const MOST_TITLE = 30;

/** The jobs of a project. */
export function createJobs(deps: JobsDeps): Jobs {
  const { files, checkpoints, clock, ids, log, gate } = deps;
  const store = createJobStore({ files, log });
  /** Locks that a run holds and gives back when it ends. */
  const kept = new WeakSet<Lock>();
  const listeners = new Set<(job: JobView | undefined) => void>();
  /** One change by the author at a time. */
  const commands = createQueue();
  let job: Job | undefined;
  let loaded = false;
  let run: Run | undefined;
  let disposed = false;
  /** Writes go one after another, each of the newest state. */
  const writes = createQueue();

  const view = (): JobView | undefined => (job === undefined ? undefined : { ...job, pausing: run?.pausing() ?? false, blocked: run?.blocked() ?? false });
  const tell = (): void => {
    if (disposed) return;
    const now = view();
    for (const listener of listeners) listener(now);
  };

  const guarded = async <T>(f: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await f();
    } catch (error) {
      if (error instanceof EngineFailure) return fail(error.error);
      throw error;
    }
  };

  /** What lies on the disk; a job that seems to run runs in no window we know of. */
  const load = async (): Promise<void> => {
    const found = await store.newest();
    job = found?.state === 'running' ? { ...found, state: 'paused' } : found;
    loaded = true;
  };

  const set = async (next: Job): Promise<void> => {
    if (disposed) return;
    const before = job;
    job = next;
    tell();
    try {
      await writes.run(() => store.save(job ?? next));
    } catch (error) {
      // What is shown is what the next window would find.
      if (job === next) job = before;
      tell();
      throw error;
    }
  };

  const takeLock = (): Promise<Lock> => files.lock(LOCK, deps.holder === undefined ? {} : { holder: deps.holder });

  /** A run that has nothing more to do still has its lock for a moment. */
  const leaving = async (): Promise<void> => {
    if (run !== undefined && job?.state !== 'running') await run.ended.catch(() => undefined); // what it broke off with is told in `begin`
  };

  /** `f` under the lock, over what lies on the disk now; a run that `f` begins keeps the lock. */
  const exclusively = <T>(f: (lock: Lock | undefined) => Promise<Result<T>>): Promise<Result<T>> =>
    commands.run(() =>
      guarded(async () => {
        await leaving();
        if (run !== undefined) return f(undefined);
        const lock = await takeLock();
        try {
          await load();
          return await f(lock);
        } finally {
          if (!kept.has(lock)) await lock.release();
        }
      }),
    );

  const begin = (lock: Lock): void => {
    kept.add(lock);
    const made = createRun({ ...deps, lock, job: () => job, set, tell });
    run = made;
    const ended = (): void => {
      if (run === made) run = undefined;
      tell();
    };
    made.ended.then(ended, (error: unknown) => {
      log.error('a job has broken off', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      if (job?.state === 'running') job = { ...job, state: 'paused', reason: error instanceof EngineFailure ? error.error.code : 'internal' };
      ended();
    });
  };

  /** Goes on with the job. `lock`: absent where a run was under way when the command began; that may have ended meanwhile. */
  const goOn = async (given: Lock | undefined): Promise<Result<void>> => {
    await leaving();
    if (job === undefined || run !== undefined) {
      run?.goOn();
      return ok(undefined);
    }
    const lock = given ?? (await takeLock());
    try {
      const { reason: _, ...rest } = job;
      await set({ ...rest, state: 'running' });
      begin(lock);
    } finally {
      if (given === undefined && !kept.has(lock)) await lock.release();
    }
    return ok(undefined);
  };

  const chapterAt = (path: string): Result<{ readonly current: Job; readonly chapter: JobChapter }> => {
    const chapter = job?.chapters.find((one) => one.path === path);
    return job === undefined || chapter === undefined ? refuse('job.none') : ok({ current: job, chapter });
  };

  const start: Jobs['start'] = ({ instruction, paths }) =>
    exclusively<JobView>(async (lock) => {
      if (lock === undefined || (job !== undefined && job.state !== 'finished' && job.state !== 'takenBack')) return refuse('job.open');
      const chapters = await deps.manuscript.chapters();
      if (!chapters.ok) return chapters;
      const wanted = new Set(paths);
      const chosen = chapters.value.filter(({ path }) => wanted.has(path));
      if (chosen.length === 0) return refuse('job.none');
      const taken = await checkpoints.take({ author: 'user' });
      if (!taken.ok) return taken;
      const head = await checkpoints.head();
      if (!head.ok) return head;
      if (head.value === undefined) return refuse('checkpoint.not-found');
      const session = await deps.sessions.create({ kind: 'agent', title: titleOf(instruction) });
      if (!session.ok) return session;
      await session.value.close();
      const old = job;
      await set({
        v: 1,
        id: ids.next(),
        instruction,
        sessionId: session.value.header.id,
        before: head.value.id,
        createdAt: clock.now(),
        state: 'running',
        chapters: chosen.map(({ path, title }) => ({ path, title, state: 'waiting' })),
      });
      if (old !== undefined) await store.remove(old.id);
      begin(lock);
      return ok(view() as JobView);
    });

  /** Takes back what a chapter's turn left; nothing to take back is no refusal. */
  const undoTurn = (current: Job, chapter: JobChapter): ReturnType<typeof takeBackTurn> => takeBackTurn(deps, current.sessionId, chapter.turnId);

  const retryOne = async (current: Job, chapter: JobChapter): Promise<Result<void>> => {
    if (chapter.added !== undefined && chapter.state !== 'undone') {
      const undone = await undoTurn(current, chapter);
      if (!undone.ok) return undone;
    }
    await set(withChapter(job ?? current, chapter.path, { state: 'waiting' }));
    return ok(undefined);
  };

  return {
    current: () =>
      commands.run(() =>
        guarded(async () => {
          if (!loaded) await load();
          return ok(view());
        }),
      ),
    plan: ({ instruction, paths }, signal) => guarded(() => planJob(deps, instruction, paths, signal)),
    start,
    pause: () => run?.pause(),
    stop: async () => run?.stop(),
    resume: () =>
      exclusively(async (lock) => {
        if (job === undefined || job.state === 'takenBack') return refuse('job.none');
        return goOn(lock);
      }),
    skip: (path) =>
      exclusively(async () => {
        const at = chapterAt(path);
        if (!at.ok) return at;
        if (at.value.chapter.state === 'waiting') await set(withChapter(at.value.current, path, { state: 'skipped' }));
        return ok(undefined);
      }),
    retry: (path) =>
      exclusively(async (lock) => {
        if (job === undefined) return refuse('job.none');
        const again = job.chapters.filter((one) => (path === undefined ? one.state === 'failed' : one.path === path && one.state !== 'running'));
        for (const chapter of again) {
          const done = await retryOne(job, chapter);
          if (!done.ok) return done;
        }
        // A pause that was asked for stays asked for.
        return again.length > 0 && (run === undefined || job.state !== 'running') ? goOn(lock) : ok(undefined);
      }),
    undo: (path) =>
      exclusively(async () => {
        const at = chapterAt(path);
        if (!at.ok) return at;
        const { current, chapter } = at.value;
        const undone = await undoTurn(current, chapter);
        if (undone.ok) await set(withChapter(job ?? current, path, { state: 'undone' }));
        return undone;
      }),
    takeBack: () =>
      exclusively(async () => {
        const current = job;
        if (current === undefined) return refuse('job.none');
        if (run !== undefined) return refuse('session.busy');
        const restored = await gate.alone(() => checkpoints.restore(current.before));
        if (!restored.ok) return restored;
        const turns = current.chapters.flatMap(({ turnId }) => turnId ?? []);
        const dropped = await deps.review.drop(current.sessionId, turns);
        if (!dropped.ok) log.warn('proposals of a job that was taken back are still there', { code: dropped.error.code });
        const chapters = current.chapters.map(({ path, title, turnId, state }) => ({ path, title, ...(turnId === undefined ? {} : { turnId }), state: state === 'skipped' ? state : ('undone' as const) }));
        await set({ ...current, state: 'takenBack', chapters });
        return ok(undefined);
      }),
    follow: async (renames) => {
      const names = new Map(renames.map(({ from, to }) => [from, to]));
      const known = await commands.run(() => guarded(async () => {
        if (!loaded) await load();
        return ok(job?.chapters.some(({ path }) => names.has(path)) === true);
      }));
      if (!known.ok || !known.value) return known.ok ? ok(undefined) : known;
      return exclusively(async () => {
        if (job === undefined) return ok(undefined);
        const chapters = await deps.manuscript.chapters();
        const titles = new Map((chapters.ok ? chapters.value : []).map(({ path, title }) => [path, title]));
        const follow = (one: JobChapter): JobChapter => {
          const path = names.get(one.path);
          return path === undefined ? one : { ...one, path, title: titles.get(path) ?? one.title };
        };
        await set({ ...job, chapters: job.chapters.map(follow) });
        return ok(undefined);
      });
    },
    close: () =>
      exclusively(async () => {
        if (run !== undefined) return refuse('job.open');
        if (job !== undefined) await store.remove(job.id);
        job = undefined;
        tell();
        return ok(undefined);
      }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async dispose() {
      disposed = true;
      listeners.clear();
      await writes.idle();
      await run?.abandon();
    },
  };
}

/** The first words of the instruction. */
function titleOf(instruction: string): string {
  const line = instruction.trim().split('\n')[0] ?? '';
  const points = [...line];
  return points.length <= MOST_TITLE ? line : `${points.slice(0, MOST_TITLE).join('')}…`;
}
