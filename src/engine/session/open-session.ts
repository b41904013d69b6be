import type { Clock } from '../ports/clock';
import type { Files, Lock } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import { EngineFailure, fail, ok, refuse, type Result } from '../ports/result';
import { createLineLog, type BadLine, type Known } from '../store/line-log';
import { createQueue } from '../store/queue';
import type { Entry, EntryOf, EntryType, NewEntry, UnknownEntry } from './entries';
import { SESSION_VERSION } from './entries';
import { createEntryIndex, isKnown, isLoose, NONE } from './entry-index';
import { asEntry, formatEntry, parseLine } from './entry-line';
import { leafOf, type Head } from './leaf';
import { encodeOffsets, restoreOffsets } from './offset-cache';
import type { Session } from './session';

export interface SessionDeps {
  readonly files: Files;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** This machine's id, for `head` entries. */
  readonly machine: string;
  /** Nothing is written, caches included. */
  readonly readOnly?: boolean;
}

export interface OpenInput {
  readonly path: string;
  /** Held by us; absent: read-only. */
  readonly lock: Lock | undefined;
  /** Copies of the same session that a cloud drive left beside it. */
  readonly copies: readonly string[];
  readonly onClose: () => void;
}

const OFFSETS = '.liyuan/cache/offsets';
/** The offsets are written again when this many lines are not in them. */
const WORTH_CACHING = 256;

