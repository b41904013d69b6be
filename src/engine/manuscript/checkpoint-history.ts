import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { ok, refuse, type Result } from '../ports/result';
import { createLineLog, type LineReader } from '../store/line-log';
import { isNewerLine, logLine, type CheckpointRecord, type LogLine, type Manifest } from './checkpoint-log';
import { addLine, emptyState, newestOf, turnKey, type LogState } from './log-state';
import { applyDelta, manifestOf, treeOf } from './manifest';
import { createNewestCache } from './newest-cache';

export const LOG_PATH = '.liyuan/checkpoints/log.jsonl';
/** Lines that may pile up before the cache of the newest state is written again. */
const STALE_LINES = 48;
/** Folds kept in memory. */
const KEPT_FOLDS = 16;

/** The checkpoint log as it stands: lines, their sum, and manifests folded along parents. */
export interface CheckpointHistory {
  /** Takes in what is new. Before the first `all`, older lines may not have been read. */
  refresh(): Promise<Result<LogState>>;
  /** The state with every line of the log in it. */
  all(): Promise<Result<LogState>>;
  readonly state: LogState;
  /** Grows with each line that announces a clean-up, and whenever the log is read from its beginning: then nobody knows what was between. */
  readonly sweeps: number;
  /** What stands in lines that are not records, as text. */
  unreadable(): Promise<readonly string[]>;
  /** Durable, all lines in one write, in order: a refusal has written none of them. `manifest`: the fold of the last one, when that is a record. */
  append(lines: readonly LogLine[], manifest?: Manifest): Promise<Result<void>>;
  /** Appends lines of another copy of the log, as they stand; what is no record is left out. Resolves to how many there were. */
  takeIn(lines: readonly string[]): Promise<Result<number>>;
  /** Folds along parents. Refuses `checkpoint.not-found`, `checkpoint.broken` `{id}`. */
  manifest(id: string): Promise<Result<Manifest>>;
  /** The record to build on: the greatest (ts, id) among the tips. */
  newest(): Promise<Result<CheckpointRecord | undefined>>;
}

