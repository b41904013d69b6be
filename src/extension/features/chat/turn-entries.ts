import type { Entry, Session } from '../../../engine/index';

type Tree = Pick<Session, 'get' | 'leaf' | 'path' | 'stub'>;

/**
 * The entries of the branch from a turn's user entry to the leaf, or of the last turn; nothing when there is no such turn.
 * Walks up from the leaf and reads nothing above that entry, so that it costs what the turn costs and not what the branch does.
 */
export function entriesSince(session: Tree, turnId?: string): readonly Entry[] {
  const ids: string[] = [];
  const seen = new Set<string>();
  for (let at = session.leaf(); at !== null && !seen.has(at); ) {
    const stub = session.stub(at);
    if (stub === undefined) return [];
    seen.add(at);
    ids.push(at);
    if (turnId === undefined ? stub.type === 'user' : at === turnId) return read(session, ids.reverse());
    at = stub.parentId;
  }
  return [];
}

/** Entries of types this version does not know are among them; every reader passes those over. */
const read = (session: Tree, ids: readonly string[]): readonly Entry[] => ids.flatMap((id) => (session.get(id) as Entry | undefined) ?? []);

/** The ids of the turns after this one on the branch; nothing of theirs is read. */
export function turnsAfter(session: Tree, turnId: string): readonly string[] {
  const path = session.path();
  const at = path.indexOf(turnId);
  return at === -1 ? [] : path.slice(at + 1).filter((id) => session.stub(id)?.type === 'user');
}
