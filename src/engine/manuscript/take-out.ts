import { ok, type Result } from '../ports/result';
import { invertEdit } from '../text/reanchor';
import { isOtherText } from '../text/other-text';
import { applyChanges } from '../text/text-change';
import type { JournalEdit, UndoOutcome } from './checkpoints';

export type UndoConflict = UndoOutcome['conflicts'][number];

/** A file as it stands before edits are taken out of it. */
export interface StandingFile {
  readonly sha: string;
  /** Absent when its bytes are no text. */
  readonly text?: string;
}

/** What one file comes to. */
export interface TakenOut {
  /** Where it stands now; `null`: nowhere (the agent had deleted it). */
  readonly was: string | null;
  /** Where it belongs; `null`: nowhere (the agent had made it). */
  readonly path: string | null;
  /** Set when its bytes are exactly those of an object. */
  readonly sha?: string;
  /** Set when it is a text to be written in the encoding of the file. */
  readonly text?: string;
}

export interface TakeOutResult {
  /** Only files that come to something else than they are. */
  readonly files: readonly TakenOut[];
  readonly conflicts: readonly UndoConflict[];
}

interface Item {
  readonly was: string | null;
  readonly standing: StandingFile | undefined;
  path: string | null;
  /** The name it had when the edits were over; it stands at `was` by now, and stays there unless it gets another name. */
  home: string | null;
  sha: string | undefined;
  text: string | undefined;
}

const quoteLength = 40;
const shorten = (text: string): string => {
  const line = text.trim().replace(/\s*\n\s*/g, ' ⏎ ');
  return line.length <= quoteLength ? line : `${line.slice(0, quoteLength)}…`;
};

/**
 * Takes edits (oldest first) back out of files that may have been changed since, newest first. What the author wrote stays. Where
 * the author changed the same words: with `force` the words from before the edit come back, otherwise the place is left and listed.
 * `recorded` gives what an edit recorded as the text it is in the file that stands at `path`; `undefined` when it is none.
 */
