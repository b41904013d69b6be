import type { ChatItem } from '../../src/protocol/chat';
import { clip } from '../shared/format';
import type { ChatContext } from './context';

const spokenCharacters = 600;

/** What a screen reader is told of an item that has just reached its end; `undefined` for what is not worth a word. */
export function announcement(item: ChatItem, { words }: ChatContext): string | undefined {
  switch (item.kind) {
    case 'assistant':
      return item.text.trim() === '' ? undefined : words.t('announce.reply', clip(item.text, spokenCharacters));
    case 'ask':
      return words.t('announce.ask', [item.question, ...item.options.map((option, index) => `${index + 1}. ${option}`)].join(' '));
    case 'notice':
      return item.text;
    case 'user':
    case 'steer':
    case 'tool':
    case 'changes':
    case 'proposal':
    case 'interrupted':
    case 'summary':
      return undefined;
  }
}
