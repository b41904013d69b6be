import { slashCommands, type SlashCommand } from '../../src/protocol/slash-commands';
import { mentionWords, type ChatMention } from '../../src/protocol/mentions';

/** What is being typed at the caret that a list can complete: from `start` (the sign itself) to the caret. */
export interface Typed {
  readonly kind: 'mention' | 'command';
  readonly start: number;
  readonly query: string;
}

const longestQuery = 60;
/** The sign as keyboards give it; a Chinese input method makes 、 of the key that has the slash. */
const mentionSigns = ['@', '＠'];
const commandSigns = ['/', '／', '、'];

/** A mention begins where no Latin word goes on, so that an address of mail is none; a command stands at the very start. */
export function typedAt(text: string, caret: number): Typed | undefined {
  const before = text.slice(0, caret);
  if (commandSigns.includes(before[0] ?? '') && before.length <= longestQuery && !/\s/.test(before)) {
    return { kind: 'command', start: 0, query: before.slice(1) };
  }
  const start = Math.max(...mentionSigns.map((sign) => before.lastIndexOf(sign)));
  if (start < 0 || caret - start > longestQuery || /[\w.]/.test(before[start - 1] ?? '')) return undefined;
  const query = before.slice(start + 1);
  return /\s/.test(query) ? undefined : { kind: 'mention', start, query };
}

/** Where a mention stands in the text, if it does: not where its words only begin another one's (`@a.md` in `@a.md:3-5`). */
function placeOf(text: string, mention: ChatMention): number {
  const words = mentionWords(mention);
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const after = text.slice(at + words.length);
    if (!/^[A-Za-z0-9_]/.test(after) && !/^(?::|-)\d/.test(after)) return at;
  }
  return -1;
}

/** The mentions whose words stand in the text, in its order. What is deleted from the text is mentioned no more. */
export function mentionsIn(text: string, known: readonly ChatMention[]): readonly ChatMention[] {
  return known
    .map((mention) => ({ mention, at: placeOf(text, mention) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at)
    .map(({ mention }) => mention);
}

/** The text without the words of a mention. */
export function withoutMention(text: string, mention: ChatMention): string {
  const at = placeOf(text, mention);
  if (at === -1) return text;
  const rest = text.slice(at + mentionWords(mention).length);
  return text.slice(0, at) + (rest.startsWith(' ') ? rest.slice(1) : rest);
}

/** The newest of each, by their words. */
export function joined(known: readonly ChatMention[], more: readonly ChatMention[]): readonly ChatMention[] {
  return [...new Map([...known, ...more].map((mention) => [mentionWords(mention), mention])).values()];
}

export interface CommandState {
  readonly busy: boolean;
  readonly readOnly: boolean;
  readonly turn: boolean;
}

/** The commands that can be given now and fit what is typed, by id or either name; those that begin with it first. */
export function commandsFor(query: string, state: CommandState, commands: readonly SlashCommand[] = slashCommands): readonly SlashCommand[] {
  const wanted = plain(query);
  const ranked: SlashCommand[][] = [[], [], []];
  for (const command of commands) {
    if (!available(command, state)) continue;
    const names = [command.id, command.en, command.zh].map(plain);
    const rank = names.some((name) => name.startsWith(wanted)) ? 0 : names.some((name) => name.includes(wanted)) ? 1 : names.some((name) => follows(name, wanted)) ? 2 : -1;
    ranked[rank]?.push(command);
  }
  return ranked.flat();
}

function available({ when }: SlashCommand, { busy, readOnly, turn }: CommandState): boolean {
  if (when === undefined) return true;
  if (when === 'busy') return busy;
  return !busy && !readOnly && (when === 'idle' || turn);
}

const plain = (text: string): string => text.normalize('NFKC').toLocaleLowerCase().replace(/[\s-]+/g, '');

/** All characters are there, in order. */
function follows(name: string, wanted: string): boolean {
  let at = 0;
  for (const character of wanted) {
    at = name.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
