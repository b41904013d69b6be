import type { Clock } from '../ports/clock';
import type { Documents } from '../ports/documents';
import type { Files, Lock } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import { EngineFailure, fail, ok, refuse, type EngineError, type Result } from '../ports/result';
import type { ProjectRules } from '../project/project';
import type { ObjectStore } from '../store/objects';
import { mapLimited } from '../store/limited';
import { createQueue } from '../store/queue';
import { createCheckpointHistory, LOG_PATH, type CheckpointHistory } from './checkpoint-history';
import { CHECKPOINT_VERSION, type Changed, type CheckpointRecord, type LogLine, type Manifest } from './checkpoint-log';
import { createConflictCopies } from './conflict-copies';
import { createEditJournals, type EditJournals } from './edit-journal';
import { createComparer, type Comparer, type Side } from './file-changes';
import type { RestoreLine } from './log-state';
import { deltaOf, filesOf, sameManifest, treeOf } from './manifest';
import { checkpointMessages, type CheckpointMessages } from './messages';
import { createMissingObjects } from './missing-objects';
import { createNamesOnDisk, type NamesOnDisk } from './names-on-disk';
import { createPresentObjects } from './present-objects';
import type { RenamePair } from './renames';
import { createScanner, type LiveFiles } from './scan';
import { createStatCache } from './stat-cache';

export interface CheckpointDeps {
  readonly files: Files;
  readonly objects: ObjectStore;
  readonly documents: Documents;
  readonly rules: ProjectRules;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly readOnly?: boolean;
  /** This machine's id. Absent: every restore counts as its own. */
  readonly machine?: string;
  /** Of the messages that stay on disk; asked each time. Default: `zh`. */
  readonly language?: () => 'zh' | 'en';
}

/** What a new checkpoint builds on. */
export interface Base {
  readonly record: CheckpointRecord | undefined;
  readonly manifest: Manifest;
  /** The record's own manifest could not be folded: the next one is written whole. */
  readonly broken: boolean;
}

export interface CommitInput {
  readonly author: CheckpointRecord['author'];
  readonly message: string;
  readonly turn?: CheckpointRecord['turn'];
  readonly aborted?: boolean;
  readonly restoredFrom?: string;
  readonly ledger?: CheckpointRecord['ledger'];
  readonly id?: string;
  readonly knownRenames?: readonly RenamePair[];
  /** Renames that the author made all at once. */
  readonly moved?: readonly RenamePair[];
}

/** What all operations on checkpoints share: one lock, one log, one way to look at the files and to write a record. */
export interface CheckpointRoom {
  readonly deps: CheckpointDeps;
  readonly history: CheckpointHistory;
  readonly journals: EditJournals;
  readonly comparer: Comparer;
  readonly names: NamesOnDisk;
  messages(): CheckpointMessages;
  /** A restore that was begun on this machine and not ended. */
  openRestore(): RestoreLine | undefined;
  /** Whether a restore is this machine's. One that came by a merge changed the files of another. */
  isOwn(restore: RestoreLine): boolean;
  /** Runs an operation that writes, alone. Refuses `store.read-only`, `store.locked`, `store.newer-version`. */
  writing<T>(operation: () => Promise<Result<T>>): Promise<Result<T>>;
  /** Whether the lock is still ours, as far as is known. Asked by what must not go on after another window took over. */
  holds(): boolean;
  /** Runs an operation that only reads, in turn with the others, without the lock. */
  reading<T>(operation: () => Promise<Result<T>>): Promise<Result<T>>;
  scan(options?: { readonly thorough?: boolean }): Promise<Result<LiveFiles>>;
  base(): Promise<Result<Base>>;
  /**
   * Makes sure that every object of `side` exists, then appends a record with its manifest on top of `base`. `first`: a line to be
   * written right before it, in the same go.
   */
  commit(base: Base, side: Side, input: CommitInput, first?: LogLine): Promise<Result<CheckpointRecord>>;
}

const LOCK_PATH = '.liyuan/locks/checkpoints';
const FULL_EVERY = 64;
/** How often a lock that another window holds is asked for again, and after how many milliseconds. */
const LOCK_TRIES = 20;
const LOCK_PAUSE_MS = 150;
const READS_AT_ONCE = 16;

