import { countWords } from '../../text/count-words';
import { changedRanges, diffLines, splitLines } from '../../text/diff';
import type { Hunk } from '../../text/diff-tokens';
import { frontMatterEnd } from '../../text/front-matter';
import { findMoves, type LeftText } from './moves';

/** One chapter before and after; `''`: it was, or is, not there. */
export interface TextPair {
  readonly before: string;
  readonly after: string;
}

export interface Measured {
  /** 字, never negative. */
  readonly written: number;
  /** Text that left its place and has not arrived anywhere, what was carried along included. */
  readonly left: readonly LeftText[];
}

export interface MeasureOptions {
  /** Text that left a place earlier: where it arrives again, nothing is written. */
  readonly carried?: readonly LeftText[];
  /** Texts that are there already on another side of a merge. */
  readonly known?: readonly string[];
  /** Time of this step, ms since the epoch. */
  readonly ts?: number;
}

interface LineHunk {
  readonly old: (string | undefined)[];
  readonly fresh: (string | undefined)[];
}

/**
 * How many 字 were written between two states of a book (all chapters that differ, together). The definition, which the numbers view tells in
 * short:
 * - What stands in the new state and not in the old one was written; what is gone is not subtracted.
 * - Moving is not writing: a paragraph that left one place and arrived at another (same chapter or another; files renamed, split, joined) counts
 *   nothing, nor does any run of eight characters or more; each piece that left is used up by one arrival. The same holds for what left up to
 *   a day earlier (`carried`), so that a cut and a paste, or an undo, may lie in two steps.
 * - A sentence that is changed in place counts by its new characters; one of which less than about half stays counts whole: rewriting is writing.
 * - A copy of text that stays where it was, and what is pasted from outside, counts.
 * - Front matter counts nothing. All 字 by `countWords`.
 * For typing alone, the sum over any number of steps is the same as of one.
 */
export function measureWriting(pairs: readonly TextPair[], { carried = [], known = [], ts = 0 }: MeasureOptions = {}): Measured {
  const bare = pairs.map(({ before, after }) => ({ before: before.slice(frontMatterEnd(before)), after: after.slice(frontMatterEnd(after)) }));
  if (known.length === 0 && carried.length === 0 && bare.every(({ before, after }) => isWithin(before, after))) {
    return { written: bare.reduce((sum, { before, after }) => sum + Math.max(0, countWords(after) - countWords(before)), 0), left: [] };
  }
  const hunks = bare.flatMap(lineHunks);
  const earlier = carried.map(({ text }) => linesOf(text));
  const elsewhere = known.map(linesOf);
  matchLines(hunks, [...earlier].reverse(), elsewhere);

  const added: string[] = [];
  const removed: string[] = [];
  let grown = 0;
  for (const { old, fresh } of hunks) grown += refine(joined(old), joined(fresh), added, removed);
  const sources = [...removed, ...earlier.map(joined), ...elsewhere.map(joined)];
  const { moved, rest } = findMoves(added, sources);
  const written = Math.max(0, grown + added.reduce((sum, text) => sum + countWords(text), 0) - moved);
  const left = [
    ...carried.flatMap(({ ts: since }, i) => (rest[removed.length + i] ?? []).map((text) => ({ text, ts: since }))),
    ...removed.flatMap((_, i) => (rest[i] ?? []).map((text) => ({ text, ts }))),
  ];
  return { written, left };
}

const linesOf = (text: string): (string | undefined)[] => splitLines(text);
const joined = (lines: readonly (string | undefined)[]): string => lines.filter((line) => line !== undefined).join('');

/** Whether `b` is `a` with something put in. */
function isWithin(a: string, b: string): boolean {
  if (a.length > b.length) return false;
  let at = 0;
  for (let i = 0; i < b.length && at < a.length; i += 1) if (b.charCodeAt(i) === a.charCodeAt(at)) at += 1;
  return at === a.length;
}

function lineHunks({ before, after }: TextPair): LineHunk[] {
  if (before === after) return [];
  const old = splitLines(before);
  const fresh = splitLines(after);
  if (before === '' || after === '') return [{ old, fresh }];
  return diffLines(before, after).map((hunk) => ({ old: old.slice(hunk.aStart, hunk.aEnd), fresh: fresh.slice(hunk.bStart, hunk.bEnd) }));
}

/** Takes out of `hunks` and the sources every line that left one of them and arrived in another. */
function matchLines(hunks: readonly LineHunk[], earlier: readonly (string | undefined)[][], elsewhere: readonly (string | undefined)[][]): void {
  const places = new Map<string, { readonly lines: (string | undefined)[]; readonly at: number }[]>();
  for (const lines of [...hunks.map(({ old }) => old), ...earlier, ...elsewhere]) {
    for (const [at, line] of lines.entries()) {
      const key = line?.trim() ?? '';
      if (key === '') continue;
      const known = places.get(key);
      if (known === undefined) places.set(key, [{ lines, at }]);
      else known.push({ lines, at });
    }
  }
  const next = new Map<string, number>();
  for (const { fresh } of hunks) {
    for (const [at, line] of fresh.entries()) {
      const key = line?.trim() ?? '';
      const used = next.get(key) ?? 0;
      const place = places.get(key)?.[used];
      if (place === undefined) continue;
      next.set(key, used + 1);
      place.lines[place.at] = undefined;
      fresh[at] = undefined;
    }
  }
}

/** What of a changed stretch is new and what is gone, put into `added` and `removed`; resolves to 字 that are neither: a word that grew. */
function refine(old: string, fresh: string, added: string[], removed: string[]): number {
  const keep = (list: string[], text: string): void => {
    if (text.trim() !== '') list.push(text);
  };
  const hunks = old === '' || fresh === '' ? [] : changedRanges(old, fresh);
  if (hunks.length === 0 || !isEdited(old, fresh, hunks)) {
    if (old !== fresh) {
      for (const line of splitLines(old)) keep(removed, line);
      for (const line of splitLines(fresh)) keep(added, line);
    }
    return 0;
  }
  let grown = 0;
  for (const { aStart, aEnd, bStart, bEnd } of hunks) {
    const was = old.slice(aStart, aEnd);
    const now = fresh.slice(bStart, bEnd);
    if (was !== '' && now !== '' && isWithin(was, now)) grown += Math.max(0, countWords(now) - countWords(was));
    else {
      keep(removed, was);
      keep(added, now);
    }
  }
  return grown;
}

/** Whether enough stayed in its place, in runs of three and more, for the new text to be the old one changed. */
function isEdited(old: string, fresh: string, hunks: readonly Hunk[]): boolean {
  if (hunks.every(({ aStart, aEnd }) => aStart === aEnd) || hunks.every(({ bStart, bEnd }) => bStart === bEnd)) return true;
  let stayed = 0;
  let from = 0;
  for (const { aStart, aEnd } of [...hunks, { aStart: old.length, aEnd: old.length }]) {
    if (aStart - from >= 3) stayed += aStart - from;
    from = aEnd;
  }
  return stayed >= 0.4 * Math.min(old.length, fresh.length);
}
