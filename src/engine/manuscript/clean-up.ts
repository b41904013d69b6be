import { ok, refuse, type Result } from '../ports/result';
import { refusing } from '../store/failures';
import type { StoredObject } from '../store/objects';
import { LOG_PATH } from './checkpoint-history';
import type { CheckpointRoom } from './checkpoint-room';
import type { CleanUpOutcome, CleanUpPlan } from './checkpoints';
import { removable, SWEPT_AFTER_MS } from './clean-up-rules';
import { namedObjects, type InTurn } from './named-objects';
import { namedCheckpoints } from './named-checkpoints';

/** A pause as long as this between two removals, in milliseconds: the machine slept, and another window may have taken over. */
const LONG_PAUSE_MS = 5_000;

interface Sweep {
  readonly plan: CleanUpPlan;
  readonly objects: readonly StoredObject[];
}

/** Giving up old checkpoints and the objects that nothing names any more. */
export interface CleanUp {
  plan(): Promise<Result<CleanUpPlan>>;
  carryOut(ids: readonly string[]): Promise<Result<CleanUpOutcome>>;
}

export function createCleanUp(room: CheckpointRoom): CleanUp {
  const { clock, objects, log } = room.deps;

  /** `only`: of the checkpoints that may go, those that the person has seen. */
  const look = async (inTurn: InTurn, only?: ReadonlySet<string>): Promise<Result<Sweep>> => {
    const all = await inTurn(() => room.history.all());
    if (!all.ok) return all;
    // Listed first: what is written while the names are read is young.
    const stored = await objects.entries();
    const now = clock.now();
    const going = removable(all.value, now, await namedCheckpoints(room.deps.files)).filter(({ id }) => only?.has(id) !== false);
    const pruned = new Set([...all.value.pruned, ...going.map(({ id }) => id)]);
    const kept = all.value.records.size - pruned.size;
    const named = await namedObjects(room, all.value, pruned, inTurn);
    if (!named.ok) return named;
    const swept = stored.filter(
      ({ sha, mtimeNs }) => (sha === undefined || !named.value.has(sha)) && now - Number(mtimeNs / 1_000_000n) > SWEPT_AFTER_MS,
    );
    return ok({
      objects: swept,
      plan: {
        checkpoints: going,
        kept,
        objects: swept.length,
        bytes: swept.reduce((sum, { size }) => sum + size, 0),
      },
    });
  };

  return {
    // Others take their turns in between: what they change is looked at once more when it is carried out, under the lock.
    plan: () =>
      refusing('.liyuan', async () => {
        const found = await look(room.reading);
        return found.ok ? ok(found.value.plan) : found;
      }, 'reading'),
    carryOut: (ids) =>
      room.writing(async () => {
        // Its way back is in the store and in what it names; it is ended first.
        if (room.openRestore() !== undefined) return refuse('restore.open');
        const found = await look((work) => work(), new Set(ids));
        if (!found.ok) return found;
        const { plan, objects: swept } = found.value;
        if (plan.checkpoints.length === 0 && swept.length === 0) return ok({ checkpoints: 0, objects: 0, bytes: 0 });
        // Durable before the first object goes: after a crash the rest is found again, by whoever cleans up next.
        const told = await room.history.append([{ type: 'prune', ids: plan.checkpoints.map(({ id }) => id), ts: clock.now() }]);
        if (!told.ok) return told;
        let removed = 0;
        let bytes = 0;
        let last = clock.now();
        for (const object of swept) {
          // What was nobody's may be somebody's by now; the rest is found again by the next clean-up.
          if (!room.holds() || clock.now() - last > LONG_PAUSE_MS) return refuse('store.lock-lost', { path: LOG_PATH });
          last = clock.now();
          if (!(await objects.remove(object))) continue;
          removed += 1;
          bytes += object.size;
        }
        log.info('cleaned up', { checkpoints: plan.checkpoints.length, objects: removed, bytes });
        return ok({ checkpoints: plan.checkpoints.length, objects: removed, bytes });
      }),
  };
}