export function createCheckpointRoom(deps: CheckpointDeps): CheckpointRoom {
  const { files, objects, documents, rules, clock, ids, log } = deps;
  let lock: Lock | undefined;
  /** The file system's own time when the lock was taken, in ns. */
  let lockedAt: bigint | undefined;
  /** Clean-ups that are known of, as the history counts them. */
  let sweeps = 0;
  const queue = createQueue();
  const history = createCheckpointHistory({ files, log, owned: () => lock?.held() ?? false });
  const stats = createStatCache({ files, log });
  const names = createNamesOnDisk(files);
  const scanner = createScanner({ files, documents, rules, stats, names });
  const comparer = createComparer({ objects });
  const copies = createConflictCopies({ files, log, history });
  const present = createPresentObjects({ files });

  const caught = async <T>(operation: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await operation();
    } catch (error) {
      if (error instanceof EngineFailure) return fail(error.error);
      throw error;
    }
  };

  const acquire = async (): Promise<Lock> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await files.lock(LOCK_PATH);
      } catch (error) {
        if (!(error instanceof EngineFailure) || error.error.code !== 'store.locked' || tries === LOCK_TRIES) throw error;
      }
      await new Promise<void>((resolve) => void clock.after(LOCK_PAUSE_MS, resolve));
    }
  };

  /**
   * Writes the objects of a manifest that are not there. What is new in it, or was read just now, is asked for and verified; the rest, which
   * the checkpoint before has named already, is believed to be there unless a clean-up has been at work: what went in another way is
   * looked for soon after.
   */
  const ensureObjects = async (base: Manifest, side: Side): Promise<Result<void>> => {
    if (history.sweeps !== sweeps) present.distrust();
    sweeps = history.sweeps;
    const there = await present.among(side.manifest.values());
    missing.soon();
    const gone = new Map<string, string>();
    const unsure = new Map<string, string>();
    for (const [path, sha] of side.manifest) {
      if (!there.has(sha)) gone.set(sha, path);
      else if (base.get(path) !== sha || side.loaded?.has(path) === true) unsure.set(sha, path);
    }
    await mapLimited([...unsure], READS_AT_ONCE, async ([sha, path]) => {
      if (!(await objects.has(sha))) gone.set(sha, path);
    });
    if (gone.size === 0) return ok(undefined);
    const bytes: Uint8Array[] = [];
    for (const [sha, path] of gone) {
      const content = await side.read?.(path);
      if (content !== undefined) bytes.push(content);
      else if (!(await objects.has(sha))) return refuse('object.missing', { sha, path });
    }
    const written = new Set(await objects.putAll(bytes));
    present.written(written);
    for (const [sha, path] of gone) {
      // The file changed between looking and reading.
      if (!written.has(sha) && !(await objects.has(sha))) return refuse('doc.changed', { path });
    }
    return ok(undefined);
  };

  const isOwn = ({ machine }: RestoreLine): boolean => machine === undefined || deps.machine === undefined || machine === deps.machine;

  const timeAfter = (record: CheckpointRecord | undefined): number => {
    const now = clock.now();
    // Within one millisecond, or after a small step back of the clock, order still shows.
    return record !== undefined && now <= record.ts && record.ts - now < 1_000 ? record.ts + 1 : now;
  };

  const writing = <T>(operation: () => Promise<Result<T>>): Promise<Result<T>> =>
    queue.run(() =>
      caught(async () => {
        if (deps.readOnly === true) return refuse('store.read-only', { path: LOG_PATH });
        lock = await acquire();
        try {
          lockedAt = (await files.stat(LOCK_PATH))?.ctimeNs;
          const fresh = await history.refresh();
          if (!fresh.ok) return fresh;
          if (fresh.value.newer) return refuse('store.newer-version', { path: LOG_PATH });
          const united = await copies.unite();
          return united.ok ? await operation() : united;
        } finally {
          lockedAt = undefined;
          await lock.release();
          lock = undefined;
        }
      }),
    );

  const reading = <T>(operation: () => Promise<Result<T>>): Promise<Result<T>> =>
    queue.run(() =>
      caught(async () => {
        const fresh = await history.refresh();
        return fresh.ok ? operation() : fresh;
      }),
    );

  const scan = async (options: { readonly thorough?: boolean } = {}): Promise<Result<LiveFiles>> => {
    if (options.thorough === true) stats.forgetAll();
    const live = await scanner.scan({ at: lockedAt, ...options });
    if (live.ok && lock !== undefined) await stats.save();
    return live;
  };

  const base = async (): Promise<Result<Base>> => {
    const newest = await history.newest();
    if (!newest.ok) return newest;
    const record = newest.value;
    if (record === undefined) return ok({ record, manifest: new Map<string, string>(), broken: false });
    const manifest = await history.manifest(record.id);
    if (manifest.ok) return ok({ record, manifest: manifest.value, broken: false });
    if (manifest.error.code !== 'checkpoint.broken') return manifest;
    log.warn('the newest checkpoint cannot be folded; the next one is written whole', { id: record.id });
    return ok({ record, manifest: new Map<string, string>(), broken: true });
  };

  const missing = createMissingObjects({ clock, log, objects, present, base, scan, reading, writing });

  return {
    deps,
    history,
    journals: createEditJournals({ files, log }),
    comparer,
    names,
    holds: () => lock?.held() ?? false,
    messages: () => checkpointMessages(deps.language?.() ?? 'zh'),
    openRestore: () => [...history.state.restores.values()].find(isOwn),
    isOwn,
    writing,
    reading,
    scan,
    base,
    async commit(base, side, input, first) {
      // The record is made while the disk is at work on the objects.
      const ensuring = caught(() => ensureObjects(base.manifest, side));
      const made = await caught(async () => {
        const changed = await comparer.changed({ manifest: base.manifest }, side, input.knownRenames ?? input.moved);
        if (!changed.ok) return changed;
        const tips = [...history.state.tips];
        return ok(recordOf(base, side.manifest, changed.value, input, { id: input.id ?? ids.next(), ts: timeAfter(base.record), tips }));
      });
      const ensured = await ensuring;
      if (!ensured.ok) return ensured;
      if (!made.ok) return made;
      const record = made.value;
      const written = await history.append(first === undefined ? [record] : [first, record], side.manifest);
      return written.ok ? ok(record) : written;
    },
  };
}

