import { chatRequests, type ChatItem } from '../../src/protocol/chat';
import { chatStrings, type ChatStringKey } from '../../src/protocol/chat-strings';
import type { ChatMention } from '../../src/protocol/mentions';
import { createConnection } from '../shared/connection';
import { createTranslator, type Translator } from '../shared/strings';
import type { VsCodeApi } from '../shared/vscode-api';
import type { ChatContext } from './context';
import { createConversation, type Conversation } from './conversation';
import { createFeed } from './feed';
import { createViewState } from './view-state';

export interface ControllerOptions {
  readonly api: VsCodeApi;
  readonly window: Window;
  /** Asks for one call before the next paint. */
  readonly nextFrame: (render: () => void) => void;
}

export interface ControllerEvents {
  /** State changed; called at most once a frame. */
  onChange(): void;
  /** A new conversation is shown (or the first). */
  onSnapshot(): void;
  onSettled(items: readonly ChatItem[]): void;
  onPrefill(text: string, mentions: readonly ChatMention[]): void;
  /** Something was pointed at elsewhere in the window. */
  onMentionsWait(): void;
  compose(text: string): void;
  /** A command of the window wants this part of the view. */
  onOpen(what: 'rename' | 'find'): void;
}

export type Link = 'connecting' | 'ready' | 'lost';

/** The state of the chat view and its traffic with the host; knows nothing of how it is drawn. */
export interface ChatController {
  readonly conversation: Conversation;
  readonly context: ChatContext;
  readonly link: Link;
  /** Localised words of the last refusal, until dismissed. */
  readonly failure: string | undefined;
  /** Rises with every change of the list. */
  readonly revision: number;
  start(events: ControllerEvents): void;
  dismissFailure(): void;
  /** Asks for a snapshot. */
  refresh(): void;
}

export function createChatController(options: ControllerOptions): ChatController {
  const { api, nextFrame } = options;
  const conversation = createConversation();
  const view = createViewState(api);
  let events: ControllerEvents | undefined;
  let link: Link = 'connecting';
  let failure: string | undefined;
  let revision = 0;
  let scheduled = false;

  const changed = (): void => {
    if (scheduled) return;
    scheduled = true;
    nextFrame(() => {
      scheduled = false;
      events?.onChange();
    });
  };

  const connection = createConnection({
    api,
    target: options.window,
    requests: chatRequests,
    onEvent: (event) => { feed.receive(event); },
  });

  const contextFor = (words: Translator<ChatStringKey>): ChatContext => ({
    words,
    view,
    compose: (text) => { events?.compose(text); },
    act: async (name, body) => {
      try {
        return await connection.request(name, body);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
        changed();
        return undefined;
      }
    },
  });
  let context = contextFor(createTranslator(chatStrings, {}, options.window.document.documentElement.lang || 'en'));

  const feed = createFeed(connection, {
    onSnapshot: (snapshot, words) => {
      if (words) context = contextFor(createTranslator(chatStrings, words.strings, words.locale));
      conversation.reset(snapshot);
      link = 'ready';
      revision += 1;
      events?.onSnapshot();
      if (snapshot.prefill !== undefined) events?.onPrefill(snapshot.prefill, snapshot.prefillMentions ?? []);
      if (snapshot.mentionsWait === true) events?.onMentionsWait();
      changed();
    },
    onDeltas: (deltas) => {
      const applied = conversation.apply(deltas);
      if (applied.listChanged) revision += 1;
      if (applied.settled.length > 0) events?.onSettled(applied.settled);
      if (applied.prefill !== undefined) events?.onPrefill(applied.prefill.text, applied.prefill.mentions);
      if (applied.mentionsWait) events?.onMentionsWait();
      if (applied.open !== undefined) events?.onOpen(applied.open);
      changed();
    },
    onLost: (error) => {
      console.error('no snapshot', error);
      link = 'lost';
      changed();
    },
  });

  // A hidden view gets no messages: what was missed comes as a snapshot.
  options.window.document.addEventListener('visibilitychange', () => {
    if (options.window.document.visibilityState === 'visible') feed.ask({ anew: true });
  });

  return {
    conversation,
    get context() {
      return context;
    },
    get link() {
      return link;
    },
    get failure() {
      return failure;
    },
    get revision() {
      return revision;
    },
    start: (handlers) => {
      events = handlers;
      feed.ask();
    },
    dismissFailure: () => {
      failure = undefined;
      changed();
    },
    refresh: () => {
      link = 'connecting';
      changed();
      feed.ask();
    },
  };
}
