import type { Clock } from '../ports/clock';
import type { Log } from '../ports/log';
import { ok, type Result } from '../ports/result';
import type { ObjectStore } from '../store/objects';
import type { Base } from './checkpoint-room';
import type { PresentObjects } from './present-objects';
import type { LiveFiles } from './scan';

/** How long after a checkpoint the objects are looked at, in milliseconds: nobody waits for it, and several checkpoints in a row need it once. */
const LOOK_AFTER_MS = 1_000;

/**
 * Objects that went without a word (a pull, a checkout, a cloud drive, by hand): soon after a checkpoint its objects are looked for, and what
 * is not there is stored anew, as long as its file still holds those words.
 */
export interface MissingObjects {
  /** Looks soon; nobody waits for it. */
  soon(): void;
}

export function createMissingObjects(deps: {
  readonly clock: Clock;
  readonly log: Log;
  readonly objects: ObjectStore;
  readonly present: PresentObjects;
  readonly base: () => Promise<Result<Base>>;
  readonly scan: () => Promise<Result<LiveFiles>>;
  readonly reading: <T>(operation: () => Promise<Result<T>>) => Promise<Result<T>>;
  readonly writing: <T>(operation: () => Promise<Result<T>>) => Promise<Result<T>>;
}): MissingObjects {
  const { clock, log, objects, present } = deps;
  let due = false;

  const restore = async (missing: ReadonlySet<string>): Promise<Result<void>> => {
    const base = await deps.base();
    if (!base.ok) return base;
    const live = await deps.scan();
    if (!live.ok) return live;
    for (const [path, sha] of base.value.manifest) {
      if (!missing.has(sha) || (await objects.has(sha))) continue;
      const bytes = live.value.manifest.get(path) === sha ? await live.value.read(path) : undefined;
      const stored = bytes === undefined ? undefined : await objects.put(bytes);
      present.written(stored === undefined ? [] : [stored]);
      if (stored === sha) log.info('a stored text was gone and is stored anew', { path, sha });
      else log.warn('a stored text is gone, and its file holds other words by now', { path, sha });
    }
    return ok(undefined);
  };

  const look = async (): Promise<Result<void>> => {
    // The base is known already: one stat of the log. The look itself holds nobody up.
    const base = await deps.reading(deps.base);
    if (!base.ok) return base;
    const missing = await present.missing(base.value.manifest.values());
    return missing.size === 0 ? ok(undefined) : deps.writing(() => restore(missing));
  };

  return {
    soon() {
      if (due) return;
      due = true;
      clock.after(LOOK_AFTER_MS, () => {
        due = false;
        look().then(
          (looked) => {
            if (!looked.ok) log.warn('the stored texts could not be looked for', { code: looked.error.code });
          },
          (error: unknown) => log.warn('the stored texts could not be looked for', { error: String(error) }),
        );
      });
    },
  };
}