export async function takeOut(
  edits: readonly JournalEdit[],
  options: {
    readonly standing: (path: string) => Promise<Result<StandingFile | undefined>>;
    readonly recorded: (sha: string, path: string) => Promise<Result<string | undefined>>;
    readonly force: boolean;
    /** Where a file stands now that had this name when the edits were over. Absent: nothing was renamed since. */
    readonly now?: (path: string) => string;
  },
): Promise<Result<TakeOutResult>> {
  const { standing, recorded, force, now = (path: string): string => path } = options;
  const items: Item[] = [];
  const known = new Set<string>();
  const conflicts: UndoConflict[] = [];
  const texts = new Map<string, string | undefined>();

  const at = async (path: string): Promise<Result<Item | undefined>> => {
    const place = now(path);
    if (!known.has(place)) {
      known.add(place);
      const file = await standing(place);
      if (!file.ok) return file;
      if (file.value !== undefined) items.push({ was: place, standing: file.value, path, home: path, ...settled(file.value) });
    }
    return ok(items.find((item) => item.path === path));
  };

  const textOf = async (sha: string, item: Item): Promise<Result<string | undefined>> => {
    const path = item.was ?? item.path ?? '';
    const key = `${sha} ${path}`;
    if (!texts.has(key)) {
      const text = await recorded(sha, path);
      if (!text.ok) return text;
      texts.set(key, text.value);
    }
    return ok(texts.get(key));
  };

  const conflict = (path: string, quote: string): void => void conflicts.push({ path: now(path), quote: shorten(quote) });

  /** Turns the content of an item from what it is after an edit to what it was before, as far as the author has left it. */
  const invert = async (item: Item, path: string, before: string, after: string): Promise<Result<void>> => {
    if (before === after) return ok(undefined);
    if (item.sha === after) {
      Object.assign(item, { sha: before, text: undefined });
      return ok(undefined);
    }
    const old = await textOf(before, item);
    if (!old.ok) return old;
    const made = await textOf(after, item);
    if (!made.ok) return made;
    const current = await contentOf(item);
    if (!current.ok) return current;
    if (old.value === undefined || made.value === undefined || current.value === undefined) {
      if (force) Object.assign(item, { sha: before, text: undefined });
      else conflict(path, '');
      return ok(undefined);
    }
    // Another chapter bears its name by now: no place in it is meant.
    if (!force && isOtherText(made.value, current.value) && isOtherText(old.value, current.value)) {
      conflict(path, current.value.split('\n').find((line) => line.trim() !== '') ?? '');
      return ok(undefined);
    }
    const found = invertEdit(old.value, made.value, current.value, { force });
    for (const place of found.conflicts) conflict(path, place.found.trim() === '' ? lineAround(current.value, place.start) : place.found);
    const text = applyChanges(current.value, found.changes);
    if (text !== current.value) Object.assign(item, { sha: undefined, text });
    return ok(undefined);
  };

  const contentOf = async (item: Item): Promise<Result<string | undefined>> =>
    item.text !== undefined || item.sha === undefined ? ok(item.text) : item.sha === item.standing?.sha ? ok(item.standing.text) : textOf(item.sha, item);

  const isStill = async (item: Item, sha: string): Promise<Result<boolean>> => {
    if (item.sha !== undefined) return ok(item.sha === sha);
    const text = await textOf(sha, item);
    return text.ok ? ok(text.value !== undefined && text.value === item.text) : text;
  };

  for (const edit of carriedOut(edits).reverse()) {
    const item = await at(edit.path);
    if (!item.ok) return item;
    const file = item.value;
    if (edit.after === null) {
      if (edit.before === null) continue;
      const inTheWay = items.find(({ was }) => was === edit.path);
      if (file === undefined && inTheWay !== undefined) conflict(edit.path, (await firstWords(inTheWay, contentOf)) ?? '');
      else if (file === undefined) items.push({ was: null, standing: undefined, path: edit.path, home: null, sha: edit.before, text: undefined });
      else {
        // It may have come back already.
        const same = await isStill(file, edit.before);
        if (!same.ok) return same;
        if (!same.value && !force) conflict(edit.path, (await firstWords(file, contentOf)) ?? '');
      }
      continue;
    }
    // The author deleted or moved it since: left so.
    if (file === undefined) continue;
    if (edit.from !== undefined) {
      const before = await at(edit.from);
      if (!before.ok) return before;
      if (before.value !== undefined) {
        if (!force) conflict(edit.from, (await firstWords(before.value, contentOf)) ?? '');
        continue;
      }
      // The author has given it another name since: it keeps that one.
      if (file.was !== null && file.path === file.home && file.was !== file.home) file.home = edit.from;
      file.path = edit.from;
    }
    if (edit.before === null) {
      const same = await isStill(file, edit.after);
      if (!same.ok) return same;
      if (same.value || force) file.path = null;
      else {
        Object.assign(file, { path: file.was, home: file.was, ...(file.standing === undefined ? {} : settled(file.standing)) });
        conflict(edit.path, (await firstWords(file, contentOf)) ?? '');
      }
      continue;
    }
    const inverted = await invert(file, edit.path, edit.before, edit.after);
    if (!inverted.ok) return inverted;
  }
  return ok({ files: items.filter(isDifferent).map(result), conflicts });
}

/** Without edits that were announced, refused by the editor, and taken back by their inverse right after. */
export function carriedOut(edits: readonly JournalEdit[]): JournalEdit[] {
  const kept: JournalEdit[] = [];
  for (const edit of edits) {
    const last = kept.at(-1);
    if (last !== undefined && isInverse(last, edit)) kept.pop();
    else kept.push(edit);
  }
  return kept;
}

/** True when the second takes back all the first did. */
export function isInverse(first: JournalEdit, second: JournalEdit): boolean {
  const samePlace =
    first.from === undefined ? second.from === undefined && first.path === second.path : first.path === second.from && first.from === second.path;
  return samePlace && first.before === second.after && first.after === second.before;
}

const settled = (file: StandingFile): Pick<Item, 'sha' | 'text'> => ({ sha: file.sha, text: undefined });

function isDifferent(item: Item): boolean {
  if (item.path === null && item.was === null) return false;
  return placeOf(item) !== item.was || item.sha === undefined || item.sha !== item.standing?.sha;
}

const placeOf = ({ path, home, was }: Item): string | null => (path !== null && path === home ? was : path);

function result(item: Item): TakenOut {
  return {
    was: item.was,
    path: placeOf(item),
    ...(item.sha === undefined ? {} : { sha: item.sha }),
    ...(item.sha !== undefined || item.text === undefined ? {} : { text: item.text }),
  };
}

async function firstWords(item: Item, contentOf: (item: Item) => Promise<Result<string | undefined>>): Promise<string | undefined> {
  const text = await contentOf(item);
  return text.ok ? text.value?.split('\n').find((line) => line.trim() !== '') : undefined;
}

function lineAround(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return text.slice(start, end === -1 ? text.length : end);
}
