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
  /**
   * Asks for a snapshot, unless one is on its way; with `anew` also then, because VS Code drops what is sent to a view that is hidden.
   * What is not answered within 5 s is asked again, three times in all, then given up: `onLost`; an answer that
   * comes later still is taken.
   */
  ask(options?: { readonly anew: boolean }): void;
  receive(event: EventEnvelope): void;
}

const ANSWER_MS = 5_000;
const TRIES = 3;

export function createFeed(connection: Pick<Connection<typeof chatRequests>, 'request'>, handlers: FeedHandlers): Feed {
  const sequence = createSequence();
  let held: EventEnvelope[] = [];
  let asked = false;
  /** Of the questions: the newest, and the newest that is settled; answers to those up to it come too late. */
  let newest = 0;
  let settled = 0;
  let late: ReturnType<typeof setTimeout> | undefined;

  const settle = (): void => {
    clearTimeout(late);
    asked = false;
    settled = newest;
  };

  const lost = (error: Error): void => {
    clearTimeout(late);
    asked = false;
    held = [];
    sequence.fail();
    handlers.onLost(error);
  };

  const ask = (options?: { readonly anew: boolean }): void => {
    if (asked && options?.anew !== true) return;
    if (!asked) sequence.ask();
    asked = true;
    question(1);
  };

  const question = (tried: number): void => {
    newest += 1;
    const own = newest;
    clearTimeout(late);
    late = setTimeout(() => {
      if (tried < TRIES) question(tried + 1);
      else lost(new Error('no answer'));
    }, ANSWER_MS);
    connection.request('ready', {}).then(
      ({ snapshot, strings, locale }) => {
        if (own <= settled) return;
        settle();
        sequence.reset(snapshot.epoch, snapshot.seq);
        handlers.onSnapshot(snapshot, { strings, locale });
        const waiting = held;
        held = [];
        // What arrived before the answer: its own epoch goes on from the answer, any other is older than it.
        for (const event of waiting) if (event.epoch === sequence.epoch) receive(event);
      },
      (error: unknown) => {
        if (own <= settled || own < newest) return;
        lost(error instanceof Error ? error : new Error(String(error)));
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
