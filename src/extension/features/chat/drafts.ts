import type { Memory } from '../../memory';

const draftKey = 'chat.draft';

/** The input box as it stood, kept on this machine. */
export interface Drafts {
  save(text: string): Promise<void>;
  /** The draft of before this host came to life, once. */
  take(): string | undefined;
}

export function createDrafts(memory: Memory): Drafts {
  let kept = memory.get<string>(draftKey);
  return {
    save: async (text) => {
      kept = undefined;
      await memory.update(draftKey, text === '' ? undefined : text);
    },
    take: () => {
      const text = kept;
      kept = undefined;
      return text === '' ? undefined : text;
    },
  };
}
