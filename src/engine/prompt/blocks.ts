import type { ModelMessage } from '../ports/models';

/** One part of a message that can be named, counted and questioned. */
export interface PromptBlock {
  /** e.g. `rules`, `project-rules`, `facts`, `outline`, `author-changes`, `words`, `history`. */
  readonly kind: string;
  readonly title: string;
  /** An asset, a path, an entry id. */
  readonly source: string;
  readonly text: string;
  /** The entry that holds the text, for parts of the conversation. */
  readonly entryId?: string;
  /** The object that already holds the text. */
  readonly object?: string;
}

/** A message and the blocks it is made of. The content of a system or user message is its blocks' texts joined by one blank line. */
export interface BuiltMessage {
  readonly message: ModelMessage;
  readonly blocks: readonly PromptBlock[];
}

export const BLOCK_JOIN = '\n\n';

export function joinBlocks(blocks: readonly PromptBlock[]): string {
  return blocks.map((block) => block.text).join(BLOCK_JOIN);
}

export function systemMessage(blocks: readonly PromptBlock[]): BuiltMessage {
  return { message: { role: 'system', content: joinBlocks(blocks) }, blocks };
}

export function userMessage(blocks: readonly PromptBlock[]): BuiltMessage {
  return { message: { role: 'user', content: joinBlocks(blocks) }, blocks };
}
