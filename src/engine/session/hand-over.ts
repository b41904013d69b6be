import * as z from 'zod';
import type { Clock } from '../ports/clock';
import type { Files, Lock, LockHolder } from '../ports/files';
import { EngineFailure, fail, ok, refuse, type Result } from '../ports/result';
import { parseLine } from './entry-line';

/** How often the holder of a lock looks whether another window wants it, and that window whether it is free, in ms. */
const LOOK_MS = 500;
/** A wish older than this is of a window that is gone, in ms. */
const WISH_MS = 10_000;
/** How long a window waits for another to give a lock up, in ms. */
export const PATIENCE_MS = 8_000;

const wish = z.object({ ts: z.number() });
const wishPath = (lock: string): string => `${lock}.wanted`;

interface Deps {
  readonly files: Files;
  readonly clock: Clock;
}

/** Whether another window wants the lock now. */
async function isWanted({ files, clock }: Deps, lock: string): Promise<boolean> {
  const bytes = Buffer.from((await files.read(wishPath(lock))) ?? new Uint8Array());
  const read = wish.safeParse(parseLine(bytes, 0, bytes.length));
  return read.success && Math.abs(clock.now() - read.data.ts) < WISH_MS;
}

/** Calls `wanted` whenever another window wants the lock and `wanted` may be called again; the returned function ends it. */
export function watchForWish(deps: Deps & { readonly onError: (error: unknown) => void }, lock: string, wanted: () => Promise<void>): () => void {
  let ended = false;
  let cancel = (): void => undefined;
  const look = async (): Promise<void> => {
    try {
      if (await isWanted(deps, lock)) await wanted();
    } catch (error) {
      deps.onError(error);
    }
    if (!ended) cancel = deps.clock.after(LOOK_MS, () => void look());
  };
  cancel = deps.clock.after(LOOK_MS, () => void look());
  return () => {
    ended = true;
    cancel();
  };
}

/**
 * Asks the window that holds `lock` to give it up, and takes it. With `force` it is taken away. Refuses `session.held` `{host, app}` when it
 * is not given up in time, `session.not-taken` when `signal` ended the waiting, and `store.*`.
 */
export async function takeFrom(
  deps: Deps,
  lock: string,
  options: { readonly holder: LockHolder; readonly force: boolean; readonly signal: AbortSignal },
): Promise<Result<Lock>> {
  const { files, clock } = deps;
  const { holder, force, signal } = options;
  const began = clock.now();
  try {
    if (force) await files.breakLock(lock);
    for (;;) {
      try {
        return ok(await files.lock(lock, { holder }));
      } catch (error) {
        if (!(error instanceof EngineFailure) || error.error.code !== 'store.locked') throw error;
      }
      if (signal.aborted) return refuse('session.not-taken');
      if (clock.now() - began >= PATIENCE_MS) return refuse('session.held', { ...(await files.lockHolder(lock)) });
      await files.writeAtomic(wishPath(lock), Buffer.from(JSON.stringify({ ts: clock.now() })), { fsync: false });
      await pause(clock, LOOK_MS, signal);
    }
  } catch (error) {
    if (error instanceof EngineFailure) return fail(error.error);
    throw error;
  } finally {
    await files.remove(wishPath(lock));
  }
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    const stop = (): void => {
      cancel();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
