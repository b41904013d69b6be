import type { Intent } from './intents';
import { findRef, meansAll } from './intents';
import { findChapter, lookUpChapters, sayNoChapter } from './chapters';
import type { Receipt, Speaker, Work } from './talk';
import { call, errorIn, listIn, numberIn, textIn } from './talk';
import type { QuoteEdit } from './unique-edits';
import { blockEdit, uniqueEdits } from './unique-edits';

type Replace = Extract<Intent, { kind: 'replace' }>;

interface Place {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** The line is longer than what was shown of it. */
  readonly cut: boolean;
}

/** Edits of one call at most, and lines asked for in one search. */
const BATCH = 40;
const MOST_LINES = 200;
const MOST_PASSES = 5;
const SHOWN_PLACES = 10;

/** 把「A」改成「B」: finds A, asks when it is not clear which of several places is meant, edits, reports from the receipts. */
export function* replaceText(intent: Replace, speaker: Speaker): Work {
  if (intent.old === '' || intent.old === intent.new) return speaker.say('sameText', { text: intent.old });
  const path = yield* pathOf(intent, speaker);
  if (path === null) return;
  const found = yield* search(intent, path, speaker);
  if (found === undefined) return;
  if (found.places.length === 0) {
    if (path === undefined) speaker.say('notFound', { text: intent.old });
    else speaker.say('notFoundHere', { path, text: intent.old });
    return;
  }
  const chosen = yield* choose(intent, found.places, found.lines, path, speaker);
  if (chosen === undefined) return speaker.say('notChanged');
  if (chosen === 'one-done') return;
  yield* changeAll(intent, chosen, found.lines, path, speaker);
}

/** `undefined`: the whole project; `null`: the named chapter does not exist (already said). */
function* pathOf(intent: Replace, speaker: Speaker): Work<string | undefined | null> {
  if (intent.ref === undefined) return undefined;
  speaker.say('lookOutline');
  const chapters = yield* lookUpChapters();
  const chapter = findChapter(intent.ref, chapters);
  if (chapter !== undefined) return chapter.path;
  // Not a chapter, but perhaps another text of the project.
  if (intent.ref.by === 'path') return intent.ref.path;
  sayNoChapter(speaker, intent.ref, chapters);
  return null;
}

function* search(intent: Replace, path: string | undefined, speaker: Speaker): Work<{ readonly places: readonly Place[]; readonly lines: number } | undefined> {
  speaker.say('lookFor', { text: intent.old });
  const pattern = intent.old.split('\n').find((line) => line.trim() !== '') ?? intent.old;
  const receipt = yield* call('grep', { pattern, ...(path === undefined ? {} : { path }), limit: MOST_LINES });
  const error = errorIn(receipt);
  if (error !== undefined) {
    speaker.say('failed', { error });
    return undefined;
  }
  const places = listIn(receipt, 'matches').map((match) => ({ path: textIn(match, 'path'), line: numberIn(match, 'line'), text: textIn(match, 'text'), cut: match['cut'] === true }));
  return { places, lines: Math.max(places.length, numberIn(receipt, 'lines')) };
}

/** The places to change; `one-done` when the one place the author chose has been changed already. */
function* choose(
  intent: Replace,
  places: readonly Place[],
  lines: number,
  path: string | undefined,
  speaker: Speaker,
): Work<readonly Place[] | 'one-done' | undefined> {
  const [first, second] = places;
  if (first === undefined || second === undefined || intent.all || path !== undefined) return places;
  const all = speaker.phrase('allPlaces', { count: lines });
  const only = [first, second].map((place) => ({ place, label: speaker.phrase('onlyPlace', { path: place.path, line: place.line }) }));
  speaker.say('asking');
  const receipt = yield* call('ask', {
    question: speaker.phrase('whichPlace', { text: intent.old, count: lines }),
    options: [all, ...only.map(({ label }) => label), speaker.phrase('noPlace')],
  });
  const answer = textIn(receipt, 'answer');
  const one = only.find(({ label }) => label === answer)?.place;
  if (one !== undefined) {
    yield* changeOne(intent, one, places, speaker);
    return 'one-done';
  }
  if (answer === all || meansAll(answer)) return places;
  const ref = findRef(answer);
  if (ref === undefined) return undefined;
  const named = findChapter(ref, uniquePaths(places).map((at) => ({ path: at, title: at, words: 0 })));
  return named === undefined ? undefined : places.filter((place) => place.path === named.path);
}

