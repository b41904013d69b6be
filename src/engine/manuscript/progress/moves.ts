import { countWords } from '../../text/count-words';

/** Text that has left a place, and when that was recorded (ms since the epoch). */
export interface LeftText {
  readonly text: string;
  readonly ts: number;
}

/** Runs of at least this many UTF-16 units count as the same text in another place; shorter ones only when they are a whole piece. */
const RUN = 8;
/** Places of one run that are looked at. */
const PLACES = 16;
/** Text that is looked through for runs, in UTF-16 units; what is beyond it was looked at by whole lines before. */
const SEARCHED = 400_000;

export interface Moves {
  /** 字 of `added` that stand in `sources`, each place of a source used once. */
  readonly moved: number;
  /** By source: what of it has not arrived anywhere. */
  readonly rest: readonly (readonly string[])[];
}

/** Finds which parts of `added` came out of `sources`, taking the longest run first that begins at each place; earlier sources first. */
export function findMoves(added: readonly string[], sources: readonly string[]): Moves {
  const total = sources.reduce((sum, text) => sum + text.length, 0);
  if (total === 0 || added.length === 0) return { moved: 0, rest: sources.map((text) => (text === '' ? [] : [text])) };
  const all = sources.join('\0');
  const used = new Uint8Array(all.length);
  const starts = new Map<string, number[]>();
  const whole = new Map<string, number[]>();
  let at = 0;
  for (const text of sources) {
    if (text.length < RUN) push(whole, text.trim(), at + text.length - text.trimStart().length);
    for (let i = at; i + RUN <= at + text.length && i < SEARCHED; i += 1) push(starts, all.slice(i, i + RUN), i);
    at += text.length + 1;
  }
  let moved = 0;
  const take = (from: number, length: number): void => {
    used.fill(1, from, from + length);
    moved += countWords(all.slice(from, from + length));
  };
  for (const text of added) {
    const bare = text.trim();
    if (bare.length > 0 && bare.length < RUN) {
      const place = whole.get(bare)?.find((start) => used[start] === 0);
      if (place !== undefined) take(place, bare.length);
      continue;
    }
    for (let i = 0; i + RUN <= text.length; ) {
      const best = longest(all, used, starts.get(text.slice(i, i + RUN)), text, i);
      if (best === undefined) i += 1;
      else {
        take(best.from, best.length);
        i += best.length;
      }
    }
  }
  return { moved, rest: unused(sources, used) };
}

function push(map: Map<string, number[]>, key: string, at: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [at]);
  else if (known.length < PLACES) known.push(at);
}

function longest(all: string, used: Uint8Array, places: readonly number[] | undefined, text: string, at: number): { readonly from: number; readonly length: number } | undefined {
  let best: { readonly from: number; readonly length: number } | undefined;
  for (const from of places ?? []) {
    let length = 0;
    while (at + length < text.length && used[from + length] === 0 && all[from + length] === text[at + length] && all[from + length] !== '\0') length += 1;
    if (length >= RUN && length > (best?.length ?? 0)) best = { from, length };
  }
  return best;
}

function unused(sources: readonly string[], used: Uint8Array): string[][] {
  let at = 0;
  return sources.map((text) => {
    const parts: string[] = [];
    let from = 0;
    for (let i = 0; i <= text.length; i += 1) {
      if (i < text.length && used[at + i] === 0) continue;
      if (i > from) parts.push(text.slice(from, i));
      from = i + 1;
    }
    at += text.length + 1;
    return parts.filter((part) => part.trim() !== '');
  });
}
