import { ok, refuse, type Result } from '../ports/result';
import type { Session } from './session';

const keyOf = (rootId: string): string => `subtree:${rootId}:deleted`;

type Reads = Pick<Session, 'meta' | 'stub'>;

/** Whether the subtree that begins with this entry was deleted, by itself. */
export const isDeletedRoot = (session: Pick<Session, 'meta'>, rootId: string): boolean => session.meta(keyOf(rootId)) === true;

/** Whether an entry lies in a deleted subtree. */
export function isDeleted(session: Reads, id: string): boolean {
  const seen = new Set<string>();
  for (let at: string | null = id; at !== null && !seen.has(at); at = session.stub(at)?.parentId ?? null) {
    if (isDeletedRoot(session, at)) return true;
    seen.add(at);
  }
  return false;
}

/**
 * Deletes a turn, or one variant of it, by its first entry: the leaf goes before it when it stands in it, and the subtree is marked. Nothing
 * is removed; `restoreSubtree` takes it back. Refuses `session.unknown-entry` and what appending refuses.
 */
export async function deleteSubtree(session: Session, rootId: string): Promise<Result<void>> {
  const root = session.stub(rootId);
  if (root === undefined) return refuse('session.unknown-entry', { id: rootId });
  // The leaf first: after a crash in between nothing is shown that is deleted.
  if (session.isOnBranch(rootId)) {
    const moved = await session.setLeaf(root.parentId !== null && session.stub(root.parentId) !== undefined ? root.parentId : null);
    if (!moved.ok) return moved;
  }
  return isDeletedRoot(session, rootId) ? ok(undefined) : session.setMeta(keyOf(rootId), true);
}

/** Takes a deletion back; the leaf stays where it is. */
export async function restoreSubtree(session: Session, rootId: string): Promise<Result<void>> {
  if (session.stub(rootId) === undefined) return refuse('session.unknown-entry', { id: rootId });
  return isDeletedRoot(session, rootId) ? session.setMeta(keyOf(rootId), false) : ok(undefined);
}
