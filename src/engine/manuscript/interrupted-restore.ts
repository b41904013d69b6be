import { ok, type Result } from '../ports/result';
import { sha256Hex } from '../text/hash';
import type { LogLine } from './checkpoint-log';
import type { CheckpointRoom } from './checkpoint-room';
import type { RestoreLine } from './log-state';

/** What becomes of restores that were begun and not ended. */
export interface Interrupted {
  /** The restore that another one has to wait for. One that has changed all its files, or none, is closed. Under the checkpoint lock. */
  closeIfOver(): Promise<Result<RestoreLine | undefined>>;
  /** For whoever wants to ask the author: one that has changed all its files is closed, any other waits. Takes the lock itself; `undefined` also while another window holds it. */
  open(): Promise<Result<RestoreLine | undefined>>;
}

export function createInterrupted(
  room: CheckpointRoom,
  parts: {
    readonly standing: (path: string) => Promise<Result<Uint8Array | undefined>>;
    readonly ending: (of: string, outcome: 'undone') => LogLine;
    readonly finish: (id: string, how: 'finish') => Promise<Result<void>>;
  },
): Interrupted {
  const { history, deps } = room;
  const { standing, ending, finish } = parts;

  /** Where all the files of a restore stand: as before it, as after it, or neither. */
  const sideOf = async ({ files }: RestoreLine): Promise<Result<'before' | 'after' | undefined>> => {
    const at = { before: true, after: true };
    for (const [path, step] of Object.entries(files)) {
      const bytes = await standing(path);
      if (!bytes.ok) return bytes;
      const now = bytes.value === undefined ? null : sha256Hex(bytes.value);
      at.before &&= now === step.before;
      at.after &&= now === step.after;
      if (!at.before && !at.after) return ok(undefined);
    }
    return ok(at.before ? 'before' : 'after');
  };

  /**
   * As on a disk that was full: all was done, or all was put back, and only that could not be written. `done`: only the former, since of a restore
   * that has changed nothing yet the author may want the rest.
   */
  const close = async (which: 'done' | 'either'): Promise<Result<RestoreLine | undefined>> => {
    const open = room.openRestore();
    if (open === undefined) return ok(undefined);
    const side = await sideOf(open);
    if (!side.ok || side.value === undefined || (side.value === 'before' && which === 'done')) return ok(open);
    const closed = side.value === 'before' ? await history.append([ending(open.id, 'undone')]) : await finish(open.id, 'finish');
    if (!closed.ok) return ok(open);
    deps.log.info('an interrupted restore was over already', { side: side.value });
    return ok(undefined);
  };

  const open = async (): Promise<Result<RestoreLine | undefined>> => {
    const found = await room.reading(async () => ok(room.openRestore()));
    if (!found.ok || found.value === undefined || deps.readOnly === true) return found;
    const left = await room.writing(() => close('done'));
    // Whoever holds the lock may be in the middle of it.
    return left.ok ? left : ok(left.error.code === 'store.locked' ? undefined : found.value);
  };

  return { closeIfOver: () => close('either'), open };
}
