import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs `f` in a fresh, empty folder (its real path) and removes the folder afterwards, whatever happened. */
export async function withTempFolder<T>(f: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'liyuan-')));
  try {
    return await f(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
