import type { Log, NewWords, QueueChange, QueuedWords, Result, Session, Turns } from '../../../engine/index';
import type { QueueAct, QueuedRow } from '../../../protocol/chat';

/** The words that wait in one session: how they are shown, and when they are sent. */
export interface SessionQueue {
  rows(): readonly QueuedRow[];
  /** Reads them anew. What cannot be read stays as it was shown, and is told to the log. */
  load(): Promise<void>;
  add(words: NewWords, steer: boolean): Promise<Result<void>>;
  act(act: QueueAct): Promise<Result<void>>;
  /** No row is being changed: a view that comes up anew knows nothing of it. */
  leave(): void;
  /** What waits in front becomes a turn, if the one before has ended well and it is not being changed; false when nothing does. */
  sendNext(): boolean;
}

export interface SessionQueueDeps {
  readonly turns: Pick<Turns, 'queue'>;
  readonly session: Session;
  readonly log: Log;
  readonly running: () => boolean;
  /** The last turn was neither stopped nor failed. */
  readonly endedWell: () => boolean;
  /** Begins a turn with these words. */
  readonly start: (id: string) => void;
  readonly onChange: () => void;
}

const done: Result<void> = { ok: true, value: undefined };

export function createSessionQueue(deps: SessionQueueDeps): SessionQueue {
  const { turns, session, log } = deps;
  let words: readonly QueuedWords[] = [];
  let edited: string | undefined;

  const take = (result: Result<readonly QueuedWords[]>): Result<void> => {
    if (!result.ok) return result;
    const before = words;
    words = result.value;
    if (edited !== undefined && !words.some(({ id }) => id === edited)) edited = undefined;
    if (JSON.stringify(before) !== JSON.stringify(words)) deps.onChange();
    return done;
  };
  const change = async (id: string, how: QueueChange): Promise<Result<void>> => take(await turns.queue.change(session, id, how));

  function sendNext(): boolean {
    const [next] = words;
    if (next === undefined || edited !== undefined || deps.running() || !deps.endedWell() || session.readOnly) return false;
    deps.start(next.id);
    return true;
  }

  async function act(what: QueueAct): Promise<Result<void>> {
    switch (what.how) {
      case 'edit':
        edited = what.id;
        // What is being changed is not told to the agent half done.
        return words.some(({ id, steer }) => id === what.id && steer) ? change(what.id, { kind: 'wait' }) : done;
      case 'leave':
        edited = undefined;
        sendNext();
        return done;
      case 'text': {
        const changed = await change(what.id, { kind: 'text', text: what.text });
        edited = undefined;
        sendNext();
        return changed;
      }
      case 'send':
        if (deps.running()) return change(what.id, { kind: 'front' });
        if (words.some(({ id }) => id === what.id)) deps.start(what.id);
        return done;
      case 'remove':
      case 'front':
      case 'steer':
      case 'wait':
        return change(what.id, { kind: what.how });
    }
  }

  return {
    rows: () => words.map(({ id, text, steer, mentions }) => ({ id, text, steer, ...(mentions.length === 0 ? {} : { mentions: mentions.map((one) => ({ ...one })) }) })),
    load: async () => {
      const loaded = take(await turns.queue.list(session));
      if (!loaded.ok) log.warn('words that wait cannot be read', { code: loaded.error.code });
    },
    add: async (added, steer) => {
      const result = take(await turns.queue.add(session, added, steer));
      // The turn may have ended in between.
      if (result.ok) sendNext();
      return result;
    },
    act,
    leave: () => {
      edited = undefined;
      sendNext();
    },
    sendNext,
  };
}
