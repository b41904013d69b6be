import type * as z from 'zod';
import type { Clock, Ids } from '../../../engine/index';
import type { ChatDelta, ChatSnapshot, chatEvents } from '../../../protocol/chat';
import type { ChatMention } from '../../../protocol/mentions';
import type { EventStamp } from '../../webviews/connection';
import { createDeltaQueue } from './delta-queue';

/** Changes of one tick travel together. */
const tickMs = 16;

/** The view, as the feed sees it: where events go while it is shown. */
export interface ChatSink {
  visible(): boolean;
  post<N extends keyof typeof chatEvents & string>(name: N, body: z.infer<(typeof chatEvents)[N]>, stamp: EventStamp): void;
}

/** What goes to the view: numbered events, and snapshots to begin from. Counts on whether a view is there or not. */
export interface Feed {
  /** Events go here from now on; the answer ends that, unless another one has come meanwhile. */
  attach(sink: ChatSink): () => void;
  attached(): boolean;
  push(deltas: readonly ChatDelta[]): void;
  /** Words for the input box, in place of those that still wait: at once where a view is, else with its next snapshot. */
  prefill(text: string, mentions?: readonly ChatMention[]): void;
  /** The view has asked for a snapshot. Until it gets one it drops what that will hold: words for the box wait for it. */
  asked(): void;
  /** What is shown now, for a view that has asked; the count of events goes on from it. */
  snapshot(): ChatSnapshot;
  /** Shows something else than before: a new epoch, so that late news of the old one is dropped. */
  restart(): void;
  dispose(): void;
}

export interface FeedDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly state: () => Omit<ChatSnapshot, 'epoch' | 'seq' | 'prefill' | 'prefillMentions'>;
}

export function createFeed(deps: FeedDeps): Feed {
  let sink: ChatSink | undefined;
  let epoch = deps.ids.next();
  let seq = 0;
  /** Given to a view exactly once. */
  let waiting: { readonly text: string; readonly mentions: readonly ChatMention[] } | undefined;
  let asking = false;

  const shown = (): ChatSink | undefined => (sink?.visible() === true ? sink : undefined);
  /** Items and status are in every snapshot; words for the box are only in a delta. */
  const keepPrefill = (deltas: readonly ChatDelta[]): void => {
    for (const delta of deltas) if (delta.op === 'prefill') waiting = { text: delta.text, mentions: delta.mentions ?? [] };
  };

  const queue = createDeltaQueue({
    clock: deps.clock,
    tickMs,
    send: (deltas) => {
      // The number grows also when nobody listens: the gap makes the view ask for a snapshot.
      seq += 1;
      const view = shown();
      if (view === undefined || asking) keepPrefill(deltas);
      view?.post('deltas', asking ? deltas.filter((delta) => delta.op !== 'prefill') : deltas, { epoch, seq });
    },
  });

  function current(): ChatSnapshot {
    const prefill = asking ? undefined : waiting;
    if (!asking) waiting = undefined;
    return { epoch, seq, ...deps.state(), ...(prefill === undefined ? {} : { prefill: prefill.text, ...(prefill.mentions.length === 0 ? {} : { prefillMentions: [...prefill.mentions] }) }) };
  }

  return {
    attach: (next) => {
      sink = next;
      return () => { if (sink === next) sink = undefined; };
    },
    attached: () => sink !== undefined,
    push: (deltas) => { queue.push(deltas); },
    prefill: (text, mentions = []) => {
      if (text === '') return;
      if (shown() === undefined || asking) waiting = { text, mentions };
      else queue.push([{ op: 'prefill', text, ...(mentions.length === 0 ? {} : { mentions: [...mentions] }) }]);
    },
    asked: () => { asking = true; },
    snapshot: () => {
      keepPrefill(queue.clear());
      asking = false;
      return current();
    },
    restart: () => {
      keepPrefill(queue.clear());
      epoch = deps.ids.next();
      seq = 0;
      shown()?.post('snapshot', current(), { epoch, seq });
    },
    dispose: () => { queue.clear(); },
  };
}
