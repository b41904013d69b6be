import type { GoBackPlan } from './engine';
import type { Checkpoints } from './manuscript/checkpoints';
import type { Result } from './ports/result';
import { ok, refuse } from './ports/result';
import { isKnown } from './session/entry-index';
import type { Session } from './session/session';

/** The turns of the branch from this one on, root first; none when it is not on it. */
export function turnsFrom(session: Pick<Session, 'path' | 'stub'>, turnId: string): readonly string[] {
  const path = session.path();
  const at = path.indexOf(turnId);
  return at === -1 ? [] : path.slice(at).filter((id) => session.stub(id)?.type === 'user');
}

/** What going back to before a turn would touch. */
export async function planGoBack(checkpoints: Pick<Checkpoints, 'compare'>, session: Session, turnId: string): Promise<Result<GoBackPlan>> {
  const turns = turnsFrom(session, turnId);
  if (turns.length === 0) return refuse('session.unknown-entry', { id: turnId });
  const path = session.path();
  const files = new Set<string>();
  let last: string | undefined;
  for (const id of path.slice(path.indexOf(turnId))) {
    if (session.stub(id)?.type !== 'checkpoint') continue;
    const entry = session.get(id);
    if (entry === undefined || !isKnown(entry) || entry.type !== 'checkpoint' || entry.data.author !== 'agent') continue;
    const { data } = entry;
    last = data.id;
    const { added, modified, removed, renamed } = data.changed;
    for (const one of [...added, ...modified, ...removed, ...renamed.map(([, to]) => to)]) files.add(one);
  }
  const since = last === undefined ? ok([]) : await checkpoints.compare(last, 'now');
  // A checkpoint that a clean-up has taken cannot be compared: then all of them may hold the author's words.
  const authored = since.ok ? since.value.map((change) => change.from ?? change.path).filter((one) => files.has(one)) : [...files];
  return ok({ later: turns.length - 1, files: [...files].sort(), authored: authored.sort() });
}
