import type { Engine, Entry, EntryOf, FileChange, ForbiddenInText, Log, Result } from '../../../engine/index';
import type { ChangedFile } from './changed-files';
import { changedFiles } from './changed-files';

/** What each turn's agent checkpoint changed, compared once and kept. */
export interface TurnChangesCache {
  filesOf(checkpointId: string): readonly ChangedFile[] | undefined;
  /** Compares those not known yet, newest first; resolves to the checkpoints that are new in the cache. */
  load(checkpointIds: readonly string[]): Promise<readonly string[]>;
  changesOf(checkpointId: string): Promise<Result<readonly FileChange[]>>;
}

export function createTurnChangesCache(engine: Pick<Engine, 'checkpoints' | 'rules'>, log: Log): TurnChangesCache {
  const known = new Map<string, readonly FileChange[]>();
  const forbidden = new Map<string, ReadonlyMap<string, readonly ForbiddenInText[]>>();

  async function changesOf(id: string): Promise<Result<readonly FileChange[]>> {
    const cached = known.get(id);
    if (cached !== undefined) return { ok: true, value: cached };
    const record = await engine.checkpoints.get(id);
    if (!record.ok) return record;
    const changes = await engine.checkpoints.compare(record.value.parents[0] ?? null, id);
    if (changes.ok) known.set(id, changes.value);
    return changes;
  }

  return {
    filesOf: (id) => {
      const changes = known.get(id);
      return changes === undefined ? undefined : changedFiles(changes, forbidden.get(id));
    },
    load: async (ids) => {
      const loaded: string[] = [];
      for (const id of ids) {
        if (known.has(id)) continue;
        const changes = await changesOf(id);
        if (changes.ok) {
          loaded.push(id);
          forbidden.set(id, await engine.rules.forbiddenIn(changes.value));
        } else log.warn('changes of a checkpoint could not be compared', { id, code: changes.error.code });
      }
      return loaded;
    },
    changesOf,
  };
}

/** The agent's checkpoints of a branch with their turns, newest first. */
export function agentCheckpoints(entries: readonly Entry[]): readonly { readonly turnId: string; readonly entry: EntryOf<'checkpoint'> }[] {
  const found: { turnId: string; entry: EntryOf<'checkpoint'> }[] = [];
  let turnId = '';
  for (const entry of entries) {
    if (entry.type === 'user') turnId = entry.id;
    if (entry.type === 'checkpoint' && entry.data.author === 'agent' && turnId !== '') found.unshift({ turnId, entry });
  }
  return found;
}
