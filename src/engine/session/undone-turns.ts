import type { Result } from '../ports/result';
import type { Session } from './session';

const keyOf = (turnId: string): string => `turn:${turnId}:undone`;

/** Whether what a turn did to the files has been taken back. Its branch may be shown again: then its changes must not seem to stand. */
export const isTurnUndone = (session: Pick<Session, 'meta'>, turnId: string): boolean => session.meta(keyOf(turnId)) === true;

export const markTurnUndone = (session: Session, turnId: string): Promise<Result<void>> => session.setMeta(keyOf(turnId), true);
