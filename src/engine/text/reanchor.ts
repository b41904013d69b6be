import { changedRanges, joinNear } from './diff';
import type { Hunk } from './diff-tokens';
import type { Change } from './text-change';

/** A change that could not be carried over, because the same words were changed otherwise meanwhile. */
export interface ReanchorConflict {
  /** Index of the first change concerned. */
  readonly index: number;
  /** Where it would have been, in the text as it is now, and what stands there. */
  readonly start: number;
  readonly end: number;
  readonly found: string;
}

export interface Reanchored {
  /** Sorted, not overlapping, offsets into `current`. */
  readonly changes: readonly Change[];
  readonly conflicts: readonly ReanchorConflict[];
}

const touches = (theirs: Hunk, change: Change): boolean => {
  if (theirs.aStart === theirs.aEnd) return change.start < theirs.aStart && theirs.aStart < change.end;
  if (change.start === change.end) return theirs.aStart < change.start && change.start < theirs.aEnd;
  return theirs.aStart < change.end && change.start < theirs.aEnd;
};

/** Words this long that stand at an end of what was put in at the same place are the same insertion, not chance. */
const SURELY = 8;

/** Whether a pure insertion was put in at the same place already. */
function hasInserted({ start, end, text }: Change, theirs: Hunk, current: string): boolean {
  if (start !== end || theirs.aStart !== start || theirs.aEnd !== start) return false;
  const put = current.slice(theirs.bStart, theirs.bEnd);
  return put === text || (text.length >= SURELY && (put.startsWith(text) || put.endsWith(text)));
}

/**
 * Carries changes planned on `base` over to `current`, the same text after someone else has typed. A change moves with its
 * surroundings; one that meets words changed meanwhile is a conflict. Conflicts are left out, or, with `force`, replace what stands
 * there now. What `current` already has is no change.
 */
export function reanchor(base: string, current: string, changes: readonly Change[], options: { readonly force?: boolean } = {}): Reanchored {
  if (base === current) return { changes, conflicts: [] };
  const theirs = changedRanges(base, current);
  const carried: Change[] = [];
  const conflicts: ReanchorConflict[] = [];
  let next = 0;
  let index = 0;
  let shift = 0;
  while (index < changes.length) {
    const first = changes[index] as Change;
    // What ends before the change (or exactly where it begins) only moves it.
    let there = false;
    for (let hunk = theirs[next]; hunk !== undefined && hunk.aEnd <= first.start && !touches(hunk, first); hunk = theirs[next]) {
      there ||= hasInserted(first, hunk, current);
      shift = hunk.bEnd - hunk.aEnd;
      next += 1;
    }
    if (there) {
      index += 1;
      continue;
    }
    let hunk = theirs[next];
    if (hunk === undefined || !touches(hunk, first)) {
      carried.push({ start: first.start + shift, end: first.end + shift, text: first.text });
      index += 1;
      continue;
    }
    // All changes and hunks that hang together, as one stretch of `base`.
    const from = index;
    const fromHunk = next;
    const start = Math.min(first.start, hunk.aStart);
    let end = first.end;
    const before = shift;
    for (let grown = true; grown; ) {
      grown = false;
      for (hunk = theirs[next]; hunk !== undefined && hunk.aStart < end; hunk = theirs[next]) {
        end = Math.max(end, hunk.aEnd);
        shift = hunk.bEnd - hunk.aEnd;
        next += 1;
        grown = true;
      }
      for (let change = changes[index]; change !== undefined && change.start < end; change = changes[index]) {
        end = Math.max(end, change.end);
        index += 1;
        grown = true;
      }
      if (index === from) index += 1;
    }
    const at = { start: start + before, end: end + shift };
    const found = current.slice(at.start, at.end);
    const ours = changes.slice(from, index);
    const others = theirs.slice(fromHunk, next);
    const onlyRemoved = ours.every((change) => change.text === '') && others.every((other) => other.bStart === other.bEnd);
    const wanted = onlyRemoved ? withoutBoth(base, start, end, ours, others) : applyWithin(base, start, end, ours);
    if (found === wanted) continue;
    if (onlyRemoved || options.force === true) carried.push({ ...at, text: wanted });
    else conflicts.push({ index: from, ...at, found });
  }
  return { changes: carried, conflicts };
}

function applyWithin(base: string, start: number, end: number, changes: readonly Change[]): string {
  let text = '';
  let at = start;
  for (const change of changes) {
    text += base.slice(at, change.start) + change.text;
    at = change.end;
  }
  return text + base.slice(at, end);
}

/** Both sides only took words away: what is left when both had. */
function withoutBoth(base: string, start: number, end: number, ours: readonly Change[], others: readonly Hunk[]): string {
  const gone = [...ours.map(({ start: from, end: to }) => [from, to] as const), ...others.map((other) => [other.aStart, other.aEnd] as const)];
  let text = '';
  let at = start;
  for (const [from, to] of gone.sort((a, b) => a[0] - b[0])) {
    if (from > at) text += base.slice(at, from);
    at = Math.max(at, to);
  }
  return text + base.slice(at, end);
}

/**
 * The changes that take an edit (`before` → `after`) back out of `current`, which grew from `after`. Close changes of one line
 * belong together, so that half a phrase is never taken back.
 */
export function invertEdit(before: string, after: string, current: string, options: { readonly force?: boolean } = {}): Reanchored {
  const inverse = joinNear(after, changedRanges(after, before), 3).map((hunk) => ({
    start: hunk.aStart,
    end: hunk.aEnd,
    text: before.slice(hunk.bStart, hunk.bEnd),
  }));
  return reanchor(after, current, inverse, options);
}
