import type { Result } from './ports/result';
import type { Session, Sessions } from './session/session';

/** Sessions, with a record of who has which open, so that the engine's own short uses never close one under a view. */
export interface OpenSessions {
  readonly sessions: Sessions;
  /** Uses a session: the open one, or one opened for as long as `f` runs. */
  with<T>(id: string, f: (session: Session) => Promise<Result<T>>): Promise<Result<T>>;
  /** Closes all that were opened. */
  close(): Promise<void>;
}

export function createOpenSessions(inner: Sessions): OpenSessions {
  const taken = new Map<string, Session>();
  const take = (session: Result<Session>): Result<Session> => {
    if (session.ok) taken.set(session.value.header.id, session.value);
    return session;
  };
  return {
    sessions: {
      list: () => inner.list(),
      create: async (input) => take(await inner.create(input)),
      open: async (id) => take(await inner.open(id)),
      takeOver: async (id, options) => take(await inner.takeOver(id, options)),
    },
    async with(id, f) {
      const session = await inner.open(id);
      if (!session.ok) return session;
      try {
        return await f(session.value);
      } finally {
        if (taken.get(id) !== session.value) await session.value.close();
      }
    },
    async close() {
      await Promise.all([...taken.values()].map((session) => session.close()));
      taken.clear();
    },
  };
}
