import type { ChatItem } from '../../src/protocol/chat';
import { clip } from '../shared/format';
import type { ChatContext } from './context';

const spokenCharacters = 600;

/** Words without their marks: no tags of offered texts, no asterisks and hashes of Markdown. */
const plain = (text: string): string =>
  text
    .replace(/<\/?draft>/g, ' ')
    .replace(/(\*\*|__|`+)(.+?)\1/g, '$2')
    .replace(/\*([^*\n]+)\*/g, '$1')
    .replace(/^\s*(?:#{1,6}|[-*+]|>)\s+/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** What a screen reader is told of an item that has just reached its end; `undefined` for what is not worth a word. */
export function announcement(item: ChatItem, { words }: ChatContext): string | undefined {
  switch (item.kind) {
    case 'assistant':
      return item.text.trim() === '' ? undefined : words.t('announce.reply', clip(plain(item.text), spokenCharacters));
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
