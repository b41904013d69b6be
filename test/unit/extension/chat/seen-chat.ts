import { chatDelta, chatItem } from '../../../../src/protocol/chat';
import type { ChatDelta, ChatItem } from '../../../../src/protocol/chat';
import { createItemList } from '../../../../src/extension/features/chat/item-list';
import { createSessionChat } from '../../../../src/extension/features/chat/session-chat';
import type { SessionChat } from '../../../../src/extension/features/chat/session-chat';
import { fillMessage } from '../../../../src/extension/l10n/translate';
import type { EngineBench } from '../../../fakes/engine-bench';

/** A chat and what a view sees of it: the items at the last reset, changed by the deltas since. */
export interface Seen {
  readonly chat: SessionChat;
  items(): readonly ChatItem[];
  readonly phases: readonly string[];
  readonly deltas: readonly ChatDelta[];
}

/** The chat of a bench's session, not read yet. */
export function watch({ engine, session, log }: EngineBench, toolsRefused: () => boolean = () => false): Seen {
  const view = createItemList();
  const phases: string[] = [];
  let told = false;
  const deltas: ChatDelta[] = [];
  const chat: SessionChat = createSessionChat({
    engine,
    session,
    log,
    t: fillMessage,
    window: () => 1000,
    toolsRefused,
    firstRehearsal: () => !told && (told = true),
    onDeltas: (some) => {
      for (const delta of some) view.apply(chatDelta.parse(delta));
      deltas.push(...some);
    },
    onStatus: () => phases.push(chat.phase()),
    onReset: () => { view.replace(chat.items().map((item) => chatItem.parse(item))); },
    onReadOnly: () => undefined,
    onCheckpoint: () => undefined,
    onEnded: () => undefined,
  });
  return { chat, items: () => view.items(), phases, deltas };
}
