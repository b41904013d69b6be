import { chatEvents, type ChatDelta, type ChatSnapshot, type chatRequests } from '../../src/protocol/chat';
import type { EventEnvelope } from '../../src/protocol/envelope';
import type { Connection } from '../shared/connection';
import { createSequence } from '../shared/sequence';

export interface FeedHandlers {
  /** The whole state. `words` comes with an answer to `ready` only. */
  onSnapshot(snapshot: ChatSnapshot, words?: { readonly strings: Readonly<Record<string, string>>; readonly locale: string }): void;
  onDeltas(deltas: readonly ChatDelta[]): void;
  /** No snapshot could be had: the user is told and may ask again. */
  onLost(error: Error): void;
}

/** The stream of what is shown, in order and without holes: a gap, or a message that cannot be read, asks for a snapshot. */
export interface Feed {
  /** Asks for a snapshot, unless one is on its way. */
  ask(): void;
  receive(event: EventEnvelope): void;
}

export function createFeed(connection: Pick<Connection<typeof chatRequests>, 'request'>, handlers: FeedHandlers): Feed {
  const sequence = createSequence();
  let held: EventEnvelope[] = [];
  let asked = false;

  const ask = (): void => {
    if (asked) return;
    asked = true;
    sequence.ask();
    connection.request('ready', {}).then(
      ({ snapshot, strings, locale }) => {
        asked = false;
        sequence.reset(snapshot.epoch, snapshot.seq);
        handlers.onSnapshot(snapshot, { strings, locale });
        const waiting = held;
        held = [];
        // What arrived before the answer: its own epoch goes on from the answer, any other is older than it.
        for (const event of waiting) if (event.epoch === sequence.epoch) receive(event);
      },
      (error: unknown) => {
        asked = false;
        held = [];
        sequence.fail();
        handlers.onLost(error instanceof Error ? error : new Error(String(error)));
      },
    );
  };

  const adopt = (event: EventEnvelope): void => {
    const body = chatEvents.snapshot.safeParse(event.body);
    if (!body.success) {
      console.error('unreadable snapshot', body.error.message);
      ask();
      return;
    }
    if (!sequence.isNews(event.epoch, event.seq)) return;
    sequence.reset(event.epoch, event.seq);
    handlers.onSnapshot(body.data);
  };

  function receive(event: EventEnvelope): void {
    if (event.name === 'snapshot' && !asked) {
      adopt(event);
      return;
    }
    switch (sequence.judge(event.epoch, event.seq)) {
      case 'drop':
        return;
      case 'hold':
        held.push(event);
        return;
      case 'gap':
        ask();
        return;
      case 'apply': {
        if (event.name !== 'deltas') return;
        const body = chatEvents.deltas.safeParse(event.body);
        if (body.success) {
          handlers.onDeltas(body.data);
        } else {
          console.error('unreadable deltas', body.error.message);
          ask();
        }
      }
    }
  }

  return { ask, receive };
}
