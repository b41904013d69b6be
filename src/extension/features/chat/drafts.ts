import type { Memory } from '../../memory';

/**
 * The input box as it stood in each conversation, kept on this machine: by session, or, where a new conversation has not been written
 * yet, by `fresh`, which names its project.
 */
export interface Drafts {
  of(sessionId: string | undefined): string | undefined;
  /** An empty text is forgotten. */
  save(sessionId: string | undefined, text: string): Promise<void>;
}

export function createDrafts(memory: Memory, fresh: () => string): Drafts {
  const name = (sessionId: string | undefined): string => `chat.draft:${sessionId ?? fresh()}`;
  return {
    of: (sessionId) => memory.get<string>(name(sessionId)),
    save: async (sessionId, text) => { await memory.update(name(sessionId), text === '' ? undefined : text); },
  };
}
