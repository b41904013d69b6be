import * as vscode from 'vscode';
import type { Chapter, DayWords, EngineError } from '../../../engine/index';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';

/** Pause in the author's typing before what is in no checkpoint is counted, ms. */
const PAUSE_MS = 600;
/** Checkpoints come in pairs. */
const TOGETHER_MS = 100;
/** More checkpoints to count than this are told of while it lasts. */
const WORTH_TELLING = 200;
const TELL_EVERY = 100;

export interface Numbers {
  /** From checkpoints. */
  readonly days: readonly DayWords[];
  readonly lost: number;
  /** What is in no checkpoint yet included; the day as `2026-12-01`. */
  readonly today: DayWords;
  readonly chapters: readonly Chapter[];
}

/** How much was written, kept up to date once somebody has asked; shared by the status bar, the view and the export. */
export interface Counter extends vscode.Disposable {
  /** Begins to count, once; later calls do nothing. Never rejects. */
  start(): void;
  /** Counted now: waits for what is being counted. */
  counted(): Promise<Numbers | undefined>;
  readonly numbers: Numbers | undefined;
  readonly error: EngineError | undefined;
  readonly counting: { readonly done: number; readonly total: number } | undefined;
  /** `today`: only that day has changed, by typing. */
  readonly onDidChange: vscode.Event<'all' | 'today'>;
}

export function createCounter(host: Host): Counter {
  const changed = new vscode.EventEmitter<'all' | 'today'>();
  let started = false;
  let numbers: Numbers | undefined;
  let error: EngineError | undefined;
  let counting: { readonly done: number; readonly total: number } | undefined;
  let watched: { readonly project: OpenProject; readonly stop: () => void } | undefined;
  let cancelLater: (() => void) | undefined;
  let cancelMidnight: (() => void) | undefined;
  let abort = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const follow = (project: OpenProject): void => {
    if (watched?.project === project) return;
    watched?.stop();
    watched = {
      project,
      stop: project.documents.watch((event) => {
        if (event.path.startsWith(`${project.engine.manuscript.folder}/`)) later(event.kind === 'changed' && event.source === 'buffer' ? 'today' : 'all', PAUSE_MS);
      }),
    };
  };

  const leave = (): void => {
    abort.abort();
    abort = new AbortController();
    cancelLater?.();
    cancelMidnight?.();
    watched?.stop();
    watched = undefined;
    numbers = undefined;
    error = undefined;
    counting = undefined;
  };

  let wanted: 'all' | 'today' = 'today';
  function later(what: 'all' | 'today', ms: number): void {
    if (what === 'all') wanted = 'all';
    cancelLater?.();
    cancelLater = host.clock.after(ms, () => {
      const which = wanted;
      wanted = 'today';
      run(which);
    });
  }

  const run = (what: 'all' | 'today'): void => {
    running = running.then(() => (what === 'all' ? countAll() : countToday())).catch((failed: unknown) => {
      host.log.error('what was written was not counted', { error: String(failed instanceof Error ? failed.stack : failed) });
    });
  };

  const stop = (refused: EngineError): void => {
    numbers = undefined;
    counting = undefined;
    error = refused;
    changed.fire('all');
  };

  async function countAll(): Promise<void> {
    const { signal } = abort;
    await host.project.settled;
    if (host.project.root === undefined) return stop({ code: 'project.none' });
    const opened = await host.project.opened();
    if (signal.aborted) return;
    if (!opened.ok) return stop(opened.error);
    follow(opened.value);
    const { progress, manuscript } = opened.value.engine;
    const written = await progress.refresh({
      signal,
      progress: (done, total) => {
        if (total < WORTH_TELLING || done % TELL_EVERY !== 0) return;
        counting = { done, total };
        changed.fire('all');
      },
    });
    if (signal.aborted) return;
    if (!written.ok) return stop(written.error);
    const chapters = await manuscript.chapters();
    if (!chapters.ok) return stop(chapters.error);
    const pending = await progress.pending();
    if (signal.aborted) return;
    if (!pending.ok) return stop(pending.error);
    error = undefined;
    counting = undefined;
    const { dayOf } = await import('../../../engine/index');
    const { days, lost } = written.value;
    numbers = { days, lost, today: withPending(days, dayOf(host.clock.now()), pending.value), chapters: chapters.value };
    changed.fire('all');
    atMidnight();
  }

  async function countToday(): Promise<void> {
    const { signal } = abort;
    if (numbers === undefined || watched === undefined) return countAll();
    const pending = await watched.project.engine.progress.pending();
    const { dayOf } = await import('../../../engine/index');
    if (signal.aborted || numbers === undefined) return;
    if (!pending.ok) {
      host.log.warn('what is in no checkpoint yet was not counted', { code: pending.error.code });
      return;
    }
    numbers = { ...numbers, today: withPending(numbers.days, dayOf(host.clock.now()), pending.value) };
    changed.fire('today');
  }

  function atMidnight(): void {
    cancelMidnight?.();
    const next = new Date(host.clock.now());
    next.setHours(24, 0, 1, 0);
    cancelMidnight = host.clock.after(next.getTime() - host.clock.now(), () => { run('all'); });
  }

  const subscriptions = vscode.Disposable.from(
    host.signals.checkpointsChanged.event(() => { if (started) later('all', TOGETHER_MS); }),
    host.project.onDidChange(() => {
      leave();
      if (started) run('all');
    }),
  );

  return {
    start() {
      if (started) return;
      started = true;
      run('all');
    },
    async counted() {
      started = true;
      run('all');
      await running;
      return numbers;
    },
    get numbers() {
      return numbers;
    },
    get error() {
      return error;
    },
    get counting() {
      return counting;
    },
    onDidChange: changed.event,
    dispose() {
      subscriptions.dispose();
      leave();
      changed.dispose();
    },
  };
}

/** A day with what is in no checkpoint yet, which is the author's. */
export function withPending(days: readonly DayWords[], day: string, pending: number): DayWords {
  const known = days.find((one) => one.day === day);
  return { day, user: (known?.user ?? 0) + pending, agent: known?.agent ?? 0 };
}
