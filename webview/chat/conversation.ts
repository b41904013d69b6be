import type { ChatDelta, ChatItem, ChatSnapshot, ChatStatus, QueuedRow } from '../../src/protocol/chat';
import type { ChatMention } from '../../src/protocol/mentions';

/** What came of applying deltas, beyond the new state. */
export interface Applied {
  /** Words for the input box. */
  readonly prefill: { readonly text: string; readonly mentions: readonly ChatMention[] } | undefined;
  /** Something was pointed at elsewhere in the window. */
  readonly mentionsWait: boolean;
  /** What a command of the window opens in the view. */
  readonly open?: 'rename' | 'find';
  /** Items that reached their end now (a reply finished, a question asked), to be announced. */
  readonly settled: readonly ChatItem[];
  /** Whether anything of the list itself changed. */
  readonly listChanged: boolean;
}

/** The conversation as the host last told it. `items` is one array changed in place; items themselves are never changed. */
export interface Conversation {
  readonly items: readonly ChatItem[];
  readonly status: ChatStatus;
  readonly session: ChatSnapshot['session'];
  readonly project: ChatSnapshot['project'];
  /** The input box as the host last saved it. */
  readonly draft: string | undefined;
  /** Words that wait. */
  readonly queue: readonly QueuedRow[];
  /** What that box pointed at. */
  readonly draftMentions: readonly ChatMention[] | undefined;
  readonly sampleSentence: boolean;
  readonly noChapters: boolean;
  /** Why there is no project, where one cannot be set up at once. */
  readonly lacking: ChatSnapshot['lacking'];
  reset(snapshot: ChatSnapshot): void;
  apply(deltas: readonly ChatDelta[]): Applied;
}

const idle: ChatStatus = { phase: 'idle', readOnly: false, model: { name: '', rehearsal: false, configured: true } };

function grown(item: ChatItem, field: 'text' | 'reasoning' | 'preview', text: string): ChatItem {
  if (item.kind === 'assistant' && field !== 'preview') return { ...item, [field]: item[field] + text };
  if (item.kind === 'tool' && field === 'preview') return { ...item, preview: (item.preview ?? '') + text };
  return item;
}

/** An item that has said what it has to say; until then it is not announced. */
function isSettled(item: ChatItem): boolean {
  switch (item.kind) {
    case 'assistant':
      return item.state !== 'streaming';
    case 'ask':
      return item.state === 'open';
    case 'notice':
      return true;
    case 'user':
    case 'steer':
    case 'tool':
    case 'changes':
    case 'proposal':
    case 'interrupted':
    case 'summary':
      return false;
  }
}

export function createConversation(): Conversation {
  const items: ChatItem[] = [];
  const places = new Map<string, number>();
  let status = idle;
  let session: ChatSnapshot['session'];
  let project: ChatSnapshot['project'] = 'open';
  let draft: string | undefined;
  let draftMentions: readonly ChatMention[] | undefined;
  let queue: readonly QueuedRow[] = [];
  let sampleSentence = false;
  let noChapters = false;
  let lacking: ChatSnapshot['lacking'];

  const rebuildPlaces = (): void => {
    places.clear();
    items.forEach((item, place) => places.set(item.id, place));
  };
  const put = (item: ChatItem): ChatItem | undefined => {
    const place = places.get(item.id);
    if (place === undefined) {
      places.set(item.id, items.push(item) - 1);
      return undefined;
    }
    const old = items[place];
    items[place] = item;
    return old;
  };

  return {
    items,
    get status() {
      return status;
    },
    get session() {
      return session;
    },
    get project() {
      return project;
    },
    get draft() {
      return draft;
    },
    get draftMentions() {
      return draftMentions;
    },
    get queue() {
      return queue;
    },
    get sampleSentence() {
      return sampleSentence;
    },
    get noChapters() {
      return noChapters;
    },
    get lacking() {
      return lacking;
    },
    reset: (snapshot) => {
      items.splice(0, items.length);
      for (const item of snapshot.items) items.push(item);
      rebuildPlaces();
      status = snapshot.status;
      session = snapshot.session;
      project = snapshot.project;
      draft = snapshot.draft;
      draftMentions = snapshot.draftMentions;
      queue = snapshot.queue ?? [];
      sampleSentence = snapshot.sampleSentence === true;
      noChapters = snapshot.noChapters === true;
      lacking = snapshot.lacking;
    },
    apply: (deltas) => {
      let prefill: Applied['prefill'];
      let mentionsWait = false;
      let open: Applied['open'];
      let listChanged = false;
      const settled: ChatItem[] = [];
      for (const delta of deltas) {
        switch (delta.op) {
          case 'put': {
            const old = put(delta.item);
            listChanged = true;
            if (isSettled(delta.item) && !(old && isSettled(old))) settled.push(delta.item);
            break;
          }
          case 'append': {
            const place = places.get(delta.id);
            const item = place === undefined ? undefined : items[place];
            if (place === undefined || item === undefined) break;
            items[place] = grown(item, delta.field, delta.text);
            listChanged = true;
            break;
          }
          case 'remove': {
            const gone = new Set(delta.ids);
            const kept = items.filter((item) => !gone.has(item.id));
            items.splice(0, items.length, ...kept);
            rebuildPlaces();
            listChanged = true;
            break;
          }
          case 'status':
            status = delta.status;
            break;
          case 'queue':
            queue = delta.queue;
            break;
          case 'prefill':
            prefill = { text: delta.text, mentions: delta.mentions ?? [] };
            break;
          case 'mentionsWait':
            mentionsWait = true;
            break;
          case 'open':
            open = delta.what;
            break;
        }
      }
      return { prefill, mentionsWait, settled, listChanged, ...(open === undefined ? {} : { open }) };
    },
  };
}
