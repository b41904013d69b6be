import type { TextChange } from '../../../engine/index';
import { withEol, type Eol } from './line-ends';

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Whether `offset` lies inside a surrogate pair or a CRLF, where VS Code has no position. */
function splits(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return (isHigh(before) && isLow(after)) || (before === 13 && after === 10);
}

/** The same changes with ends only where VS Code has positions, and new text with the document's line ends. */
export function placeable(text: string, changes: readonly TextChange[], eol: Eol): readonly TextChange[] {
  let last = 0;
  return changes.map((change) => {
    if (!(change.start >= last && change.end >= change.start && change.end <= text.length)) {
      throw new RangeError(`changes must be sorted, apart and inside the text: [${change.start}, ${change.end}) of ${text.length}`);
    }
    last = change.end;
    const start = splits(text, change.start) ? change.start - 1 : change.start;
    const end = splits(text, change.end) ? change.end + 1 : change.end;
    return { start, end, text: withEol(text.slice(start, change.start) + change.text + text.slice(change.end, end), eol) };
  });
}

/** The text after the changes. */
export function changed(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let at = 0;
  for (const change of changes) {
    result += text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return result + text.slice(at);
}

/** The changes that turn `changed(text, changes)` back into `text`. */
export function inverse(text: string, changes: readonly TextChange[]): readonly TextChange[] {
  let shift = 0;
  return changes.map((change) => {
    const start = change.start + shift;
    shift += change.text.length - (change.end - change.start);
    return { start, end: start + change.text.length, text: text.slice(change.start, change.end) };
  });
}

/** One change from `before` to `after`, without what they share at their ends; `undefined` when they are equal. */
export function smallestChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  while (head > 0 && (splits(before, head) || splits(after, head))) head -= 1;
  let tail = 0;
  while (tail < most - head && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  while (tail > 0 && (splits(before, before.length - tail) || splits(after, after.length - tail))) tail -= 1;
  return { start: head, end: before.length - tail, text: after.slice(head, after.length - tail) };
}
