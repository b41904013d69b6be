import type { Clock } from '../ports/clock';
import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { EngineFailure } from '../ports/result';
import { mapLimited } from './limited';

/** Younger ones may still be written, by another window. */
const OLD_MS = 3_600_000;
const AT_ONCE = 16;
const LATER_MS = 20_000;
/** Where files are written under a temporary name. Objects get theirs above their two-letter folders. */
const PLACES = [
  { dir: '.liyuan/objects', depth: 0 },
  { dir: '.liyuan/cache', depth: 1 },
  { dir: '.liyuan/local', depth: 1 },
] as const;

/** Removed in one go at most: the rest is left for the next time. */
const MOST = 2_000;

export interface SweepDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Removes what processes that were killed have left: `*.tmp`, older than an hour, so many at most. What cannot be removed is left for the
 * next time, and so is everything once `signal` is aborted.
 */
export async function sweepTemporary({ files, clock, log }: SweepDeps, signal: AbortSignal, most = MOST): Promise<void> {
  let left = most;
  const sweep = async (dir: string, depth: number): Promise<number> => {
    const entries = signal.aborted ? [] : await files.list(dir);
    const removed = await mapLimited(entries, AT_ONCE, async ({ name, kind }): Promise<number> => {
      const path = `${dir}/${name}`;
      if (signal.aborted || left <= 0) return 0;
      if (kind === 'directory') return depth > 0 ? sweep(path, depth - 1) : 0;
      if (kind !== 'file' || !name.endsWith('.tmp')) return 0;
      left -= 1;
      const stat = await files.stat(path);
      if (stat === undefined || Number(stat.mtimeNs / 1_000_000n) > clock.now() - OLD_MS) return 0;
      await files.remove(path);
      return 1;
    });
    return removed.reduce((sum, count) => sum + count, 0);
  };
  for (const { dir, depth } of PLACES) {
    try {
      const count = await sweep(dir, depth);
      if (count > 0) log.info('temporary files of a process that was killed were removed', { dir, count });
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      log.debug('temporary files could not be removed', { dir, code: error.error.code });
    }
  }
}

/** Sweeps once, some time after a project was opened, when the author is no longer waiting for it. The returned function ends it. */
export function sweepLater(deps: SweepDeps): () => Promise<void> {
  const stop = new AbortController();
  let sweeping: Promise<void> = Promise.resolve();
  const cancel = deps.clock.after(LATER_MS, () => {
    sweeping = sweepTemporary(deps, stop.signal);
  });
  return () => {
    cancel();
    stop.abort();
    return sweeping;
  };
}
