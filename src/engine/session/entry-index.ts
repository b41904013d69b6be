import type { BadLine, LineAt } from '../store/line-log';
import { entryData, sessionHeader, type Entry, type EntryType, type SessionHeader, type UnknownEntry } from './entries';
import { asEntry, createPrefixReader, parseLine, type ParsedLine } from './entry-line';
import type { LineSource } from './line-source';
import type { EntryStub } from './session';

/** In place of a parent's position: no parent, and a parent that is not in the file. */
export const NONE = -1;
export const GAP = -2;

/** Where a line lies in the file, in bytes, without its line end; `line` counts from 1. */
export type Place = BadLine;

/** The columns of the index. A position means the order of arrival, nothing else. */
export interface Columns {
  readonly ids: string[];
  /** Positions of the parents, `NONE`, `GAP`. */
  readonly parents: number[];
  /** The parent ids at `GAP`. */
  readonly gaps: Map<number, string>;
  readonly times: number[];
  readonly types: string[];
  readonly offsets: number[];
  readonly lengths: number[];
  readonly lines: number[];
}

/**
 * The tree of a session. Payloads are parsed when asked for, from the bytes `source` gives. After lines have been added,
 * `settle` must be called before anything is asked.
 */
export interface EntryIndex {
  readonly header: SessionHeader | undefined;
  readonly columns: Readonly<Columns>;
  readonly size: number;
  /** Lines that looked like records and are none. */
  readonly broken: readonly Place[];
  /** Per id under which different records stand: their places, the one in use first. */
  readonly duplicates: ReadonlyMap<string, readonly Place[]>;
  /** True for an entry that turned out to be no record. */
  dead(i: number): boolean;
  find(id: string): number | undefined;
  stub(i: number): EntryStub;
  place(i: number): Place;
  /** Takes in a line; false when it is no record. */
  add(at: LineAt): boolean;
  /** Takes in all of an index that was kept, into an empty one. */
  restore(header: SessionHeader, columns: Columns): void;
  /** Links parents that came later, and parses what nothing hangs on: only such a line can have been cut short. */
  settle(): void;
  /** The entry, `undefined` when its payload is damaged or not what its type promises. Throws like `source`. */
  entry(i: number): Entry | UnknownEntry | undefined;
  /** The same for any place. */
  entryAt(place: Place): Entry | UnknownEntry | undefined;
  /** Gives the entry that was just written, so that it need not be parsed. */
  remember(entry: Entry): void;
  /** Positions under a parent id (or at the root), by (ts, id). */
  childrenOf(id: string | null): readonly number[];
  /** By (ts, id). */
  compare(a: number, b: number): number;
  /** The newest of all records, `undefined` when there are none. */
  newest(): number | undefined;
  clear(): void;
  /** Called when a line is not the one its place promised; answers whether all was read anew (then positions have changed). */
  onMistrust: (() => boolean) | undefined;
}

const KEPT_PARSED = 4096;
const PROVEN = 1;
const DEAD = 2;

export const isKnownType = (type: string): type is EntryType => Object.hasOwn(entryData, type);
/** Narrows an entry to the types this version knows. */
export const isKnown = (entry: Entry | UnknownEntry): entry is Entry => isKnownType(entry.type);
/** Entries of these types stand beside the tree. */
export const isLoose = (type: string): boolean => type === 'meta' || type === 'head';

const emptyColumns = (): Columns => ({
  ids: [],
  parents: [],
  gaps: new Map(),
  times: [],
  types: [],
  offsets: [],
  lengths: [],
  lines: [],
});

