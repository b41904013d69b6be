import type { ChatDelta, ChatItem } from '../../../protocol/chat';

/** The conversation as it is shown: what the webview has, kept here as well, so that a snapshot can be given at any time. */
export interface ItemList {
  items(): readonly ChatItem[];
  get(id: string): ChatItem | undefined;
  /** Applies `put`, `append`, `remove`; the other deltas do not concern items. */
  apply(delta: ChatDelta): void;
  replace(items: readonly ChatItem[]): void;
}

/** An item with text added to one of its growing fields; other items and fields stay as they are. */
export function withAppended(item: ChatItem, field: 'text' | 'reasoning' | 'preview', text: string): ChatItem {
  if (item.kind === 'assistant' && field !== 'preview') return { ...item, [field]: item[field] + text };
  if (item.kind === 'tool' && field === 'preview') return { ...item, preview: (item.preview ?? '') + text };
  return item;
}

export function createItemList(initial: readonly ChatItem[] = []): ItemList {
  let byId = new Map(initial.map((item) => [item.id, item]));
  return {
    items: () => [...byId.values()],
    get: (id) => byId.get(id),
    apply: (delta) => {
      switch (delta.op) {
        case 'put':
          byId.set(delta.item.id, delta.item);
          return;
        case 'append': {
          const item = byId.get(delta.id);
          if (item !== undefined) byId.set(delta.id, withAppended(item, delta.field, delta.text));
          return;
        }
        case 'remove':
          for (const id of delta.ids) byId.delete(id);
          return;
        case 'status':
        case 'prefill':
          return;
      }
    },
    replace: (items) => {
      byId = new Map(items.map((item) => [item.id, item]));
    },
  };
}
