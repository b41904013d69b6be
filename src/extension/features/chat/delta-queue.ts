import type { Clock } from '../../../engine/index';
import type { ChatDelta } from '../../../protocol/chat';

/**
 * Collects deltas and hands them on together, in order, neighbouring appends of one field joined: what comes after a silence at once (with
 * all else of the same moment), the rest once a tick.
 */
export interface DeltaQueue {
  push(deltas: readonly ChatDelta[]): void;
  flush(): void;
  /** Takes out what waits, since a snapshot holds it; what no snapshot holds is for the caller to keep. */
  clear(): readonly ChatDelta[];
}

export function joinAppends(deltas: readonly ChatDelta[]): ChatDelta[] {
  const joined: ChatDelta[] = [];
  for (const delta of deltas) {
    const last = joined.at(-1);
    if (delta.op === 'append' && last?.op === 'append' && last.id === delta.id && last.field === delta.field) {
      joined[joined.length - 1] = { ...last, text: last.text + delta.text };
    } else {
      joined.push(delta);
    }
  }
  return joined;
}

export function createDeltaQueue(deps: { readonly clock: Clock; readonly tickMs: number; readonly send: (deltas: ChatDelta[]) => void }): DeltaQueue {
  let waiting: ChatDelta[] = [];
  let cancel: (() => void) | undefined;
  let sentAt = -Infinity;
  const clear = (): readonly ChatDelta[] => {
    const dropped = waiting;
    cancel?.();
    cancel = undefined;
    waiting = [];
    return dropped;
  };
  const flush = (): void => {
    const deltas = joinAppends(clear());
    if (deltas.length === 0) return;
    sentAt = deps.clock.now();
    deps.send(deltas);
  };
  return {
    push: (deltas) => {
      if (deltas.length === 0) return;
      waiting.push(...deltas);
      if (cancel !== undefined) return;
      const since = deps.clock.now() - sentAt;
      // A clock that was set back is no silence.
      cancel = deps.clock.after(since >= deps.tickMs ? 0 : Math.min(deps.tickMs, deps.tickMs - since), flush);
    },
    flush,
    clear,
  };
}
