import type { Clock } from '../ports/clock';
import type { Documents } from '../ports/documents';
import type { Log } from '../ports/log';
import type { ProjectRules } from '../project/project';
import type { Checkpoints } from './checkpoints';

/** How long nothing may have changed on the disk before a checkpoint is taken, in ms (formats.md, "When"). */
export const QUIET_MS = 30_000;
/** The least time between two of them, in ms. */
export const APART_MS = 600_000;

/**
 * Takes a checkpoint of what changed on the disk outside turns (in this editor, another program, by git), once it has been quiet for 30 s,
 * at most one in 10 minutes. It is the author's. While a turn runs it waits: the turn takes its own. The returned function ends it.
 */
export function watchQuietEdits(deps: {
  readonly documents: Pick<Documents, 'watch'>;
  readonly rules: Pick<ProjectRules, 'covered'>;
  readonly checkpoints: Pick<Checkpoints, 'take'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a turn runs. */
  readonly busy: () => boolean;
  /** A checkpoint was taken. */
  readonly onTaken: () => void;
}): () => void {
  const { documents, rules, checkpoints, clock, log } = deps;
  let cancel: (() => void) | undefined;
  let takenAt = -Infinity;
  let ended = false;

  const lookIn = (ms: number): void => {
    cancel?.();
    cancel = ended ? undefined : clock.after(ms, () => void look());
  };

  const look = async (): Promise<void> => {
    cancel = undefined;
    const early = Math.min(APART_MS, takenAt + APART_MS - clock.now());
    if (early > 0) return lookIn(early);
    if (deps.busy()) return lookIn(QUIET_MS);
    const taken = await checkpoints.take({ author: 'user' });
    if (!taken.ok) {
      log.warn('what changed outside turns could not be kept in a checkpoint', { code: taken.error.code });
    } else if (taken.value !== undefined) {
      takenAt = clock.now();
      deps.onTaken();
    }
  };

  const stop = documents.watch((event) => {
    if (event.source === 'disk' && rules.covered(event.path)) lookIn(QUIET_MS);
  });
  return () => {
    ended = true;
    stop();
    cancel?.();
  };
}
