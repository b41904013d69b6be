import type { Passage, PassageTask } from '../../../engine/index';

/** What of the surroundings the model is shown, in characters, cut at a line end where there is one. */
const BEFORE = 1_200;
const AFTER = 500;
/** A passage longer than this is no passage; whole chapters are the agent's own work. */
export const MOST_CHARACTERS = 20_000;

/** A selection as the editor has it: UTF-16 offsets into the text. */
export interface Selected {
  readonly path: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The paragraph (a run of lines without an empty one) that an offset stands in; empty between two. */
export function paragraphAt(text: string, offset: number): { readonly start: number; readonly end: number } {
  const blank = /(?:^|\n)[ \t\u3000]*\r?(?=\n|$)/g;
  let start = 0;
  for (const found of text.matchAll(blank)) {
    const end = found.index + (text[found.index] === '\n' ? 1 : 0);
    const next = found.index + found[0].length + 1;
    if (end >= offset) return { start, end: Math.max(start, end - (text[end - 1] === '\n' ? (text[end - 2] === '\r' ? 2 : 1) : 0)) };
    start = Math.min(next, text.length);
    if (start > offset) return { start: offset, end: offset };
  }
  const end = text.length - (/\r?\n*$/.exec(text)?.[0].length ?? 0);
  return { start: Math.min(start, end), end };
}

/** Without the white space at its ends, so that what is put in its place keeps the lines around it. */
export function trimmedRange(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  const part = text.slice(start, end);
  const head = /^\s*/.exec(part)?.[0].length ?? 0;
  if (head === part.length) return { start, end: start };
  // The indent of a paragraph belongs to it.
  const lineStart = part.slice(0, head).lastIndexOf('\n') + 1;
  const tail = /\s*$/.exec(part)?.[0].length ?? 0;
  return { start: start + lineStart, end: end - tail };
}

/**
 * The passage of a task: what is selected, or else the paragraph the cursor stands in. Going on from a place without a selection takes
 * nothing and stands where the cursor is. `undefined`: there is nothing to work on, or too much.
 */
export function passageOf(task: PassageTask, selected: Selected, wish?: string): Passage | undefined {
  const { path, text } = selected;
  const empty = selected.start === selected.end;
  const whole = !empty ? selected : task === 'continue' ? selected : paragraphAt(text, selected.start);
  const { start, end } = trimmedRange(text, whole.start, whole.end);
  if (end - start > MOST_CHARACTERS || (start === end && task !== 'continue')) return undefined;
  const before = text.slice(Math.max(0, start - BEFORE), start);
  const after = text.slice(end, end + AFTER);
  return { task, path, start, end, text: text.slice(start, end), before, after, ...(wish === undefined || wish.trim() === '' ? {} : { wish: wish.trim() }) };
}
