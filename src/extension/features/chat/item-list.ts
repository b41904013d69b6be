import type { ChatDelta, ChatItem } from '../../../protocol/chat';

/** The conversation as it is shown: what the webview has, kept here as well, so that a snapshot can be given at any time. */
export interface ItemList {
  items(): readonly ChatItem[];
  get(id: string): ChatItem | undefined;
  /** The items of one turn, found without looking at the others. */
  ofTurn(turnId: string): readonly ChatItem[];
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
  const byId = new Map<string, ChatItem>();
  const idsOfTurn = new Map<string, Set<string>>();

  function put(item: ChatItem): void {
    const before = byId.get(item.id);
    if (before !== undefined && before.turnId !== item.turnId) leaveTurn(before);
    byId.set(item.id, item);
    if (item.turnId === undefined) return;
    const ids = idsOfTurn.get(item.turnId);
    if (ids === undefined) idsOfTurn.set(item.turnId, new Set([item.id]));
    else ids.add(item.id);
  }

  function leaveTurn({ id, turnId }: ChatItem): void {
    const ids = turnId === undefined ? undefined : idsOfTurn.get(turnId);
    ids?.delete(id);
    if (turnId !== undefined && ids?.size === 0) idsOfTurn.delete(turnId);
  }

  for (const item of initial) put(item);
  return {
    items: () => [...byId.values()],
    get: (id) => byId.get(id),
    ofTurn: (turnId) => [...(idsOfTurn.get(turnId) ?? [])].flatMap((id) => byId.get(id) ?? []),
    apply: (delta) => {
      switch (delta.op) {
        case 'put':
          put(delta.item);
          return;
        case 'append': {
          const item = byId.get(delta.id);
          if (item !== undefined) byId.set(delta.id, withAppended(item, delta.field, delta.text));
          return;
        }
        case 'remove':
          for (const id of delta.ids) {
            const item = byId.get(id);
            if (item !== undefined) leaveTurn(item);
            byId.delete(id);
          }
          return;
        case 'status':
        case 'queue':
        case 'mentionsWait':
        case 'open':
        case 'prefill':
          return;
      }
    },
    replace: (items) => {
      byId.clear();
      idsOfTurn.clear();
      for (const item of items) put(item);
    },
  };
}