export function createEntryIndex(source: LineSource): EntryIndex {
  let header: SessionHeader | undefined;
  let c = emptyColumns();
  let flags: number[] = [];
  /** While ids arrive in ascending order they are found by halving; else through a map. */
  let ascending = true;
  let byId: Map<string, number> | undefined;
  let unlinked: number[] = [];
  let broken: Place[] = [];
  let duplicates = new Map<string, readonly Place[]>();
  let parsed = new Map<number, Entry | UnknownEntry>();
  let children: Map<string | null, number[]> | undefined;
  let newest: number | undefined;
  let settled = true;
  let settledUpTo = 0;
  const readPrefix = createPrefixReader();

  const has = (i: number, flag: number): boolean => ((flags[i] ?? 0) & flag) !== 0;
  const mark = (i: number, flag: number): void => {
    flags[i] = (flags[i] ?? 0) | flag;
  };

  const lookUp = (id: string): number | undefined => {
    if (!ascending) {
      byId ??= new Map(c.ids.map((known, i) => [known, i]));
      return byId.get(id);
    }
    let low = 0;
    let high = c.ids.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const at = c.ids[middle] as string;
      if (at === id) return middle;
      if (at < id) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  };

  const compare = (a: number, b: number): number => {
    const byTime = (c.times[a] ?? 0) - (c.times[b] ?? 0);
    if (byTime !== 0) return byTime;
    const x = c.ids[a] ?? '';
    const y = c.ids[b] ?? '';
    return x < y ? -1 : x > y ? 1 : 0;
  };

  const place = (i: number): Place => ({ offset: c.offsets[i] ?? 0, length: c.lengths[i] ?? 0, line: c.lines[i] ?? 0 });
  const bytesOf = ({ offset, length }: Place): Buffer => source.bytes(offset, length);
  const whole = (at: Place): ParsedLine | undefined => {
    const bytes = bytesOf(at);
    return asEntry(parseLine(bytes, 0, bytes.length));
  };

  const parentIdOf = (i: number): string | null => {
    const parent = c.parents[i] ?? NONE;
    return parent >= 0 ? (c.ids[parent] ?? null) : (c.gaps.get(i) ?? null);
  };

  const link = (i: number, parentId: string | null): void => {
    const parent = parentId === null ? NONE : i > 0 && c.ids[i - 1] === parentId ? i - 1 : lookUp(parentId);
    c.parents[i] = parent ?? GAP;
    if (parent === undefined && parentId !== null) {
      c.gaps.set(i, parentId);
      unlinked.push(i);
    } else {
      c.gaps.delete(i);
    }
  };

  const insert = (stub: EntryStub, at: Place): number => {
    const i = c.ids.length;
    const last = c.ids[i - 1];
    if (ascending && last !== undefined && stub.id <= last) ascending = false;
    byId?.set(stub.id, i);
    c.ids.push(stub.id);
    c.times.push(stub.ts);
    c.types.push(stub.type);
    c.offsets.push(at.offset);
    c.lengths.push(at.length);
    c.lines.push(at.line);
    flags.push(0);
    link(i, stub.parentId);
    if (i === 0 || (newest !== undefined && compare(i, newest) > 0)) newest = i;
    if (children !== undefined && !isLoose(stub.type)) {
      const list = children.get(stub.parentId);
      if (list === undefined) children.set(stub.parentId, [i]);
      else if (compare(i, list.at(-1) ?? i) >= 0) list.push(i);
      else children = undefined;
    }
    return i;
  };

  /** Puts another record of the same id in use. */
  const replace = (i: number, stub: EntryStub, at: Place): void => {
    c.times[i] = stub.ts;
    c.types[i] = stub.type;
    c.offsets[i] = at.offset;
    c.lengths[i] = at.length;
    c.lines[i] = at.line;
    flags[i] = PROVEN;
    parsed.delete(i);
    children = undefined;
    newest = undefined;
    link(i, stub.parentId);
  };

  /** Two lines with one id: the same bytes count once; of different ones the same one is in use whatever their order. */
  const meet = (i: number, at: Place, bytes: Buffer): boolean => {
    const mine = place(i);
    const seen = [mine, ...(duplicates.get(c.ids[i] ?? '') ?? [])];
    if (seen.some((known) => known.length === at.length && bytesOf(known).equals(bytes))) return !has(i, DEAD);
    const other = asEntry(parseLine(bytes, 0, bytes.length));
    if (other === undefined) return false;
    const own = has(i, DEAD) ? undefined : whole(mine);
    if (own === undefined) {
      if (!has(i, DEAD)) broken.push(mine);
      replace(i, other, at);
      return true;
    }
    const wins = other.ts - own.ts || at.length - mine.length || bytes.compare(bytesOf(mine));
    const rest = duplicates.get(own.id)?.slice(1) ?? [];
    duplicates.set(own.id, wins > 0 ? [at, mine, ...rest] : [mine, at, ...rest]);
    if (wins > 0) replace(i, other, at);
    return true;
  };

  const takeHeader = (value: unknown): boolean => {
    const result = sessionHeader.safeParse(value);
    if (!result.success) return false;
    if (header === undefined || result.data.createdAt < header.createdAt) header = result.data;
    return true;
  };

  const verify = (i: number): void => {
    if (has(i, PROVEN | DEAD)) return;
    if (whole(place(i)) !== undefined) {
      mark(i, PROVEN);
      return;
    }
    mark(i, DEAD);
    broken.push(place(i));
    children = undefined;
    newest = undefined;
  };

  const checked = (raw: ParsedLine | undefined): Entry | UnknownEntry | undefined => {
    if (raw === undefined) return undefined;
    if (isKnownType(raw.type) && !entryData[raw.type].safeParse(raw.data).success) return undefined;
    return raw;
  };

  const index: EntryIndex = {
    get header() {
      return header;
    },
    get columns() {
      return c;
    },
    get size() {
      return c.ids.length;
    },
    get broken() {
      return broken;
    },
    get duplicates() {
      return duplicates;
    },
    onMistrust: undefined,
    dead: (i) => has(i, DEAD),
    find(id) {
      const i = lookUp(id);
      return i === undefined || has(i, DEAD) ? undefined : i;
    },
    stub: (i) => ({ id: c.ids[i] ?? '', parentId: parentIdOf(i), ts: c.times[i] ?? 0, type: c.types[i] ?? '' }),
    place,
    add({ chunk, start, end, offset, line, whole: complete }) {
      let stub = complete ? readPrefix(chunk, start, end) : undefined;
      const sure = stub === undefined;
      if (stub === undefined) {
        const value = parseLine(chunk, start, end);
        const isHeader = typeof value === 'object' && value !== null && 'type' in value && value.type === 'session' && !('parentId' in value);
        if (isHeader) return takeHeader(value);
        stub = asEntry(value);
      }
      if (stub === undefined) return false;
      settled = false;
      const at: Place = { offset, length: end - start, line };
      const last = c.ids[c.ids.length - 1];
      const known = ascending && (last === undefined || stub.id > last) ? undefined : lookUp(stub.id);
      if (known !== undefined) return meet(known, at, chunk.subarray(start, end));
      const i = insert(stub, at);
      if (sure) mark(i, PROVEN);
      return true;
    },
    restore(kept, columns) {
      header = kept;
      c = columns;
      flags = new Array<number>(c.ids.length).fill(PROVEN);
      for (let i = 1; i < c.ids.length && ascending; i += 1) ascending = (c.ids[i - 1] ?? '') < (c.ids[i] ?? '');
      unlinked = [...c.gaps.keys()];
      settledUpTo = c.ids.length;
    },
    settle() {
      if (settled) return;
      settled = true;
      const open = unlinked;
      unlinked = [];
      for (const i of open) link(i, parentIdOf(i));
      // Only what is new can be a tip that was not looked at.
      const from = settledUpTo;
      settledUpTo = c.ids.length;
      const inner = new Uint8Array(settledUpTo - from);
      const leans = (i: number): void => {
        const parent = c.parents[i] ?? NONE;
        if (parent >= from && !has(i, DEAD)) inner[parent - from] = 1;
      };
      for (const i of open) leans(i);
      for (let i = from; i < settledUpTo; i += 1) leans(i);
      for (let i = from; i < settledUpTo; i += 1) if (inner[i - from] === 0) verify(i);
    },
    entry(i) {
      const kept = parsed.get(i);
      if (kept !== undefined) return kept;
      if (has(i, DEAD)) return undefined;
      const at = place(i);
      const raw = whole(at);
      const foreign = raw?.id !== c.ids[i];
      if (foreign && index.onMistrust?.() === true) return undefined;
      const entry = foreign ? undefined : checked(raw);
      if (entry === undefined) {
        if (!broken.some(({ offset }) => offset === at.offset)) broken.push(at);
        return undefined;
      }
      if (parsed.size >= KEPT_PARSED) parsed.delete(parsed.keys().next().value as number);
      parsed.set(i, entry);
      return entry;
    },
    entryAt: (at) => checked(whole(at)),
    remember(entry) {
      const i = lookUp(entry.id);
      if (i === undefined) return;
      mark(i, PROVEN);
      parsed.set(i, entry);
    },
    childrenOf(id) {
      if (children === undefined) {
        children = new Map();
        for (let i = 0; i < c.ids.length; i += 1) {
          if (has(i, DEAD) || isLoose(c.types[i] ?? '')) continue;
          const parentId = parentIdOf(i);
          const list = children.get(parentId);
          if (list === undefined) children.set(parentId, [i]);
          else list.push(i);
        }
        for (const list of children.values()) list.sort(compare);
      }
      return children.get(id) ?? [];
    },
    compare,
    newest() {
      if (newest === undefined) {
        for (let i = 0; i < c.ids.length; i += 1) {
          if (!has(i, DEAD) && (newest === undefined || compare(i, newest) > 0)) newest = i;
        }
      }
      return newest;
    },
    clear() {
      header = undefined;
      c = emptyColumns();
      flags = [];
      ascending = true;
      byId = undefined;
      unlinked = [];
      broken = [];
      duplicates = new Map();
      parsed = new Map();
      children = undefined;
      newest = undefined;
      settled = true;
      settledUpTo = 0;
    },
  };
  return index;
}
