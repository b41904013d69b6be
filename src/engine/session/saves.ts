import type { Ids } from '../ports/ids';
import { ok, refuse, type Result } from '../ports/result';
import type { EntryData } from './entries';
import type { Session } from './session';
import { isDeleted } from './subtrees';

/** A save that was not deleted. */
export interface Save extends EntryData<'save'> {
  /** Of its entry: where loading goes. */
  readonly entryId: string;
  readonly ts: number;
}

/** What the first line of a session is called, and one that begins at a save; in the project's language. */
export interface LineNames {
  readonly main: string;
  readonly fork: (from: string, n: number) => string;
}

type Reads = Pick<Session, 'get' | 'stub' | 'meta' | 'idsOfType' | 'isOnBranch' | 'leaf'>;

const byTime = (a: Save, b: Save): number => a.ts - b.ts || (a.entryId < b.entryId ? -1 : 1);

/** Every save of the session, oldest first; those deleted, or in a deleted subtree, are left out. Names of lines as they were last given. */
export function allSaves(session: Reads): readonly Save[] {
  return session
    .idsOfType('save')
    .flatMap((entryId): Save[] => {
      const entry = session.get(entryId);
      if (entry?.type !== 'save' || isDeleted(session, entryId)) return [];
      const data = entry.data as EntryData<'save'>;
      if (session.meta(`save:${data.id}:deleted`) === true) return [];
      const lineName = session.meta(`line:${data.worldLineId}:name`);
      return [{ ...data, ...(typeof lineName === 'string' ? { worldLineName: lineName } : {}), entryId, ts: entry.ts }];
    })
    .sort(byTime);
}

/** The saves on the branch of `leaf` (default: the current one), oldest first. */
export const savesOn = (session: Reads, leaf: string | null = session.leaf()): readonly Save[] =>
  allSaves(session).filter(({ entryId }) => session.isOnBranch(entryId, leaf));

/** What a save made here and now would hold (formats.md, "Saves and world lines"). */
export function planSave(session: Reads, input: { readonly name: string; readonly ids: Ids; readonly names: LineNames }): EntryData<'save'> {
  const { name, ids, names } = input;
  const id = ids.next();
  const saves = allSaves(session);
  const prev = saves.filter(({ entryId }) => session.isOnBranch(entryId)).at(-1);
  if (prev === undefined) return { id, name, worldLineId: ids.next(), worldLineName: names.main };
  const goesOnElsewhere = saves.some(
    ({ entryId }) => entryId !== prev.entryId && session.isOnBranch(prev.entryId, entryId) && !session.isOnBranch(entryId),
  );
  if (goesOnElsewhere) {
    const forks = new Set(saves.filter(({ forkFromSaveId }) => forkFromSaveId === prev.id).map(({ worldLineId }) => worldLineId));
    return {
      id,
      name,
      worldLineId: ids.next(),
      worldLineName: names.fork(prev.name, 2 + forks.size),
      parentSaveId: prev.id,
      forkFromSaveId: prev.id,
    };
  }
  return {
    id,
    name,
    worldLineId: prev.worldLineId,
    worldLineName: prev.worldLineName,
    parentSaveId: prev.id,
    ...(prev.forkFromSaveId === undefined ? {} : { forkFromSaveId: prev.forkFromSaveId }),
  };
}

/** Saves at the current leaf, durably. */
export async function saveHere(session: Session, input: { readonly name: string; readonly ids: Ids; readonly names: LineNames }): Promise<Result<Save>> {
  const data = planSave(session, input);
  const written = await session.append([{ type: 'save', data }], { durable: true });
  if (!written.ok) return written;
  const [entry] = written.value;
  return entry === undefined ? refuse('internal') : ok({ ...data, entryId: entry.id, ts: entry.ts });
}

/** Moves the leaf to a save. Refuses `session.unknown-entry` `{id}` for one that is not there or deleted. */
export async function loadSave(session: Session, saveId: string): Promise<Result<void>> {
  const save = allSaves(session).find(({ id }) => id === saveId);
  return save === undefined ? refuse('session.unknown-entry', { id: saveId }) : session.setLeaf(save.entryId);
}

/** Deletes a save softly: its place on the tree stays. */
export const deleteSave = (session: Session, saveId: string): Promise<Result<void>> => session.setMeta(`save:${saveId}:deleted`, true);

/** Names a world line anew. */
export const renameLine = (session: Session, worldLineId: string, name: string): Promise<Result<void>> => session.setMeta(`line:${worldLineId}:name`, name);
