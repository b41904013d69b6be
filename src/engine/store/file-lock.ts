import * as nodeFs from 'node:fs';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { lock as acquire } from 'proper-lockfile';
import * as z from 'zod';
import type { Lock, LockHolder } from '../ports/files';
import { EngineFailure } from '../ports/result';
import { errnoOf, storeFailure } from './failures';
import type { Pace } from './pace';

/** A lock whose heartbeat is older than this is taken over, in milliseconds. */
export const STALE_MS = 15_000;

/** What lies beside a lock; `token` is new each time it is taken. */
const holderFile = z.object({ token: z.string(), host: z.string(), app: z.string(), pid: z.number() });
const holderPath = (absolute: string): string => `${absolute}.json`;

type Callback = (error: unknown, result?: unknown) => void;
/** As `proper-lockfile` asks for its `fs`. */
export type LockFs = Pick<typeof nodeFs, 'utimes' | 'rmdirSync'> & {
  readonly [name in 'mkdir' | 'rmdir' | 'stat']: (path: string, done: Callback) => void;
};

/** The part of `node:fs` that locks stand on; on a fast disk a folder is made and taken away at once. */
export function createLockFs(pace: Pace): LockFs {
  const quickly =
    (now: (path: string) => unknown, later: (path: string, done: Callback) => void) =>
    (path: string, done: Callback): void => {
      if (!pace.fast()) return later(path, done);
      let result: unknown;
      try {
        result = pace.measure(() => now(path));
      } catch (error) {
        return done(error);
      }
      done(null, result);
    };
  return {
    utimes: nodeFs.utimes,
    rmdirSync: nodeFs.rmdirSync,
    mkdir: quickly((path) => nodeFs.mkdirSync(path), (path, done) => nodeFs.mkdir(path, done)),
    rmdir: quickly((path) => nodeFs.rmdirSync(path), (path, done) => nodeFs.rmdir(path, done)),
    stat: quickly((path) => nodeFs.statSync(path), (path, done) => nodeFs.stat(path, done)),
  };
}

/**
 * Takes the lock at `absolute` (its folder exists); `path` names it in refusals. The heartbeat is a third of `staleMs`.
 * A lock that is taken over or cannot be kept alive is lost: that settles `lost` and never throws.
 */
export async function takeLock(
  absolute: string,
  path: string,
  { staleMs = STALE_MS, holder, fs }: { readonly staleMs?: number; readonly holder?: LockHolder; readonly fs?: LockFs } = {},
): Promise<Lock> {
  let held = true;
  let lose = (): void => undefined;
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });
  const token = randomUUID();
  let release: () => Promise<void>;
  try {
    release = await acquire(absolute, {
      lockfilePath: absolute,
      realpath: false,
      ...(fs === undefined ? {} : { fs }),
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
  if (holder !== undefined) {
    try {
      await writeFile(holderPath(absolute), JSON.stringify({ token, ...holder }));
    } catch (error) {
      await release();
      throw storeFailure(error, path);
    }
  }

  /** Whether the name beside the lock is still ours. What cannot be read for another reason than that it is gone says nothing. */
  const isOurs = (): boolean => {
    try {
      return readFileSync(holderPath(absolute), 'utf8').includes(token);
    } catch (error) {
      return errnoOf(error) !== 'ENOENT';
    }
  };

  return {
    lost,
    held() {
      if (held && holder !== undefined && !isOurs()) {
        held = false;
        lose();
      }
      return held;
    },
    async release() {
      if (!held) return;
      const ours = holder !== undefined && isOurs();
      held = false;
      try {
        if (ours) await rm(holderPath(absolute), { force: true });
        if (holder === undefined || ours) await release();
      } catch (error) {
        if (errnoOf(error) !== 'ERELEASED') throw storeFailure(error, path);
      }
    },
  };
}

/** The name beside a lock; `undefined` when there is none, or it is none of ours. */
export async function readHolder(absolute: string): Promise<LockHolder | undefined> {
  try {
    const { token: _, ...holder } = holderFile.parse(JSON.parse(await readFile(holderPath(absolute), 'utf8')));
    return holder;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

/** Takes a lock away. Its holder finds the name beside it gone before the next write, and the lock at the next heartbeat. */
export async function breakLock(absolute: string): Promise<void> {
  await rm(holderPath(absolute), { force: true });
  await rm(absolute, { force: true, recursive: true });
}
