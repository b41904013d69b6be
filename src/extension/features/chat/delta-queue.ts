import type { Clock } from '../../../engine/index';
import type { ChatDelta } from '../../../protocol/chat';

/** Collects deltas for one tick and hands them on together, in order, neighbouring appends of one field joined. */
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
  const clear = (): readonly ChatDelta[] => {
    const dropped = waiting;
    cancel?.();
    cancel = undefined;
    waiting = [];
    return dropped;
  };
  const flush = (): void => {
    const deltas = joinAppends(clear());
    if (deltas.length > 0) deps.send(deltas);
  };
  return {
    push: (deltas) => {
      if (deltas.length === 0) return;
      waiting.push(...deltas);
      cancel ??= deps.clock.after(deps.tickMs, flush);
    },
    flush,
    clear,
  };
}
