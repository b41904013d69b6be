import * as z from 'zod';
import type { Memory } from '../../memory';
import { chatMention } from '../../../protocol/mentions';
import type { ChatMention } from '../../../protocol/mentions';

/**
 * The input box as it stood in each conversation, kept on this machine: by session, or, where a new conversation has not been written
 * yet, by `fresh`, which names its project.
 */
export interface Drafts {
  of(sessionId: string | undefined): string | undefined;
  /** What its words point at. */
  mentionsOf(sessionId: string | undefined): readonly ChatMention[];
  /** An empty text is forgotten. */
  save(sessionId: string | undefined, text: string, mentions?: readonly ChatMention[]): Promise<void>;
}

const kept = z.array(chatMention).catch([]);

export function createDrafts(memory: Memory, fresh: () => string): Drafts {
  const name = (sessionId: string | undefined): string => `chat.draft:${sessionId ?? fresh()}`;
  const pointing = (sessionId: string | undefined): string => `chat.draftMentions:${sessionId ?? fresh()}`;
  return {
    of: (sessionId) => memory.get<string>(name(sessionId)),
    mentionsOf: (sessionId) => kept.parse(memory.get<unknown>(pointing(sessionId)) ?? []),
    save: async (sessionId, text, mentions = []) => {
      await memory.update(name(sessionId), text === '' ? undefined : text);
      if (mentions.length > 0 || memory.get<unknown>(pointing(sessionId)) !== undefined) {
        await memory.update(pointing(sessionId), text === '' || mentions.length === 0 ? undefined : mentions);
      }
    },
  };
}