export function createCheckpointHistory(deps: {
  readonly files: Files;
  readonly log: Log;
  /** Whether the checkpoint lock is held. */
  readonly owned: () => boolean;
}): CheckpointHistory {
  const { files, log } = deps;
  const cache = createNewestCache({ files, log });
  let state = emptyState();
  /** Bytes at the start of the log that have not been read, because the cache vouches for them. */
  let unread = 0;
  let started = false;
  let savedAt = 0;
  let sweeps = 0;
  /** The lines that are being written, by their text: what comes back of them need not be parsed. */
  const appending = new Map<string, LogLine>();
  const folds = new Map<string, Manifest>();
  const told = new Set<number>();

  /** `into`: told when a newer version wrote the line, in a form that we need not know. */
  const parse = (text: string, into?: LogState): LogLine | undefined => {
    try {
      const value: unknown = JSON.parse(text);
      const parsed = logLine.safeParse(value);
      if (into !== undefined && !parsed.success && isNewerLine(value)) into.newer = true;
      return parsed.success ? parsed.data : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  };

  const reader: LineReader = {
    start(bytes) {
      state = emptyState();
      folds.clear();
      unread = 0;
      savedAt = 0;
      sweeps += 1;
      const known = cache.prove(bytes);
      if (known === undefined) return undefined;
      state.records.set(known.record.id, known.record);
      state.tips.add(known.record.id);
      for (const turn of known.intents) state.intents.set(turnKey(turn), turn);
      for (const restore of known.restores) state.restores.set(restore.id, restore);
      state.unrecorded = known.unrecorded;
      remember(known.record.id, known.manifest);
      unread = known.size;
      savedAt = known.lines;
      return { offset: known.size, lines: known.lines, badLines: known.badLines };
    },
    line({ chunk, start, end }) {
      const text = chunk.toString('utf8', start, end);
      const line = appending.get(text) ?? parse(text, state);
      if (line === undefined) return false;
      if (line.type === 'prune') sweeps += 1;
      addLine(state, line);
      return true;
    },
  };
  const lines = createLineLog({ files, path: LOG_PATH, reader, owned: deps.owned });

  const remember = (id: string, manifest: Manifest): void => {
    folds.delete(id);
    folds.set(id, manifest);
    if (folds.size > KEPT_FOLDS) folds.delete(folds.keys().next().value as string);
  };

  const tell = (): void => {
    for (const bad of lines.badLines) {
      if (told.has(bad.offset)) continue;
      told.add(bad.offset);
      log.warn('a line of the checkpoint log is not a record and is skipped', { line: bad.line });
    }
  };

  const refresh = async (): Promise<Result<LogState>> => {
    if (!started) await cache.load();
    started = true;
    const result = await lines.refresh();
    tell();
    return result.ok ? ok(state) : result;
  };

  const all = async (): Promise<Result<LogState>> => {
    const fresh = await refresh();
    if (!fresh.ok || unread === 0) return fresh;
    const bytes = await files.readRange(LOG_PATH, 0, unread);
    const older = emptyState();
    for (const text of Buffer.from(bytes ?? new Uint8Array()).toString('utf8').split('\n')) {
      const line = text.trim() === '' ? undefined : parse(text, older);
      if (line !== undefined) addLine(older, line);
    }
    // The lines since then, once more on top of the older ones.
    const rest = await files.readRange(LOG_PATH, unread, lines.size - unread);
    for (const text of Buffer.from(rest ?? new Uint8Array()).toString('utf8').split('\n')) {
      const line = text.trim() === '' ? undefined : parse(text, older);
      if (line !== undefined) addLine(older, line);
    }
    state = older;
    unread = 0;
    return ok(state);
  };

  /** From `id` up to a fold in memory or a full manifest, newest first. */
  const chainOf = (id: string): readonly CheckpointRecord[] | 'older' | 'gap' => {
    const chain: CheckpointRecord[] = [];
    const seen = new Set<string>();
    for (let at: string | undefined = id; at !== undefined; ) {
      const record: CheckpointRecord | undefined = state.records.get(at);
      if (record === undefined || seen.has(at)) return unread > 0 && record === undefined ? 'older' : 'gap';
      seen.add(at);
      chain.push(record);
      if (record.files !== undefined || folds.has(record.id)) return chain;
      at = record.parents[0];
    }
    return 'gap';
  };

  const fold = (chain: readonly CheckpointRecord[]): Manifest => {
    const [base, ...later] = [...chain].reverse();
    let manifest: Manifest = base === undefined ? new Map() : (folds.get(base.id) ?? manifestOf(base.files ?? {}));
    for (const record of later) manifest = applyDelta(manifest, record.delta ?? {});
    return manifest;
  };

  const manifest = async (id: string): Promise<Result<Manifest>> => {
    const known = folds.get(id);
    if (known !== undefined) return ok(known);
    let chain = chainOf(id);
    if (chain === 'older') {
      const complete = await all();
      if (!complete.ok) return complete;
      chain = chainOf(id);
    }
    const record = state.records.get(id);
    if (record === undefined) return refuse('checkpoint.not-found', { id });
    if (typeof chain === 'string') return refuse('checkpoint.broken', { id });
    const folded = fold(chain);
    if (treeOf(folded) !== record.tree) return refuse('checkpoint.broken', { id });
    remember(id, folded);
    return ok(folded);
  };

  const saveCache = async (): Promise<void> => {
    if (lines.lines - savedAt < STALE_LINES && savedAt > 0) return;
    const [tip, ...others] = [...state.tips];
    const record = tip === undefined ? undefined : state.records.get(tip);
    const folded = tip === undefined ? undefined : folds.get(tip);
    if (record === undefined || folded === undefined || others.length > 0 || state.newer) return;
    savedAt = lines.lines;
    await cache.save({
      size: lines.size,
      lines: lines.lines,
      badLines: lines.badLines,
      record,
      manifest: folded,
      intents: [...state.intents.values()],
      restores: [...state.restores.values()],
      unrecorded: state.unrecorded,
    });
  };

  return {
    refresh,
    all,
    get state() {
      return state;
    },
    get sweeps() {
      return sweeps;
    },
    async unreadable() {
      const texts: string[] = [];
      for (const { offset, length } of lines.badLines) {
        texts.push(Buffer.from((await files.readRange(LOG_PATH, offset, length)) ?? new Uint8Array()).toString('latin1'));
      }
      return texts;
    },
    async append(added, folded) {
      if (state.newer) return refuse('store.newer-version', { path: LOG_PATH });
      for (const line of added) appending.set(JSON.stringify(line), line);
      const result = await lines.append([...appending.keys()], { fsync: true, together: true });
      appending.clear();
      tell();
      if (!result.ok) return result;
      const last = added.at(-1);
      if (last?.type === 'checkpoint' && folded !== undefined) {
        remember(last.id, folded);
        await saveCache();
      }
      return result;
    },
    async takeIn(texts) {
      const records = texts.filter((text) => parse(text) !== undefined);
      if (records.length === 0) return ok(0);
      const result = await lines.append(records, { fsync: true, together: true });
      tell();
      return result.ok ? ok(records.length) : result;
    },
    manifest,
    async newest() {
      const tips = [...state.tips].flatMap((id) => state.records.get(id) ?? []);
      return ok(newestOf(tips));
    },
  };
}
