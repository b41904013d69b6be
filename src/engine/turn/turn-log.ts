import type { EngineError } from '../ports/result';
import type { Entry, NewEntry } from '../session/entries';
import type { Session } from '../session/session';
import type { TurnEvent } from './events';

/** The branch as this turn sees it: what was there, and what the turn writes. */
export interface TurnLog {
  readonly session: Session;
  /** Root first, grows with the turn. */
  readonly entries: readonly Entry[];
  /** Appends at the leaf and tells the reader; `false` when the session cannot be written any more (`failure` says why). */
  append(entries: readonly NewEntry[], durable: boolean): Promise<boolean>;
  /** Takes an entry of this branch that was appended elsewhere. */
  readonly note: (entry: Entry) => void;
  failure(): EngineError | undefined;
}

export function createTurnLog(session: Session, emit: (event: TurnEvent) => void): TurnLog {
  const entries: Entry[] = [...session.branch()];
  let failure: EngineError | undefined;
  const note = (entry: Entry): void => {
    entries.push(entry);
    emit({ type: 'entry', entry });
  };
  return {
    session,
    entries,
    async append(added, durable) {
      if (added.length === 0) return true;
      const appended = await session.append(added, { durable });
      if (!appended.ok) {
        failure = appended.error;
        return false;
      }
      appended.value.forEach(note);
      return true;
    },
    note,
    failure: () => failure,
  };
}
