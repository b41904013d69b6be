import type { Result } from '../ports/result';
import { refuse } from '../ports/result';

/** Who may work: one turn per session, and restores only while no turn runs. */
export interface TurnGate {
  /** Takes the session for a turn; the returned function gives it back. `undefined`: busy. */
  enter(sessionId: string): (() => void) | undefined;
  /** Whether a turn runs in this session; without one, in any, or a restore does. */
  busy(sessionId?: string): boolean;
  /** Runs `f` while no turn runs and none may start. Refuses `session.busy`. */
  alone<T>(f: () => Promise<Result<T>>): Promise<Result<T>>;
}

export function createTurnGate(): TurnGate {
  const running = new Set<string>();
  let locked = false;
  return {
    enter(sessionId) {
      if (locked || running.has(sessionId)) return undefined;
      running.add(sessionId);
      return () => void running.delete(sessionId);
    },
    busy: (sessionId) => (sessionId === undefined ? locked || running.size > 0 : running.has(sessionId)),
    async alone(f) {
      if (locked || running.size > 0) return refuse('session.busy');
      locked = true;
      try {
        return await f();
      } finally {
        locked = false;
      }
    },
  };
}
