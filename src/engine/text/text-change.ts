/** Replace `[start, end)` (UTF-16 offsets) by `text`. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** True when an offset lies between the halves of a surrogate pair or of a CRLF. */
export function splitsUnit(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  return (before === 13 && after === 10) || (before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff);
}

/** The same change without the ends that stay equal; pairs and CRLF are never cut apart, neither before nor after it. */
export function trimChange(text: string, change: Change): Change {
  const old = text.slice(change.start, change.end);
  const limit = Math.min(old.length, change.text.length);
  let head = 0;
  while (head < limit && old.charCodeAt(head) === change.text.charCodeAt(head)) head += 1;
  if (head === old.length && head === change.text.length) return { start: change.start + head, end: change.start + head, text: '' };
  while (head > 0 && (splitsUnit(text, change.start + head) || splitsUnit(change.text, head))) head -= 1;
  let tail = 0;
  while (tail < limit - head && old.charCodeAt(old.length - 1 - tail) === change.text.charCodeAt(change.text.length - 1 - tail)) tail += 1;
  while (tail > 0 && (splitsUnit(text, change.end - tail) || splitsUnit(change.text, change.text.length - tail))) tail -= 1;
  return { start: change.start + head, end: change.end - tail, text: change.text.slice(head, change.text.length - tail) };
}

/** Applies sorted, non-overlapping changes. */
export function applyChanges(text: string, changes: readonly Change[]): string {
  let result = '';
  let at = 0;
  for (const change of changes) {
    result += text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return result + text.slice(at);
}
