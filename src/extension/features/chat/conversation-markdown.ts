import type { ChatItem } from '../../../protocol/chat';
import type { Translate } from '../../l10n/translate';

export interface MarkdownOptions {
  readonly t: Translate;
  readonly title: string;
  /** When it was begun, ms since the epoch; a conversation that is only copied needs no such line. */
  readonly createdAt?: number;
  /** A time in the person's language. */
  readonly time: (ts: number) => string;
}

/** A conversation as a Markdown text: the author's words quoted, replies as they are, one line for each step, changes as a list. Pure. */
export function conversationMarkdown(items: readonly ChatItem[], options: MarkdownOptions): string {
  const { t, title, createdAt, time } = options;
  const head = [`# ${title === '' ? t('Untitled conversation') : oneLine(title)}`, ...(createdAt === undefined ? [] : [t('Begun {when}', { when: time(createdAt) })])];
  const parts: { readonly text: string; readonly list: boolean }[] = head.map((text) => ({ text, list: false }));
  for (const item of items) {
    const text = partOf(item, options);
    if (text !== undefined) parts.push({ text, list: item.kind === 'tool' });
  }
  // Steps that follow one another are one list.
  const joined = parts.map(({ text, list }, at) => (at === 0 ? text : `${list && parts[at - 1]?.list === true ? '\n' : '\n\n'}${text}`));
  return `${joined.join('')}\n`;
}

function partOf(item: ChatItem, { t, time }: MarkdownOptions): string | undefined {
  switch (item.kind) {
    case 'user':
    case 'steer':
      return `---\n\n**${t('You')}** · ${time(item.ts)}\n\n${quoted(item.text)}`;
    case 'assistant': {
      const text = item.text.trim();
      if (text === '') return undefined;
      const ending = item.state === 'stopped' ? `\n\n*${t('Stopped here')}*` : item.state === 'error' ? `\n\n*${t('The reply broke off with an error')}*` : '';
      return `${item.reply === true ? `**${t('Agent')}**\n\n` : ''}${fencesClosed(text)}${ending}`;
    }
    case 'tool':
      return `- ${plain(item.title)}${item.note === '' ? '' : ` — ${plain(item.note)}`}`;
    case 'ask':
      return [`**${t('The agent asked')}** ${plain(item.question)}`, '', ...item.options.map((option, at) => `${at + 1}. ${plain(option)}`), '', item.answer === undefined ? `*${t('Ended without an answer')}*` : `→ ${plain(item.answer)}`].join('\n');
    case 'changes': {
      const mark = item.undone ? ` (${t('Undone')})` : '';
      const files = item.files.map((file) => `- ${file.from === undefined ? '' : `${plain(file.from)} → `}${plain(file.path)} (+${file.added} −${file.removed})`);
      return `**${t('Changes of this turn')}**${mark}\n\n${files.join('\n')}`;
    }
    case 'proposal':
      return `**${t('Proposed in this turn')}**\n\n${item.files.map((file) => `- ${plain(file.path)} (+${file.added} −${file.removed})`).join('\n')}`;
    case 'summary':
      return undefined;
    case 'notice':
      return item.level === 'info' ? undefined : `*${plain(item.text)}*`;
    case 'interrupted':
      return [`*${t('This turn was interrupted')}*`, ...(item.partial.trim() === '' ? [] : ['', fencesClosed(item.partial.trim())])].join('\n');
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Words that are no Markdown, in one line: what would be markup is escaped. */
const plain = (text: string): string => oneLine(text).replace(/[\\`*_[\]<>#|~]/g, (mark) => `\\${mark}`);

/** Typed words as a quotation that keeps their lines. */
function quoted(text: string): string {
  const lines = text.replaceAll('\r\n', '\n').trimEnd().split('\n');
  // Two spaces at its end keep a line from running on into the next.
  return lines.map((line, at) => (line.trim() === '' ? '>' : `> ${line}${at < lines.length - 1 && lines[at + 1]?.trim() !== '' ? '  ' : ''}`)).join('\n');
}

/** A text whose last fence of code is left open (a reply that was cut) would take in all that follows: it is closed. */
export function fencesClosed(text: string): string {
  let open: string | undefined;
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const mark = fence?.[1];
    if (mark === undefined) continue;
    const rest = fence?.[2] ?? '';
    if (open === undefined) {
      if (mark.startsWith('~') || !rest.includes('`')) open = mark;
    } else if (mark[0] === open[0] && mark.length >= open.length && rest.trim() === '') open = undefined;
  }
  return open === undefined ? text : `${text}\n${open}`;
}
