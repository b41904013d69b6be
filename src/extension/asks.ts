import type { AskAnswer, AskRequest } from '../engine/index';

/** Questions the engine has put to the person and that wait for an answer. */
export interface Asks {
  /** Resolves with the answer, or `stopped` when the signal aborts. */
  ask(request: AskRequest, signal: AbortSignal): Promise<AskAnswer>;
  pending(): readonly AskRequest[];
  /** False when no such question waits (answered twice, or the turn is over). */
  answer(askId: string, answer: AskAnswer): boolean;
  onDidChange(listener: () => void): () => void;
}

export function createAsks(): Asks {
  const waiting = new Map<string, { readonly request: AskRequest; readonly settle: (answer: AskAnswer) => void }>();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    ask: (request, signal) =>
      new Promise((resolve) => {
        const settle = (answer: AskAnswer): void => {
          waiting.delete(request.askId);
          signal.removeEventListener('abort', stop);
          resolve(answer);
          changed();
        };
        const stop = (): void => { settle({ kind: 'stopped' }); };
        if (signal.aborted) {
          resolve({ kind: 'stopped' });
          return;
        }
        signal.addEventListener('abort', stop, { once: true });
        waiting.set(request.askId, { request, settle });
        changed();
      }),
    pending: () => [...waiting.values()].map((one) => one.request),
    answer: (askId, answer) => {
      const found = waiting.get(askId);
      found?.settle(answer);
      return found !== undefined;
    },
    onDidChange: (listener) => {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
  };
}
