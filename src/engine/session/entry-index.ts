import type { LineAt } from '../store/line-log';
import { entryData, sessionHeader, type Entry, type EntryType, type SessionHeader, type UnknownEntry } from './entries';
import { asEntry, parseLine, readPrefix } from './entry-line';
import type { EntryStub } from './session';

/** Position of an entry in the index. `NONE`: no parent. `GAP`: a parent that is not in the file. */
export const NONE = -1;
export const GAP = -2;

/** Where a line lies: in which buffer, and where in the file. */
export interface Place {
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  readonly line: number;
}

/** An id under which two different records stand. Both stay in the file; the first of `places` is the one in use. */
export interface Duplicate {
  readonly id: string;
  readonly places: readonly Place[];
}

/**
 * The tree of a session by position (order of arrival, which means nothing). Payloads are parsed when asked for.
 * After lines have been added, `settle` must be called before anything is asked.
 */
export interface EntryIndex {
  header: SessionHeader | undefined;
  readonly ids: readonly string[];
  readonly parentIds: readonly (string | null)[];
  /** Positions of the parents, `NONE`, `GAP`. */
  readonly parents: readonly number[];
  readonly times: readonly number[];
  readonly types: readonly string[];
  readonly places: readonly Place[];
  /** Lines that looked like records and are none. */
  readonly broken: readonly Place[];
  readonly duplicates: ReadonlyMap<string, readonly Place[]>;
  /** True for an entry that turned out to be no record. */
  dead(i: number): boolean;
  find(id: string): number | undefined;
  stub(i: number): EntryStub;
  /** Takes in a line; false when it is no record. */
  add(at: LineAt): boolean;
  /** Takes in what is known of an entry without looking at its line. */
  restore(stub: EntryStub, place: Place): void;
  /** Links parents that came later, and parses what nothing hangs on: only such a line can have been cut short. */
  settle(): void;
  /** The entry, `undefined` when its payload is damaged or not what its type promises. */
  entry(i: number): Entry | UnknownEntry | undefined;
  /** The same for a place of a duplicate. */
  entryAt(place: Place): Entry | UnknownEntry | undefined;
  /** Gives the entry that was just written, so that it need not be parsed. */
  remember(entry: Entry): void;
  /** Positions under a parent id (or at the root), by (ts, id). */
  childrenOf(id: string | null): readonly number[];
  /** (ts, id) order. */
  compare(a: number, b: number): number;
  /** Newest of all records, `undefined` when there are none. */
  newest(): number | undefined;
  clear(): void;
  /** Called when an entry's line is not the one its place promised: what was restored cannot be believed. */
  onMistrust: (() => void) | undefined;
}

const KEPT_PARSED = 4096;

export const isKnownType = (type: string): type is EntryType => Object.hasOwn(entryData, type);
/** Narrows an entry to the types this version knows. */
export const isKnown = (entry: Entry | UnknownEntry): entry is Entry => isKnownType(entry.type);
/** Entries of these types stand beside the tree. */
export const isLoose = (type: string): boolean => type === 'meta' || type === 'head';

const sameBytes = (a: Place, b: Place): boolean =>
  a.chunk.compare(b.chunk, b.start, b.end, a.start, a.end) === 0;

