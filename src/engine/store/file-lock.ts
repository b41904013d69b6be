import { lock as acquire } from 'proper-lockfile';
import type { Lock } from '../ports/files';
import { EngineFailure } from '../ports/result';
import { errnoOf, storeFailure } from './failures';

/** A lock whose heartbeat is older than this is taken over, in milliseconds. */
export const STALE_MS = 15_000;

/**
 * Takes the lock at `absolute` (its folder exists); `path` names it in refusals. The heartbeat is a third of `staleMs`.
 * A lock that is taken over or cannot be kept alive is lost: that settles `lost` and never throws.
 */
export async function takeLock(absolute: string, path: string, staleMs: number = STALE_MS): Promise<Lock> {
  let held = true;
  let lose = (): void => undefined;
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  let release: () => Promise<void>;
  try {
    release = await acquire(absolute, {
      lockfilePath: absolute,
      realpath: false,
      stale: staleMs,
      update: Math.floor(staleMs / 3),
      onCompromised: () => {
        held = false;
        lose();
      },
    });
  } catch (error) {
    if (errnoOf(error) === 'ELOCKED') throw new EngineFailure({ code: 'store.locked', args: { path } });
    throw storeFailure(error, path);
  }
  return {
    lost,
    held: () => held,
    async release() {
      if (!held) return;
      held = false;
      try {
        await release();
      } catch (error) {
        if (errnoOf(error) !== 'ERELEASED') throw storeFailure(error, path);
      }
    },
  };
}
