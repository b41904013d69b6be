import type { Checkpoints, UndoOutcome } from '../manuscript/checkpoints';
import type { Result } from '../ports/result';
import { ok } from '../ports/result';
import type { Review } from '../review/review';
import type { Session } from '../session/session';
import { markTurnUndone } from '../session/undone-turns';
import type { TurnGate } from '../turn/gate';

export interface TakeBackDeps {
  readonly checkpoints: Checkpoints;
  readonly review: Review;
  readonly gate: TurnGate;
  readonly withSession: <T>(id: string, f: (session: Session) => Promise<Result<T>>) => Promise<Result<T>>;
}

/** Takes one chapter's turn back: its edits, and what it proposes. The conversation stays where it is. No turn runs meanwhile. */
export function takeBackTurn(deps: TakeBackDeps, sessionId: string, turnId: string | undefined): Promise<Result<UndoOutcome>> {
  const { checkpoints, review, gate, withSession } = deps;
  if (turnId === undefined) return Promise.resolve(ok({ undone: [], conflicts: [] }));
  return gate.alone(() =>
    withSession(sessionId, async (session) => {
      const undone = await checkpoints.undoTurn({ sessionId, userEntryId: turnId });
      if (!undone.ok && undone.error.code !== 'undo.nothing') return undone;
      const dropped = await review.drop(sessionId, [turnId]);
      if (!dropped.ok) return dropped;
      const marked = await markTurnUndone(session, turnId);
      if (!marked.ok) return marked;
      return undone.ok ? undone : ok({ undone: [], conflicts: [] });
    }),
  );
}