function* changeOne(intent: Replace, place: Place, places: readonly Place[], speaker: Speaker): Work {
  const here = places.filter((other) => other.path === place.path);
  const edit = uniqueEdits(here.map((other) => other.text).join('\n'), intent.old, intent.new)?.[here.indexOf(place)] ?? (yield* editWithNeighbours(intent, place));
  speaker.say('editing', { count: 1 });
  report(intent, [yield* call('edit', { edits: [{ path: place.path, ...edit }] })], speaker);
}

/** The line together with the lines around it, for lines that stand in the text more than once. */
function* editWithNeighbours(intent: Replace, place: Place): Work<QuoteEdit> {
  const start = Math.max(1, place.line - 1);
  const lines = textIn(yield* call('read', { path: place.path, start, end: place.line + 1 }), 'text').replace(/\n$/, '').split('\n');
  const at = place.line - start;
  const changed = lines.map((line, i) => (i === at ? line.replaceAll(intent.old, () => intent.new) : line));
  return { old: lines.join('\n'), new: changed.join('\n') };
}

function* changeAll(intent: Replace, first: readonly Place[], lines: number, path: string | undefined, speaker: Speaker): Work {
  let places = first;
  let left = lines - first.length;
  const receipts: Receipt[] = [];
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const whole = left <= 0 && !intent.old.includes('\n');
    const edits: (QuoteEdit & { readonly path: string })[] = [];
    for (const at of uniquePaths(places)) {
      const here = places.filter((place) => place.path === at);
      const fromLines = whole && here.every((place) => !place.cut) ? uniqueEdits(here.map((place) => place.text).join('\n'), intent.old, intent.new) : undefined;
      const found = fromLines ?? (yield* editsFromText(intent, at, speaker));
      edits.push(...found.map((edit) => ({ path: at, ...edit })));
    }
    for (let at = 0; at < edits.length; at += BATCH) {
      const batch = edits.slice(at, at + BATCH);
      speaker.say('editing', { count: batch.length });
      const receipt = yield* call('edit', { edits: batch });
      receipts.push(receipt);
      if (errorIn(receipt) !== undefined) return report(intent, receipts, speaker);
    }
    if (left <= 0 || edits.length === 0 || intent.new.includes(intent.old)) break;
    const next = yield* search(intent, path, speaker);
    if (next === undefined || next.places.length === 0) {
      left = 0;
      break;
    }
    places = next.places;
    left = next.lines - next.places.length;
  }
  report(intent, receipts, speaker);
  if (left > 0) speaker.say('left', { count: left });
}

/** Reads a file whole and quotes from it. */
function* editsFromText(intent: Replace, path: string, speaker: Speaker): Work<readonly QuoteEdit[]> {
  speaker.say('readWhole');
  let text = '';
  let start = 1;
  for (;;) {
    const receipt = yield* call('read', { path, start });
    const error = errorIn(receipt);
    if (error !== undefined || receipt['cut'] !== undefined) {
      if (error === undefined) speaker.say('tooLong', { path });
      else speaker.say('failedAt', { path, error });
      return [];
    }
    text += textIn(receipt, 'text');
    const rest = receipt['rest'] as { readonly start?: unknown } | undefined;
    if (typeof rest?.start !== 'number' || rest.start <= start) break;
    start = rest.start;
  }
  if (intent.old.includes('\n')) return text.includes(intent.old) ? [{ old: intent.old, new: intent.new }] : [];
  const block = blockEdit(text, intent.old, intent.new);
  return uniqueEdits(text, intent.old, intent.new) ?? (block === undefined ? [] : [block]);
}

function report(intent: Replace, receipts: readonly Receipt[], speaker: Speaker): void {
  const places = receipts.flatMap((receipt) => listIn(receipt, 'matches'));
  if (places.length > 0) {
    if (intent.new === '') speaker.say('deleted', { old: intent.old });
    else speaker.say('changed', { old: intent.old, new: intent.new });
    for (const place of places.slice(0, SHOWN_PLACES)) speaker.say('place', { path: textIn(place, 'path'), line: numberIn(place, 'line') });
    if (places.length > SHOWN_PLACES) speaker.say('more', { count: places.length - SHOWN_PLACES });
  }
  for (const receipt of receipts) {
    const error = errorIn(receipt);
    if (error === undefined) continue;
    const path = textIn(receipt, 'path');
    if (path === '') speaker.say('failed', { error });
    else speaker.say('failedAt', { path, error });
  }
  if (receipts.length === 0) speaker.say('notFound', { text: intent.old });
}

function uniquePaths(places: readonly Place[]): readonly string[] {
  return [...new Set(places.map((place) => place.path))];
}
