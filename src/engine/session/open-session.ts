import { EngineFailure, fail, ok, refuse, type Result } from '../ports/result';
import { createLineLog, type BadLine, type Known } from '../store/line-log';
import { createQueue } from '../store/queue';
import { readCache } from '../store/read-cache';
import type { Entry, EntryOf, EntryType, NewEntry, UnknownEntry } from './entries';
import { createAccess } from './access';
import { createEntryIndex, isKnown, isLoose, NONE } from './entry-index';
import { asEntry, formatEntry, parseLine } from './entry-line';
import { leafOf, newer, type Head } from './leaf';
import { createLineSource } from './line-source';
import { decodeOffsets, encodeOffsets, probeOf, type ReadRange } from './offset-cache';
import type { OpenInput, SessionDeps } from './open-input';
import type { EntryStub, Session } from './session';

const OFFSETS = '.liyuan/cache/offsets';
/** The offsets are written again when this many lines are not in them. */
const WORTH_CACHING = 256;
/** When, after opening, in milliseconds: not while the view is being filled. */
const SAVE_AFTER_MS = 3000;
const LF = 10;
const CR = 13;

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads a session. Refuses `store.bad-file` when it has no header, `store.*` when it cannot be read. */
export async function openSession(deps: SessionDeps, input: OpenInput): Promise<Result<Session>> {
  const { files, clock, ids, log, machine } = deps;
  const { path } = input;
  const cachePath = `${OFFSETS}/${path.slice(path.lastIndexOf('/') + 1).replace(/\.jsonl$/, '')}`;
  const source = createLineSource(files, path);
  const index = createEntryIndex(source);
  const readRange: ReadRange = (offset, length) => files.readRange(path, offset, length);
  const listeners = new Set<(entries: readonly Entry[]) => void>();
  const queue = createQueue();
  const told = new Set<number>();
  let meta = new Map<string, { readonly ts: number; readonly id: string; readonly value: unknown }>();
  let leaf: string | null = null;
  let closed = false;
  /** Whether this opening has said in the log where this machine stands. */
  let signedOnce = false;
  /** How many lines the cache on disk knows, and whether the index came from it. */
  let cachedLines = 0;
  let restored = false;
  let mayRestore = true;
  /** How many positions have been looked through for `meta`. */
  let noted = 0;
  /** Lines that the cache took for records. */
  let unmasked: BadLine[] = [];

  const access = createAccess(deps, input, queue, () => index.header?.v);
  const owned = (): boolean => access.owned();

  const forget = (): void => {
    source.clear();
    index.clear();
    meta = new Map();
    noted = 0;
    unmasked = [];
    cachedLines = 0;
    restored = false;
  };
  const lines = createLineLog({
    files,
    path,
    owned,
    reader: {
      async resume(size) {
        const stored = mayRestore ? await readCache({ files, log }, cachePath) : undefined;
        mayRestore = false;
        const kept = stored === undefined ? undefined : await decodeOffsets(asBuffer(stored), readRange, size);
        if (kept === undefined) return undefined;
        forget();
        index.restore(kept.header, kept.columns);
        cachedLines = kept.known.lines;
        restored = true;
        return kept.known;
      },
      start(bytes) {
        forget();
        source.hold(bytes);
        return undefined;
      },
      line: (at) => index.add(at),
    },
  });

  /** Brings everything that is derived up to date after lines were taken in. */
  const settle = (): void => {
    index.settle();
    for (; noted < index.size; noted += 1) {
      if (index.columns.types[noted] !== 'meta') continue;
      const entry = index.entry(noted);
      if (entry === undefined || !isKnown(entry) || entry.type !== 'meta') continue;
      const known = meta.get(entry.data.key);
      if (known === undefined || newer(entry, known)) meta.set(entry.data.key, { ts: entry.ts, id: entry.id, value: entry.data.value });
    }
    noted = index.size;
    for (const bad of badLines()) {
      if (told.has(bad.offset)) continue;
      told.add(bad.offset);
      log.warn('a line of a session is not a record and is skipped', { path, ...bad });
    }
  };

  const badLines = (): readonly BadLine[] => {
    return [...lines.badLines, ...index.broken, ...unmasked].sort((a, b) => a.offset - b.offset);
  };

  const heads = (): readonly Head[] => {
    const found: Head[] = [];
    const before = restored;
    for (let i = 0; i < index.size; i += 1) {
      if (index.columns.types[i] !== 'head') continue;
      const entry = index.entry(i);
      if (entry !== undefined && isKnown(entry) && entry.type === 'head') {
        found.push({ id: entry.id, ts: entry.ts, leaf: entry.data.leaf, machine: entry.data.machine });
      }
    }
    if (before !== restored) return heads(); // the cache proved wrong meanwhile
    return found;
  };

  /**
   * Visits positions from `leaf` to the root until `visit` answers true; ends at a gap, and where a damaged file would go in
   * a circle.
   */
  const walk = (from: string | null, visit: (i: number) => boolean): void => {
    let i = from === null ? NONE : (index.find(from) ?? NONE);
    for (let steps = 0; i >= 0 && !index.dead(i) && steps < index.size; steps += 1) {
      if (visit(i)) return;
      i = index.columns.parents[i] ?? NONE;
    }
  };

  /** Reads the lines again without the cache, if that is where they came from: it has proved wrong. */
  const rescan = (): boolean => {
    if (!restored) return false;
    log.warn('the offsets of a session did not fit its file and are thrown away', { path });
    const bytes = asBuffer(files.readRangeSync(path, 0, lines.size) ?? new Uint8Array());
    forget();
    source.hold(bytes);
    let start = 0;
    let line = 0;
    for (let lf = bytes.indexOf(LF, start); lf !== -1; lf = bytes.indexOf(LF, start)) {
      line += 1;
      const end = lf > start && bytes[lf - 1] === CR ? lf - 1 : lf;
      const taken = end === start || index.add({ chunk: bytes, start, end, offset: start, line, whole: true });
      if (!taken && !lines.badLines.some((bad) => bad.offset === start)) unmasked.push({ line, offset: start, length: end - start });
      start = lf + 1;
    }
    settle();
    source.trim();
    return true;
  };
  index.onMistrust = rescan;

  const saveOffsets = async (): Promise<void> => {
    const known: Known = { offset: lines.size, lines: lines.lines, badLines: lines.badLines };
    if (!owned() || known.lines - cachedLines < WORTH_CACHING) return;
    const probe = await probeOf(readRange, known.offset);
    if (probe === undefined || lines.size !== known.offset) return;
    const bytes = encodeOffsets(index, known, probe);
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
      const twins = i === undefined ? [] : (index.duplicates.get(entry.id) ?? [index.place(i)]);
      if (twins.some(({ offset, length }) => source.bytes(offset, length).equals(line))) continue;
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
    const read = await lines.refresh();
    if (!read.ok) return read;
    settle();
    if (index.header === undefined) return refuse('store.bad-file', { path });
    if (access.reason() === 'newer-version') log.warn('a session is of a newer version and opens read-only', { path, v: index.header.v });
    if (owned()) await unite();
    source.trim();
  } catch (error) {
    if (error instanceof EngineFailure) return fail(error.error);
    throw error;
  }
  const header = index.header;
  leaf = leafOf(index, heads(), machine);
  let saving: Promise<void> = Promise.resolve();
  const cancelSaving = clock.after(SAVE_AFTER_MS, () => {
    saving = trySaveOffsets();
  });

  access.watch(header.id, trySaveOffsets);

  /** What another window wrote, and where it stands. */
  const refresh = (): Promise<Result<boolean>> =>
    queue.run(async () => {
      if (closed || owned()) return ok(false);
      const grew = await lines.refresh();
      if (!grew.ok || !grew.value) return grew;
      settle();
      leaf = leafOf(index, heads(), machine);
      return grew;
    });

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
      const refusal = access.refusal();
      if (refusal !== undefined) return refusal;
      const jump = parentId !== undefined && parentId !== leaf;
      let parent = parentId === undefined ? leaf : parentId;
      for (const id of [parent, ...added.map((entry) => (entry.type === 'head' ? entry.data.leaf : null))]) {
        if (id !== null && index.find(id) === undefined) return refuse('session.unknown-entry', { id });
      }
      const last = index.newest();
      const after = last === undefined ? { ts: 0, id: '' } : { ts: index.columns.times[last] ?? 0, id: index.columns.ids[last] ?? '' };
      const [only] = added;
      if (added.length === 1 && only?.type === 'head' && only.data.leaf === leaf) return ok([]); // stands there already
      const made: Entry[] = [];
      const first = added.find(({ type }) => !isLoose(type));
      const signed = jump || (first !== undefined && (!signedOnce || first.type === 'user'));
      const headId = signed ? ids.next() : '';
      const firstId = first === undefined ? undefined : (first.id ?? ids.next());
      // The `head` names the entry right behind it: after a merge with what another machine has grown from the same place there is no doubt
      // whose it is, and a write that is cut between the two has moved nothing.
      if (signed) made.push({ ...mint(after, headId), parentId: null, type: 'head', data: { leaf: firstId ?? parent, machine } });
      for (const given of added) {
        const { type, data } = given;
        const id = given === first ? firstId : given.id;
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
        if (entry.type === 'head') {
          signedOnce = true;
          if (entry.data.leaf === null || index.find(entry.data.leaf) !== undefined) leaf = entry.data.leaf;
        } else if (entry.type !== 'meta') leaf = entry.id;
      }
      if (written.length > 0) for (const listener of [...listeners]) listener(written);
      return result.ok ? ok(signed ? made.slice(1) : made) : result;
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
    get readOnlyReason() {
      return access.reason();
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
    path: (from = leaf) => {
      const path: string[] = [];
      walk(from, (i) => {
        path.push(index.columns.ids[i] ?? '');
        return false;
      });
      return path.reverse();
    },
    branch: (from = leaf) => session.path(from).flatMap((id) => known(session.get(id)) ?? []),
    children: (id) => index.childrenOf(id).map((i) => index.columns.ids[i] ?? ''),
    lastOnBranch: <T extends EntryType>(type: T, from: string | null = leaf) => {
      for (let at = from; at !== null; ) {
        let hit: EntryStub | undefined;
        walk(at, (i) => {
          if (index.columns.types[i] === type) hit = index.stub(i);
          return hit !== undefined;
        });
        const stub = hit;
        const entry = stub === undefined ? undefined : session.get(stub.id);
        if (entry !== undefined) return entry as EntryOf<T>;
        at = stub?.parentId ?? null;
      }
      return undefined;
    },
    idsOfType: (type) => index.columns.types.flatMap((one, i) => (one === type && !index.dead(i) ? [index.columns.ids[i] ?? ''] : [])),
    isOnBranch: (id, from = leaf) => {
      const target = index.find(id);
      let found = false;
      walk(from, (i) => (found = i === target));
      return found;
    },
    meta: (key) => meta.get(key)?.value,
    entryCount: () => index.columns.types.reduce((count, type, i) => (index.dead(i) || isLoose(type) ? count : count + 1), 0),
    append: (entries, { durable, parentId }) => append(entries, durable, parentId),
    async setLeaf(to) {
      const result = await append([{ type: 'head', data: { leaf: to, machine } }], true, undefined);
      return result.ok ? ok(undefined) : result;
    },
    async setMeta(key, value) {
      const result = await append([{ type: 'meta', data: { key, value } }], true, undefined);
      return result.ok ? ok(undefined) : result;
    },
    onReadOnly: (listener) => access.onReadOnly(listener),
    refresh,
    onAppend(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      if (closed) return closing;
      closed = true;
      access.close();
      closing = (async () => {
        cancelSaving();
        await queue.idle();
        await saving;
        await trySaveOffsets();
        await access.release();
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
