import { countWords } from './count-words';
import { diffTokens, type Hunk } from './diff-tokens';
import { frontMatterEnd } from './front-matter';
import type { Change } from './text-change';

/** Lines with their line ends; the last may have none. `''` has no lines. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Sentences: each ends behind its closing marks (。！？!?…; and quotes after them) or at a line end. Joined they are the text. */
export function splitSentences(text: string): string[] {
  return text.match(/[^。！？!?…；;\n]*(?:\n|[。！？!?…；;]+[”’」』）)"']*|$)/g)?.filter((part) => part !== '') ?? [];
}

/** Latin words whole, everything else character by character; CRLF and surrogate pairs stay together. */
function splitCharacters(text: string): string[] {
  return text.match(/[A-Za-z0-9\u00c0-\u024f]+(?:['’][A-Za-z]+)?|\r\n|[\s\S]/gu) ?? [];
}

/** The changed stretches line by line (indexes into `splitLines`). */
export function diffLines(a: string, b: string): Hunk[] {
  return diffTokens(splitLines(a), splitLines(b), true);
}

/** Above this many characters a changed stretch is not looked into further. */
const fineLimit = 20_000;

/** Runs one level of detail within `a[hunk]` and `b[hunk]` (UTF-16 offsets) and gives the finer hunks, in offsets too. */
function refine(a: string, b: string, hunk: Hunk, split: (text: string) => string[], anchored: boolean): Hunk[] {
  const left = split(a.slice(hunk.aStart, hunk.aEnd));
  const right = split(b.slice(hunk.bStart, hunk.bEnd));
  const leftAt = offsets(left, hunk.aStart);
  const rightAt = offsets(right, hunk.bStart);
  return diffTokens(left, right, anchored).map((found) => ({
    aStart: leftAt[found.aStart] as number,
    aEnd: leftAt[found.aEnd] as number,
    bStart: rightAt[found.bStart] as number,
    bEnd: rightAt[found.bEnd] as number,
  }));
}

function offsets(tokens: readonly string[], start: number): number[] {
  const at = [start];
  for (const token of tokens) at.push((at.at(-1) as number) + token.length);
  return at;
}

const isChange = (hunk: Hunk): boolean => hunk.aStart < hunk.aEnd && hunk.bStart < hunk.bEnd;

/**
 * What changed between two texts, in UTF-16 offsets: found by lines, then sentences, then characters (Latin words whole).
 * Fine enough to count by and to edit by; not promised to be the shortest.
 */
export function changedRanges(a: string, b: string): Hunk[] {
  return changedSentences(a, b).flatMap((hunk) =>
    isChange(hunk) && hunk.aEnd - hunk.aStart + hunk.bEnd - hunk.bStart <= fineLimit ? refine(a, b, hunk, splitCharacters, false) : [hunk],
  );
}

/** What changed between two texts, in UTF-16 offsets, in whole sentences (or whole lines that came or went): what a person decides on. */
export function changedSentences(a: string, b: string): Hunk[] {
  if (a === b) return [];
  const whole: Hunk = { aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length };
  return refine(a, b, whole, splitLines, true).flatMap((hunk) => (isChange(hunk) ? refine(a, b, hunk, splitSentences, true) : [hunk]));
}

/** Joins hunks that have at most `gap` equal characters between them, none of which is a line end. */
export function joinNear(a: string, hunks: readonly Hunk[], gap: number): Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    if (last !== undefined && hunk.aStart - last.aEnd <= gap && !a.slice(last.aEnd, hunk.aStart).includes('\n')) {
      joined[joined.length - 1] = { aStart: last.aStart, aEnd: hunk.aEnd, bStart: last.bStart, bEnd: hunk.bEnd };
    } else joined.push(hunk);
  }
  return joined;
}

/** Changes that turn `a` into `b`, leaving alone what is equal: sorted, not overlapping, offsets into `a`. */
export function minimalChanges(a: string, b: string): Change[] {
  return changedRanges(a, b).map((hunk) => ({ start: hunk.aStart, end: hunk.aEnd, text: b.slice(hunk.bStart, hunk.bEnd) }));
}

/** 字 added and removed between two texts, by `countWords` over what changed; front matter does not count. */
export function countChange(a: string, b: string): { readonly added: number; readonly removed: number } {
  const before = a.slice(frontMatterEnd(a));
  const after = b.slice(frontMatterEnd(b));
  if (before === '' || after === '') return { added: countWords(after), removed: countWords(before) };
  let added = 0;
  let removed = 0;
  for (const hunk of changedRanges(before, after)) {
    added += countWords(after.slice(hunk.bStart, hunk.bEnd));
    removed += countWords(before.slice(hunk.aStart, hunk.aEnd));
  }
  return { added, removed };
}

/** `b` in runs, in order and whole: `fresh` where it does not come from `a`. Stretches of one character between two fresh ones are fresh too. */
export function diffRuns(a: string, b: string): readonly { readonly text: string; readonly fresh: boolean }[] {
  const runs: { text: string; fresh: boolean }[] = [];
  const put = (text: string, fresh: boolean): void => {
    const last = runs.at(-1);
    if (text === '') return;
    if (last?.fresh === fresh) last.text += text;
    else runs.push({ text, fresh });
  };
  let at = 0;
  for (const hunk of joinNear(a, changedRanges(a, b), 1)) {
    put(b.slice(at, hunk.bStart), false);
    put(b.slice(hunk.bStart, hunk.bEnd), true);
    at = hunk.bEnd;
  }
  put(b.slice(at), false);
  return runs;
}
