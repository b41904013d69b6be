import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { ok, type Result } from '../ports/result';
import { LOG_PATH, type CheckpointHistory } from './checkpoint-history';

const FOLDER = LOG_PATH.slice(0, LOG_PATH.lastIndexOf('/'));
const OWN = LOG_PATH.slice(FOLDER.length + 1);

/** Copies of the checkpoint log that a cloud drive left beside it when two machines wrote at once (`log*.jsonl`, whatever is between). */
export interface ConflictCopies {
  /**
   * Appends the records of copies that the log does not have, as they stand. Under the checkpoint lock. The copies stay; one that
   * has not changed is not read again. Refuses `store.*`.
   */
  unite(): Promise<Result<void>>;
}

export function createConflictCopies(deps: { readonly files: Files; readonly log: Log; readonly history: CheckpointHistory }): ConflictCopies {
  const { files, log, history } = deps;
  /** Name → what it looked like when it was united. */
  const united = new Map<string, string>();

  const linesOf = async (path: string): Promise<readonly string[]> =>
    Buffer.from((await files.read(path)) ?? new Uint8Array())
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '');

  return {
    async unite() {
      const names = (await files.list(FOLDER)).filter(
        ({ name, kind }) => kind === 'file' && name !== OWN && name.startsWith('log') && name.endsWith('.jsonl'),
      );
      for (const { name } of names) {
        const path = `${FOLDER}/${name}`;
        const stat = await files.stat(path);
        const stamp = `${stat?.size ?? 0}-${stat?.mtimeNs ?? 0n}`;
        if (united.get(name) === stamp) continue;
        const own = new Set(await linesOf(LOG_PATH));
        const missing = (await linesOf(path)).filter((line) => !own.has(line));
        const written = await history.takeIn(missing);
        if (!written.ok) return written;
        united.set(name, stamp);
        if (written.value > 0) log.info('a conflict copy of the checkpoint log was united with it', { path, lines: written.value });
      }
      return ok(undefined);
    },
  };
}
