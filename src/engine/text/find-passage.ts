/** A stretch of a text as it once stood, with what stood around it. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

/** Characters around it that tell two equal stretches apart. */
const AROUND = 40;
/** A stretch as long as this is known by itself, when it is there once. */
const LONG_ENOUGH = 8;

/** Where `part` stands in `text` when it stands there exactly once. */
function onlyPlace(text: string, part: string): number | undefined {
  if (part === '') return undefined;
  const at = text.indexOf(part);
  return at < 0 || text.indexOf(part, at + 1) >= 0 ? undefined : at;
}

/**
 * Finds a stretch again in a text that may have grown since: where it was, else by what stands around it (on both sides, then on
 * either), else by itself. `undefined`: it is not there any more, or nobody can say which of several it is.
 */
export function findPassage(now: string, stretch: Stretch): { readonly start: number; readonly end: number } | undefined {
  const { text } = stretch;
  const before = stretch.before.slice(-AROUND);
  const after = stretch.after.slice(0, AROUND);
  const at = (start: number): { readonly start: number; readonly end: number } => ({ start, end: start + text.length });
  const standsAt = (start: number): boolean =>
    now.startsWith(text, start) && now.slice(Math.max(0, start - before.length), start) === before && now.startsWith(after, start + text.length);
  if (standsAt(stretch.start)) return at(stretch.start);
  const whole = onlyPlace(now, before + text + after);
  if (whole !== undefined) return at(whole + before.length);
  const sides = [
    { part: before + text, skip: before.length },
    { part: text + after, skip: 0 },
    ...(text.length >= LONG_ENOUGH ? [{ part: text, skip: 0 }] : []),
  ];
  for (const { part, skip } of sides) {
    const found = part.length < LONG_ENOUGH ? undefined : onlyPlace(now, part);
    if (found !== undefined) return at(found + skip);
  }
  return undefined;
}