function recordOf(
  base: Base,
  manifest: Manifest,
  changed: Changed,
  input: CommitInput,
  made: { readonly id: string; readonly ts: number; readonly tips: readonly string[] },
): CheckpointRecord {
  const depth = (base.record?.depth ?? 0) + 1;
  const full = base.record === undefined || base.broken || made.tips.length > 1 || depth >= FULL_EVERY;
  return {
    v: CHECKPOINT_VERSION,
    type: 'checkpoint',
    id: made.id,
    ts: made.ts,
    author: input.author,
    message: input.message,
    ...(input.turn === undefined ? {} : { turn: input.turn }),
    ...(input.aborted === true ? { aborted: true } : {}),
    ...(input.restoredFrom === undefined ? {} : { restoredFrom: input.restoredFrom }),
    ...(input.ledger === undefined ? {} : { ledger: input.ledger }),
    changed,
    ...(input.moved === undefined || input.moved.length === 0 ? {} : { moved: input.moved.map(([from, to]): [string, string] => [from, to]) }),
    parents: [...made.tips].sort((a, b) => (a === base.record?.id ? -1 : b === base.record?.id ? 1 : a < b ? -1 : 1)),
    depth: full ? 0 : depth,
    tree: treeOf(manifest),
    ...(full ? { files: filesOf(manifest) } : { delta: deltaOf(base.manifest, manifest) }),
  };
}

/** True when nothing differs from what the newest checkpoint holds. */
export function isUnchanged(base: Base, manifest: Manifest): boolean {
  return base.record !== undefined && !base.broken && sameManifest(base.manifest, manifest);
}

/** Turns a refusal about a file into one that names what was going on. */
export function failedRestore(error: EngineError, path: string): EngineError {
  return { code: 'restore.failed', args: { path, reason: error.code }, ...(error.cause === undefined ? {} : { cause: error.cause }) };
}
