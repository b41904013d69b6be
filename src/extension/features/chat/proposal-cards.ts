import type { ProposalRow, Review } from '../../../engine/index';
import type { ChatItem } from '../../../protocol/chat';
import { itemIds } from './notices';

type ProposalItem = Extract<ChatItem, { kind: 'proposal' }>;

export function proposalItem(turnId: string, files: readonly ProposalRow[]): ProposalItem {
  return { kind: 'proposal', id: itemIds.proposal(turnId), turnId, files: files.map((file) => ({ ...file })) };
}

/** 「本轮提议」 of a session's turns, as they stand. */
export interface ProposalCards {
  /** Looks at all of them anew. */
  load(): Promise<void>;
  /** The items with a card behind the last one of each turn that proposed something. */
  among(items: readonly ChatItem[]): ChatItem[];
  /** The cards of `shown` that have changed. */
  changed(shown: (id: string) => ChatItem | undefined): readonly ProposalItem[];
}

export function createProposalCards(review: Pick<Review, 'load' | 'turns' | 'rows'>, sessionId: string): ProposalCards {
  let cards: ReadonlyMap<string, ProposalItem> = new Map();
  return {
    async load() {
      const loaded = await review.load();
      if (!loaded.ok) return;
      const rows = await Promise.all(review.turns(sessionId).map(async (turnId) => [turnId, await review.rows(sessionId, turnId)] as const));
      cards = new Map(rows.filter(([, files]) => files.length > 0).map(([turnId, files]) => [turnId, proposalItem(turnId, files)]));
    },
    among(items) {
      const ends = new Map<string, number>();
      for (const [at, item] of items.entries()) if ('turnId' in item && item.turnId !== undefined) ends.set(item.turnId, at);
      return items.flatMap((item, at) => {
        const turnId = 'turnId' in item ? item.turnId : undefined;
        const card = turnId !== undefined && ends.get(turnId) === at ? cards.get(turnId) : undefined;
        return card === undefined ? [item] : [item, card];
      });
    },
    changed: (shown) =>
      [...cards.values()].filter((card) => {
        const there = shown(card.id);
        return there !== undefined && JSON.stringify(there) !== JSON.stringify(card);
      }),
  };
}
