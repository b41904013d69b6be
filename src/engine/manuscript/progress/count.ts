import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ObjectStore } from '../../store/objects';
import { countWords } from '../../text/count-words';
import { decodeBytes } from '../../text/encoding';
import type { CheckpointRecord, Manifest } from '../checkpoint-log';
import { measureWriting, type TextPair } from './measure';
import type { LeftText } from './moves';
import type { ProgressRow } from './rows';
import { changedChapters, createFolder, inOrder, type ChangedText, type Folder } from './walk';

/** Text that left its place may arrive this much later, ms. */
const CARRIED_MS = 24 * 3_600_000;
/** As much of it is carried along, in UTF-16 units; the newest. */
const CARRIED = 50_000;
/** So many new files with so many 字 in one checkpoint are a book that was brought in, not one that was written. */
const BROUGHT_FILES = 10;
const BROUGHT_WORDS = 50_000;
/** Others wait no longer than this, ms. */
const BURST_MS = 8;
const KEPT_TEXTS = 128;

/** Texts of objects; `undefined`: gone, damaged. What is no text is ''. */
export interface TextStore {
  of(sha: string | null): Promise<string | undefined>;
}

export function createTextStore(objects: Pick<ObjectStore, 'get'>): TextStore {
  const kept = new Map<string, string>();
  return {
    async of(sha) {
      if (sha === null) return '';
      const known = kept.get(sha);
      if (known !== undefined) return known;
      const bytes = await objects.get(sha);
      if (!bytes.ok) return undefined;
      const decoded = decodeBytes(bytes.value);
      const text = decoded.ok ? decoded.value.text : '';
      if (kept.size >= KEPT_TEXTS) kept.delete(kept.keys().next().value as string);
      kept.set(sha, text);
      return text;
    },
  };
}

export interface Counted {
  readonly row: ProgressRow;
  readonly left: readonly LeftText[];
}

export interface CountDeps {
  readonly records: ReadonlyMap<string, CheckpointRecord>;
  readonly texts: TextStore;
  /** The manuscript folder. */
  readonly folder: string;
  /** What had left its place at a checkpoint that was counted before. */
  readonly left: (id: string) => readonly LeftText[];
  /** 字 of the book when it was first seen, before its first checkpoint. */
  readonly firstWords?: number | undefined;
}

/** Keeps what may still arrive at `ts`. */
export function stillCarried(left: readonly LeftText[], ts: number): readonly LeftText[] {
  const kept: LeftText[] = [];
  let room = CARRIED;
  for (const one of [...left].reverse()) {
    room -= one.text.length;
    if (room < 0) break;
    if (ts - one.ts <= CARRIED_MS) kept.push(one);
  }
  return kept.reverse();
}

/** Pairs of texts, without a book that was brought in; `undefined` when one of them is gone. */
export async function textPairs(
  changed: { readonly edited: readonly ChangedText[]; readonly added: readonly ChangedText[] },
  textOf: (sha: string | null) => Promise<string | undefined>,
): Promise<readonly TextPair[] | undefined> {
  const load = async (list: readonly ChangedText[]): Promise<TextPair[] | undefined> => {
    const pairs: TextPair[] = [];
    for (const one of list) {
      const before = await textOf(one.before);
      const after = await textOf(one.after);
      if (before === undefined || after === undefined) return undefined;
      pairs.push({ before, after });
    }
    return pairs;
  };
  const edited = await load(changed.edited);
  const added = await load(changed.added);
  if (edited === undefined || added === undefined) return undefined;
  return wereBroughtIn(added) ? edited : [...edited, ...added];
}

/** Whether new files are so many and so long that they are a book which was brought in. */
export const wereBroughtIn = (added: readonly TextPair[]): boolean =>
  added.length >= BROUGHT_FILES && added.reduce((sum, { after }) => sum + countWords(after), 0) > BROUGHT_WORDS;

/** Counts checkpoints one by one, parents first, letting others run in between. Ends early when `signal` is aborted. */
export async function* countRecords(ids: Iterable<string>, deps: CountDeps, signal?: AbortSignal): AsyncGenerator<Counted> {
  const folder = createFolder(deps.records);
  const lefts = new Map<string, readonly LeftText[]>();
  let burst = performance.now();
  for (const record of inOrder(deps.records, ids)) {
    if (performance.now() - burst > BURST_MS) {
      await nextTurn();
      burst = performance.now();
    }
    if (signal?.aborted === true) return;
    const carried = record.parents.flatMap((id) => lefts.get(id) ?? deps.left(id));
    const counted = await countRecord(record, stillCarried(carried, record.ts), folder, deps);
    for (const id of record.parents) lefts.delete(id);
    lefts.set(record.id, counted.left);
    yield counted;
  }
}

async function countRecord(record: CheckpointRecord, carried: readonly LeftText[], folder: Folder, deps: CountDeps): Promise<Counted> {
  const { id, ts, author } = record;
  const nobody = (left: readonly LeftText[], lost = false): Counted => ({ row: { id, ts, who: 'nobody', words: 0, ...(lost ? { lost } : {}) }, left });
  const [first] = record.parents;
  // An existing book, but for what it has grown by since it was first seen; or a state that was there before.
  if (first === undefined && deps.firstWords !== undefined) return { row: { id, ts, who: 'user', words: await grownSince(deps.firstWords, id, folder, deps) }, left: [] };
  if (first === undefined || author === 'import' || record.restoredFrom !== undefined) return nobody([]);
  const before = folder.manifest(first);
  const delta = folder.delta(record);
  if (before === undefined || delta === undefined) return nobody([], true);
  const changed = changedChapters(delta, before, record.changed.renamed, deps.folder);
  if (changed.edited.length === 0 && changed.added.length === 0) return nobody(carried);
  const pairs = await textPairs(changed, (sha) => deps.texts.of(sha));
  if (pairs === undefined) return nobody(carried, true);
  const known = await knownElsewhere(record.parents.slice(1), before, folder, deps);
  const { written, left } = measureWriting(pairs, { carried, known, ts });
  return { row: { id, ts, who: author, words: written }, left };
}

/** What the chapters of a first checkpoint have more than `words`, but not a book that was brought in meanwhile. */
async function grownSince(words: number, id: string, folder: Folder, deps: CountDeps): Promise<number> {
  const { added } = changedChapters(Object.fromEntries(folder.manifest(id) ?? []), new Map(), [], deps.folder);
  let total = 0;
  for (const { after } of added) total += countWords((await deps.texts.of(after)) ?? '');
  return growth(total, words);
}

/** 字 a book has grown by, unless it is so much that it was brought in. */
export const growth = (now: number, before: number): number => (now - before > BROUGHT_WORDS ? 0 : Math.max(0, now - before));

/** The chapters of other parents where they differ from the first one's. */
export async function knownElsewhere(
  others: readonly string[],
  before: Manifest,
  folder: Pick<Folder, 'manifest'>,
  deps: Pick<CountDeps, 'texts' | 'folder'>,
): Promise<readonly string[]> {
  const known: string[] = [];
  const shas = new Set(before.values());
  for (const id of others) {
    const manifest = folder.manifest(id) ?? new Map<string, string>();
    const differing = Object.fromEntries([...manifest].filter(([, sha]) => !shas.has(sha)));
    const { edited, added } = changedChapters(differing, before, [], deps.folder);
    for (const { after } of [...edited, ...added]) {
      const text = await deps.texts.of(after);
      if (text !== undefined && text !== '') known.push(text);
    }
  }
  return known;
}