export function createEntryIndex(): EntryIndex {
  let header: SessionHeader | undefined;
  let byId = new Map<string, number>();
  let ids: string[] = [];
  let parentIds: (string | null)[] = [];
  let parents: number[] = [];
  let times: number[] = [];
  let types: string[] = [];
  let places: Place[] = [];
  let deads = new Set<number>();
  let proven = new Set<number>();
  let unlinked: number[] = [];
  let broken: Place[] = [];
  let duplicates = new Map<string, Place[]>();
  let parsed = new Map<number, Entry | UnknownEntry>();
  let children: Map<string | null, number[]> | undefined;
  let newest: number | undefined;
  let settled = true;
  const interned = new Map<string, string>();

  const compare = (a: number, b: number): number => {
    const byTime = (times[a] ?? 0) - (times[b] ?? 0);
    if (byTime !== 0) return byTime;
    const x = ids[a] ?? '';
    const y = ids[b] ?? '';
    return x < y ? -1 : x > y ? 1 : 0;
  };

  const intern = (type: string): string => {
    const known = interned.get(type);
    if (known !== undefined) return known;
    interned.set(type, type);
    return type;
  };

  const link = (i: number): void => {
    const parentId = parentIds[i] ?? null;
    const last = i - 1;
    const parent = parentId === null ? NONE : last >= 0 && ids[last] === parentId ? last : byId.get(parentId);
    parents[i] = parent ?? GAP;
    if (parent === undefined) unlinked.push(i);
  };

  const insert = (stub: EntryStub, place: Place): number => {
    const i = ids.length;
    ids.push(stub.id);
    parentIds.push(stub.parentId);
    times.push(stub.ts);
    types.push(intern(stub.type));
    places.push(place);
    byId.set(stub.id, i);
    link(i);
    if (newest === undefined || compare(i, newest) > 0) newest = i;
    if (children !== undefined && !isLoose(stub.type)) {
      const list = children.get(stub.parentId);
      if (list === undefined) children.set(stub.parentId, [i]);
      else if (compare(i, list.at(-1) ?? i) >= 0) list.push(i);
      else children = undefined;
    }
    return i;
  };

  const replace = (i: number, stub: EntryStub, place: Place): void => {
    parentIds[i] = stub.parentId;
    times[i] = stub.ts;
    types[i] = intern(stub.type);
    places[i] = place;
    parsed.delete(i);
    proven.add(i);
    deads.delete(i);
    children = undefined;
    newest = undefined;
    link(i);
  };

  const whole = (place: Place): (EntryStub & { readonly data: unknown }) | undefined =>
    asEntry(parseLine(place.chunk, place.start, place.end));

  /** Two lines with one id: the same bytes count once; of different ones the same one is in use whatever their order. */
  const meet = (i: number, place: Place): boolean => {
    const mine = places[i] as Place;
    if (sameBytes(mine, place) || duplicates.get(ids[i] ?? '')?.some((known) => sameBytes(known, place)) === true) return true;
    const other = whole(place);
    if (other === undefined) return false;
    const own = deads.has(i) ? undefined : whole(mine);
    if (own === undefined) {
      if (!deads.has(i)) broken.push(mine);
      replace(i, other, place);
      return true;
    }
    const wins =
      other.ts - own.ts ||
      place.end - place.start - (mine.end - mine.start) ||
      place.chunk.compare(mine.chunk, mine.start, mine.end, place.start, place.end);
    const rest = duplicates.get(own.id)?.slice(1) ?? [];
    duplicates.set(own.id, wins > 0 ? [place, mine, ...rest] : [mine, place, ...rest]);
    if (wins > 0) replace(i, other, place);
    return true;
  };

  const takeHeader = (value: unknown): boolean => {
    const result = sessionHeader.safeParse(value);
    if (!result.success) return false;
    if (header === undefined || result.data.createdAt < header.createdAt) header = result.data;
    return true;
  };

  const verify = (i: number): void => {
    if (proven.has(i) || deads.has(i)) return;
    const place = places[i] as Place;
    if (whole(place) !== undefined) {
      proven.add(i);
      return;
    }
    deads.add(i);
    broken.push(place);
    children = undefined;
    newest = undefined;
  };

  const check = (place: Place): (EntryStub & { readonly data: unknown }) | undefined => {
    const entry = whole(place);
    if (entry === undefined) return undefined;
    if (isKnownType(entry.type) && !entryData[entry.type].safeParse(entry.data).success) return undefined;
    return entry;
  };

  const index: EntryIndex = {
    get header() {
      return header;
    },
    set header(value) {
      header = value;
    },
    get ids() {
      return ids;
    },
    get parentIds() {
      return parentIds;
    },
    get parents() {
      return parents;
    },
    get times() {
      return times;
    },
    get types() {
      return types;
    },
    get places() {
      return places;
    },
    get broken() {
      return broken;
    },
    get duplicates() {
      return duplicates;
    },
    onMistrust: undefined,
    dead: (i) => deads.has(i),
    find(id) {
      const i = byId.get(id);
      return i === undefined || deads.has(i) ? undefined : i;
    },
    stub: (i) => ({ id: ids[i] ?? '', parentId: parentIds[i] ?? null, ts: times[i] ?? 0, type: types[i] ?? '' }),
    add(at) {
      const { chunk, start, end, offset, line } = at;
      const place: Place = { chunk, start, end, offset, line };
      let stub = at.whole ? readPrefix(chunk, start, end) : undefined;
      let sure = false;
      if (stub === undefined) {
        const value = parseLine(chunk, start, end);
        if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'session' && !('parentId' in value)) {
          return takeHeader(value);
        }
        stub = asEntry(value);
        sure = true;
      }
      if (stub === undefined) return false;
      settled = false;
      const known = byId.get(stub.id);
      if (known !== undefined) return meet(known, place);
      const i = insert(stub, place);
      if (sure) proven.add(i);
      return true;
    },
    restore(stub, place) {
      settled = false;
      proven.add(insert(stub, place));
    },
    settle() {
      if (settled) return;
      settled = true;
      const open = unlinked;
      unlinked = [];
      for (const i of open) link(i);
      const pending = new Uint8Array(ids.length);
      for (let i = 0; i < ids.length; i += 1) {
        const parent = parents[i] ?? NONE;
        if (parent >= 0 && !deads.has(i)) pending[parent] = 1;
      }
      for (let i = 0; i < ids.length; i += 1) if (pending[i] === 0) verify(i);
    },
    entry(i) {
      const kept = parsed.get(i);
      if (kept !== undefined) return kept;
      if (deads.has(i)) return undefined;
      const place = places[i] as Place;
      const entry = check(place);
      const raw = entry ?? whole(place);
      if (raw !== undefined && raw.id !== ids[i]) {
        index.onMistrust?.();
        return undefined;
      }
      if (entry === undefined) {
        if (!broken.includes(place)) broken.push(place);
        return undefined;
      }
      if (parsed.size >= KEPT_PARSED) parsed.delete(parsed.keys().next().value as number);
      parsed.set(i, entry);
      return entry;
    },
    entryAt: (place) => check(place),
    remember(entry) {
      const i = byId.get(entry.id);
      if (i === undefined) return;
      proven.add(i);
      parsed.set(i, entry);
    },
    childrenOf(id) {
      if (children === undefined) {
        children = new Map();
        for (let i = 0; i < ids.length; i += 1) {
          if (deads.has(i) || isLoose(types[i] ?? '')) continue;
          const parentId = parentIds[i] ?? null;
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
        for (let i = 0; i < ids.length; i += 1) {
          if (!deads.has(i) && (newest === undefined || compare(i, newest) > 0)) newest = i;
        }
      }
      return newest;
    },
    clear() {
      header = undefined;
      byId = new Map();
      ids = [];
      parentIds = [];
      parents = [];
      times = [];
      types = [];
      places = [];
      deads = new Set();
      proven = new Set();
      unlinked = [];
      broken = [];
      duplicates = new Map();
      parsed = new Map();
      children = undefined;
      newest = undefined;
      settled = true;
    },
  };
  return index;
}
