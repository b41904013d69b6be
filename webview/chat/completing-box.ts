import { mentionWords, type ChatMention } from '../../src/protocol/mentions';
import type { SlashCommand } from '../../src/protocol/slash-commands';
import type { Completer } from './completer';

export interface CompletingBoxDeps {
  readonly box: () => HTMLTextAreaElement | null;
  readonly completer: Completer;
  /** A mention is about to stand in the text. */
  readonly mentioned: (mention: ChatMention) => void;
  /** The text has changed. */
  readonly changed: () => void;
  readonly command: (command: SlashCommand) => void;
}

/** The text area that the list completes: what its keys and its caret mean for the list, and what a choice does to the text. */
export interface CompletingBox {
  /** After anything that may have moved the caret or changed the text; never in the middle of composing a word. */
  readonly look: (event: Event) => void;
  /** A key for the open list; false when it is none. */
  inList(event: KeyboardEvent): boolean;
  /** Takes a row of the list, the active one by default. */
  pick(at?: number): void;
  /** Puts a mention where the caret is, apart from the word before it. */
  mention(mention: ChatMention): void;
}

export function createCompletingBox({ box: find, completer, mentioned, changed, command }: CompletingBoxDeps): CompletingBox {
  /** As if typed, so that undo takes it back. */
  function replace(from: number, to: number, text: string): void {
    const box = find();
    if (!box) return;
    box.focus();
    box.setSelectionRange(from, to);
    const typed = text === '' ? from === to || document.execCommand('delete') : document.execCommand('insertText', false, text);
    if (!typed) box.setRangeText(text, from, to, 'end');
    changed();
  }

  function insert(from: number, to: number, mention: ChatMention, lead = ''): void {
    const box = find();
    if (!box) return;
    mentioned(mention);
    replace(from, to, `${lead}${mentionWords(mention)}${/^\s/.test(box.value.slice(to)) ? '' : ' '}`);
    completer.close();
  }

  return {
    look: (event) => {
      if ((event instanceof InputEvent || event instanceof KeyboardEvent) && event.isComposing) return;
      const box = find();
      if (box && box.selectionStart === box.selectionEnd) completer.look(box.value, box.selectionEnd);
      else completer.close();
    },
    inList: (event) => {
      if (completer.rows.length === 0) return false;
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by !== undefined) completer.move(by);
      else if (event.key === 'Tab' && !event.shiftKey) pick();
      else return false;
      event.preventDefault();
      return true;
    },
    pick,
    mention: (mention) => {
      const box = find();
      if (!box) return;
      const caret = box.selectionEnd;
      insert(caret, caret, mention, caret === 0 || /\s$/.test(box.value.slice(0, caret)) ? '' : ' ');
    },
  };

  function pick(at?: number): void {
    const choice = completer.choose(at);
    if (choice === undefined) return;
    const { start, query } = choice.typed;
    const end = start + 1 + query.length;
    if (choice.kind === 'mention') {
      insert(start, end, choice.mention);
      return;
    }
    replace(start, end, '');
    completer.close();
    command(choice.command);
  }
}