/** Reads a session. Refuses `store.bad-file` when it has no header, `store.*` when it cannot be read. */
export async function openSession(deps: SessionDeps, input: OpenInput): Promise<Result<Session>> {
  const { files, clock, ids, log, machine } = deps;
  const { path, lock } = input;
  const cachePath = `${OFFSETS}/${path.slice(path.lastIndexOf('/') + 1).replace(/\.jsonl$/, '')}`;
  const index = createEntryIndex();
  const listeners = new Set<(entries: readonly Entry[]) => void>();
  const queue = createQueue();
  const told = new Set<number>();
  let meta = new Map<string, { readonly ts: number; readonly id: string; readonly value: unknown }>();
  let leaf: string | null = null;
  let closed = false;
  /** Bytes from the last reading from the beginning, for the cache; and how many lines the cache on disk knows. */
  let whole: Buffer = Buffer.alloc(0);
  let cachedLines = 0;
  let cache: Buffer | undefined;
  /** How many positions have been looked through for `meta`. */
  let noted = 0;
  /** Lines that the cache took for records. */
  let unmasked: BadLine[] = [];

  const newerVersion = (): boolean => (index.header?.v ?? 0) > SESSION_VERSION;
  const owned = (): boolean => lock?.held() === true && !newerVersion() && deps.readOnly !== true;

  const readBom = (bytes: Buffer): Known | undefined =>
    bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? { offset: 3, lines: 0, badLines: [] } : undefined;
  const lines = createLineLog({
    files,
    path,
    owned,
    reader: {
      start(bytes) {
        whole = bytes;
        index.clear();
        meta = new Map();
        noted = 0;
        unmasked = [];
        const known = cache === undefined ? undefined : restoreOffsets(index, cache, bytes);
        cache = undefined;
        cachedLines = known?.lines ?? 0;
        return known ?? readBom(bytes);
      },
      line: (at) => index.add(at),
    },
  });

  /** Brings everything that is derived up to date after lines were taken in. */
  const settle = (): void => {
    index.settle();
    for (; noted < index.ids.length; noted += 1) {
      if (index.types[noted] !== 'meta') continue;
      const entry = index.entry(noted);
      if (entry === undefined || !isKnown(entry) || entry.type !== 'meta') continue;
      const known = meta.get(entry.data.key);
      if (known !== undefined && (known.ts > entry.ts || (known.ts === entry.ts && known.id >= entry.id))) continue;
      meta.set(entry.data.key, { ts: entry.ts, id: entry.id, value: entry.data.value });
    }
    for (const bad of badLines()) {
      if (told.has(bad.offset)) continue;
      told.add(bad.offset);
      log.warn('a line of a session is not a record and is skipped', { path, ...bad });
    }
  };

  const badLines = (): readonly BadLine[] => {
    const broken = index.broken.map(({ line, offset, start, end }) => ({ line, offset, length: end - start }));
    return [...lines.badLines, ...broken, ...unmasked].sort((a, b) => a.offset - b.offset);
  };

  const heads = (): readonly Head[] => {
    const found: Head[] = [];
    for (let i = 0; i < index.ids.length; i += 1) {
      if (index.types[i] !== 'head') continue;
      const entry = index.entry(i);
      if (entry !== undefined && isKnown(entry) && entry.type === 'head') {
        found.push({ id: entry.id, ts: entry.ts, leaf: entry.data.leaf, machine: entry.data.machine });
      }
    }
    return found;
  };

  /** Positions from `leaf` to the root; ends at a gap, and where a damaged file would go in a circle. */
  function* walk(from: string | null): Generator<number> {
    let i = from === null ? NONE : (index.find(from) ?? NONE);
    for (let steps = 0; i >= 0 && !index.dead(i) && steps < index.ids.length; steps += 1) {
      yield i;
      i = index.parents[i] ?? NONE;
    }
  }

  /** Reads the lines again without the cache, which has proved wrong. */
  const rescan = (): void => {
    log.warn('the offsets of a session did not fit its file and are thrown away', { path });
    const before = [...index.places];
    const { header } = index;
    index.clear();
    meta = new Map();
    noted = 0;
    cachedLines = 0;
    let start = readBom(whole)?.offset ?? 0;
    let line = 0;
    for (let lf = whole.indexOf(10, start); lf !== -1; lf = whole.indexOf(10, start)) {
      line += 1;
      const end = lf > start && whole[lf - 1] === 13 ? lf - 1 : lf;
      const taken = end === start || index.add({ chunk: whole, start, end, offset: start, line, whole: true });
      if (!taken && !lines.badLines.some((bad) => bad.offset === start)) unmasked.push({ line, offset: start, length: end - start });
      start = lf + 1;
    }
    for (const place of before) if (place.chunk !== whole) index.add({ ...place, whole: true });
    index.header ??= header;
    settle();
  };
  index.onMistrust = () => {
    if (cachedLines > 0) rescan();
  };

  const saveOffsets = async (): Promise<void> => {
    if (!owned() || lines.lines - cachedLines < WORTH_CACHING) return;
    const now = lines.size > whole.length ? Buffer.from((await files.read(path)) ?? new Uint8Array()) : whole;
    const known: Known = { offset: lines.size, lines: lines.lines, badLines: lines.badLines };
    if (now.length < known.offset) return;
    const bytes = encodeOffsets(index, known, now);
    if (bytes === undefined) return;
    await files.writeAtomic(cachePath, bytes, { fsync: false });
    cachedLines = known.lines;
  };

  /** The cache only makes the next opening faster: that it failed is worth a line in the log, no more. */
  const trySaveOffsets = async (): Promise<void> => {
    try {
      await saveOffsets();
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      log.warn('the offsets of a session could not be kept', { path, code: error.error.code });
    }
  };

  /** Lines of a conflict copy that are not here yet. */
  const missingFrom = async (copy: string): Promise<readonly string[]> => {
    const bytes = Buffer.from((await files.read(copy)) ?? new Uint8Array());
    const found: string[] = [];
    for (const text of bytes.toString('utf8').split(/\r?\n/)) {
      const line = Buffer.from(text);
      const entry = asEntry(parseLine(line, 0, line.length));
      if (entry === undefined) continue;
      const i = index.find(entry.id);
      const twins = i === undefined ? [] : (index.duplicates.get(entry.id) ?? [index.places[i]]);
      if (twins.some((place) => place?.chunk.compare(line, 0, line.length, place.start, place.end) === 0)) continue;
      found.push(text);
    }
    return found;
  };

  const unite = async (): Promise<void> => {
    for (const copy of input.copies) {
      const missing = await missingFrom(copy);
      if (missing.length === 0) continue;
      const result = await lines.append(missing, { fsync: true });
      settle();
      if (result.ok) log.info('a conflict copy of a session was united with it', { path, copy, lines: missing.length });
      else log.warn('a conflict copy of a session could not be united with it', { path, copy, code: result.error.code });
    }
  };

  try {
    const stored = await files.read(cachePath);
    if (stored !== undefined) cache = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
    const read = await lines.refresh();
    if (!read.ok) return read;
    settle();
    if (index.header === undefined) return refuse('store.bad-file', { path });
    if (newerVersion()) log.warn('a session is of a newer version and opens read-only', { path, v: index.header.v });
    if (owned()) await unite();
  } catch (error) {
    if (error instanceof EngineFailure) return fail(error.error);
    throw error;
  }
  const header = index.header;
  leaf = leafOf(index, heads(), machine);
  const saving = trySaveOffsets();

  void lock?.lost.then(() => log.warn('the lock of a session was lost: it is read-only now', { path }));

  const notWritable = (): Result<never> | undefined => {
    if (closed || (deps.readOnly ?? false) || lock === undefined) return refuse('session.read-only', { path });
    if (newerVersion()) return refuse('store.newer-version', { path, v: header.v });
    if (!lock.held()) return refuse('store.lock-lost', { path });
    return undefined;
  };

  /** Greater in (ts, id) than everything here, whatever the clock says. */
  const mint = (after: { ts: number; id: string }, id: string): { readonly id: string; readonly ts: number } => {
    let ts = Math.max(clock.now(), after.ts);
    if (ts === after.ts && id <= after.id) ts += 1;
    after.ts = ts;
    after.id = id;
    return { id, ts };
  };

  const append = (added: readonly NewEntry[], durable: boolean, parentId: string | null | undefined): Promise<Result<readonly Entry[]>> =>
    queue.run(async () => {
      const refusal = notWritable();
      if (refusal !== undefined) return refusal;
      const jump = parentId !== undefined && parentId !== leaf;
      let parent = parentId === undefined ? leaf : parentId;
      for (const id of [parent, ...added.map((entry) => (entry.type === 'head' ? entry.data.leaf : null))]) {
        if (id !== null && index.find(id) === undefined) return refuse('session.unknown-entry', { id });
      }
      const last = index.newest();
      const after = last === undefined ? { ts: 0, id: '' } : { ts: index.times[last] ?? 0, id: index.ids[last] ?? '' };
      const [only] = added;
      if (added.length === 1 && only?.type === 'head' && only.data.leaf === leaf) return ok([]); // stands there already
      const made: Entry[] = [];
      if (jump) made.push({ ...mint(after, ids.next()), parentId: null, type: 'head', data: { leaf: parent, machine } });
      for (const { id, type, data } of added) {
        if (id !== undefined && index.find(id) !== undefined) return refuse('internal', { id });
        const entry = { ...mint(after, id ?? ids.next()), parentId: isLoose(type) ? null : parent, type, data } as Entry;
        if (!isLoose(type)) parent = entry.id;
        made.push(entry);
      }
      const result = await lines.append(made.map(formatEntry), { fsync: durable });
      settle();
      const written = made.filter((entry) => index.find(entry.id) !== undefined);
      for (const entry of written) {
        index.remember(entry);
        if (entry.type === 'head') leaf = entry.data.leaf;
        else if (entry.type !== 'meta') leaf = entry.id;
      }
      if (written.length > 0) for (const listener of [...listeners]) listener(written);
      return result.ok ? ok(jump ? made.slice(1) : made) : result;
    });

  const session: Session = {
    header,
    title: () => {
      const title = meta.get('title')?.value;
      return typeof title === 'string' ? title : header.title;
    },
    get readOnly() {
      return !owned() || closed;
    },
    get badLines() {
      return badLines();
    },
    get duplicates() {
      return [...index.duplicates.keys()];
    },
    alternatives: (id) =>
      (index.duplicates.get(id) ?? []).slice(1).flatMap((place) => index.entryAt(place) ?? []),
    leaf: () => leaf,
    get: (id) => {
      const i = index.find(id);
      if (i === undefined) return undefined;
      const entry = index.entry(i);
      if (entry !== undefined) return entry;
      const again = index.find(id); // the offsets may have been thrown away meanwhile
      return again === undefined ? undefined : index.entry(again);
    },
    stub: (id) => {
      const i = index.find(id);
      return i === undefined ? undefined : index.stub(i);
    },
    path: (from = leaf) => Array.from(walk(from), (i) => index.ids[i] ?? '').reverse(),
    branch: (from = leaf) => session.path(from).flatMap((id) => known(session.get(id)) ?? []),
    children: (id) => index.childrenOf(id).map((i) => index.ids[i] ?? ''),
    lastOnBranch: <T extends EntryType>(type: T, from: string | null = leaf) => {
      for (const i of walk(from)) {
        if (index.types[i] !== type) continue;
        const entry = session.get(index.ids[i] ?? '');
        if (entry !== undefined) return entry as EntryOf<T>;
      }
      return undefined;
    },
    isOnBranch: (id, from = leaf) => {
      const target = index.find(id);
      if (target === undefined) return false;
      for (const i of walk(from)) if (i === target) return true;
      return false;
    },
    meta: (key) => meta.get(key)?.value,
    entryCount: () => index.ids.reduce((count, _, i) => (index.dead(i) || isLoose(index.types[i] ?? '') ? count : count + 1), 0),
    append: (entries, { durable, parentId }) => append(entries, durable, parentId),
    async setLeaf(to) {
      const result = await append([{ type: 'head', data: { leaf: to, machine } }], true, undefined);
      return result.ok ? ok(undefined) : result;
    },
    async setMeta(key, value) {
      const result = await append([{ type: 'meta', data: { key, value } }], true, undefined);
      return result.ok ? ok(undefined) : result;
    },
    onAppend(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      if (closed) return closing;
      closed = true;
      closing = (async () => {
        await queue.idle();
        await saving;
        await trySaveOffsets();
        try {
          await lock?.release();
        } catch (error) {
          if (!(error instanceof EngineFailure)) throw error;
          log.warn('the lock of a session could not be released', { path, code: error.error.code });
        }
        input.onClose();
      })();
      return closing;
    },
  };
  let closing: Promise<void> | undefined;
  return ok(session);
}

function known(entry: Entry | UnknownEntry | undefined): Entry | undefined {
  return entry !== undefined && isKnown(entry) ? entry : undefined;
}
