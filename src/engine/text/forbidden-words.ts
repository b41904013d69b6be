/** A word the author does not want in the text, as written in the list. */
export interface ForbiddenWord {
  readonly word: string;
  /** What may stand in its place, best first. */
  readonly instead: readonly string[];
}

export interface ForbiddenHit {
  readonly word: string;
  readonly instead: readonly string[];
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/**
 * A list of forbidden words: one a line, lines that begin with `#` are remarks, after `→` (or `->`) what may stand in its place, several
 * parted by `、` or `/`. A word that stands twice counts once, with what the first says.
 */
export function parseForbiddenWords(text: string): readonly ForbiddenWord[] {
  const words = new Map<string, ForbiddenWord>();
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [left = '', right = ''] = line.split(/→|->/, 2);
    const word = left.trim();
    const key = word.toLowerCase();
    if (word === '' || words.has(key)) continue;
    words.set(key, { word, instead: right.split(/[、/]/).map((part) => part.trim()).filter((part) => part !== '') });
  }
  return [...words.values()];
}

/** The list that stands in style notes under a heading 禁用词 or Forbidden words: its items, until the next heading. */
export function forbiddenSection(notes: string): readonly ForbiddenWord[] {
  const lines = notes.split(/\r\n|\r|\n/);
  const from = lines.findIndex((line) => /^#{1,6}\s*(?:禁用词|forbidden words)\s*#*\s*$/i.test(line));
  if (from === -1) return [];
  const rest = lines.slice(from + 1);
  const next = rest.findIndex((line) => /^#{1,6}\s/.test(line));
  const items = (next === -1 ? rest : rest.slice(0, next)).flatMap((line) => /^\s*[-*+]\s+(.+)$/.exec(line)?.[1] ?? []);
  return parseForbiddenWords(items.join('\n'));
}

/** Finds the words of one list in texts. */
export interface ForbiddenMatcher {
  readonly words: readonly ForbiddenWord[];
  /** In order, not overlapping; where several words begin, the longest. */
  find(text: string): readonly ForbiddenHit[];
}

interface Entry extends ForbiddenWord {
  readonly folded: string;
  readonly boundStart: boolean;
  readonly boundEnd: boolean;
}

/** Letters and digits that run on into a longer word: for those a word counts only by itself, so that “very” is not found in “every”. */
const RUNS_ON = /[0-9A-Za-z\u00c0-\u024f]/;

/**
 * Literal words, found in one pass over the text: by the code of each character it is known whether any word begins there. Capital
 * letters count as small ones.
 */
export function createForbiddenMatcher(words: readonly ForbiddenWord[]): ForbiddenMatcher {
  const byFirst = new Map<number, Entry[]>();
  for (const one of words) {
    const folded = one.word.toLowerCase();
    // A letter whose small form is longer would shift all offsets; such a word is looked for as it is written.
    const entry = {
      ...one,
      folded: folded.length === one.word.length ? folded : one.word,
      boundStart: RUNS_ON.test(one.word.charAt(0)),
      boundEnd: RUNS_ON.test(one.word.charAt(one.word.length - 1)),
    };
    const code = entry.folded.charCodeAt(0);
    const same = byFirst.get(code);
    if (same === undefined) byFirst.set(code, [entry]);
    else same.push(entry);
  }
  const begins = new Uint8Array(0x10000);
  for (const [code, entries] of byFirst) {
    begins[code] = 1;
    entries.sort((a, b) => b.folded.length - a.folded.length);
  }

  return {
    words,
    find(text) {
      if (byFirst.size === 0) return [];
      const lower = text.toLowerCase();
      const folded = lower.length === text.length ? lower : text;
      const hits: ForbiddenHit[] = [];
      for (let at = 0; at < folded.length; at += 1) {
        const code = folded.charCodeAt(at);
        if (begins[code] !== 1) continue;
        const found = byFirst.get(code)?.find((entry) => folded.startsWith(entry.folded, at) && standsAlone(folded, at, entry));
        if (found === undefined) continue;
        const end = at + found.folded.length;
        hits.push({ word: found.word, instead: found.instead, start: at, end });
        at = end - 1;
      }
      return hits;
    },
  };
}

function standsAlone(text: string, at: number, { folded, boundStart, boundEnd }: Entry): boolean {
  return !(boundStart && RUNS_ON.test(text.charAt(at - 1))) && !(boundEnd && RUNS_ON.test(text.charAt(at + folded.length)));
}

/** A forbidden word in new text; `line` from 1. */
export interface ForbiddenInText {
  readonly word: string;
  readonly line: number;
}

/** The hits in `after` that the changes from `before` to it have brought: those that touch what is new. `changes` refer to `before`, sorted. */
export function forbiddenInChanges(
  after: string,
  changes: readonly { readonly start: number; readonly end: number; readonly text: string }[],
  matcher: ForbiddenMatcher,
): readonly ForbiddenInText[] {
  const ranges: { readonly start: number; readonly end: number }[] = [];
  let shift = 0;
  for (const { start, end, text } of changes) {
    ranges.push({ start: start + shift, end: start + shift + text.length });
    shift += text.length - (end - start);
  }
  if (ranges.length === 0) return [];
  const found: ForbiddenInText[] = [];
  let line = 1;
  let counted = 0;
  let next = 0;
  for (const hit of matcher.find(after)) {
    while (next < ranges.length && (ranges[next]?.end ?? 0) <= hit.start) next += 1;
    const range = ranges[next];
    if (range === undefined) break;
    // A place where something was only taken out counts when the word stands on both its sides.
    if (range.start >= hit.end) continue;
    for (; counted < hit.start; counted += 1) if (after.charCodeAt(counted) === 10) line += 1;
    found.push({ word: hit.word, line });
  }
  return found;
}
