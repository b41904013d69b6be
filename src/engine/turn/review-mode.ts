import type { TurnJournal } from '../manuscript/checkpoints';
import type { Result } from '../ports/result';
import { ok } from '../ports/result';
import type { Session } from '../session/session';
import type { TurnDeps } from './deps';

/** What the tools of a turn work with. */
export interface TurnDesk {
  readonly deps: TurnDeps;
  readonly journal: TurnJournal;
  readonly proposes: boolean;
}

/** Nothing is done to a file, so there is nothing to journal; what checkpoints cover holds all the same. */
const nothingJournalled = ({ locate }: TurnJournal): TurnJournal => ({ locate, record: () => Promise.resolve(ok(undefined)), settled: () => Promise.resolve(), edits: () => [] });

/** In `auto`: the files themselves, each edit journalled. In `review`: the files with what is proposed over them, into which all changes go. */
export async function turnDesk(deps: TurnDeps, session: Session, turnId: string): Promise<Result<TurnDesk>> {
  const turn = { sessionId: session.header.id, userEntryId: turnId };
  const journal = deps.checkpoints.journal(turn);
  if (deps.apply() === 'auto') return ok({ deps, journal, proposes: false });
  const desk = await deps.review.desk(turn.sessionId, turnId);
  return desk.ok ? ok({ deps: { ...deps, ...desk.value }, journal: nothingJournalled(journal), proposes: true }) : desk;
}
