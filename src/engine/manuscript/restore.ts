import { ok, refuse, type EngineError, type Result } from '../ports/result';
import { refusing } from '../store/failures';
import { mapLimited } from '../store/limited';
import { sha256Hex } from '../text/hash';
import type { CheckpointRecord, LogLine, Manifest } from './checkpoint-log';
import { LOG_PATH } from './checkpoint-history';
import { failedRestore, type CheckpointRoom, type CommitInput } from './checkpoint-room';
import type { FileChange, RestoreEnding, RestoreOutcome, RestorePlan } from './checkpoints';
import { creditAll } from './credit';
import { checkCovered } from './coverage';
import { createInterrupted } from './interrupted-restore';
import type { RestoreLine } from './log-state';
import type { Side } from './file-changes';
import { applyDelta, deltaOf } from './manifest';
import { twinsAmong } from './names-on-disk';
import type { LiveFiles } from './scan';

export interface RestoreOptions {
  readonly path?: string;
}

export interface Restorer {
  plan(id: string, options?: RestoreOptions): Promise<Result<RestorePlan>>;
  restore(id: string, options?: RestoreOptions): Promise<Result<RestoreOutcome>>;
  finish(id: string, how: RestoreEnding): Promise<Result<void>>;
  /** The restore that waits to be ended. One that has changed all its files is over and is closed: only its last line is missing. */
  open(): Promise<Result<RestoreLine | undefined>>;
}

/** path → hash before (`null`: not there) and after. */
type Steps = RestoreLine['files'];
/** Hash → verified bytes. */
type Contents = ReadonlyMap<string, Uint8Array>;

const READS_AT_ONCE = 16;
const WRITES_AT_ONCE = 6;
const KEPT_BYTES = 64 * 1024 * 1024;
/** How often what the author types into files that are being set is saved, before that is given up. */
const TRIES = 3;

interface Target {
  readonly record: CheckpointRecord;
  readonly wanted: Manifest;
  readonly path: string | undefined;
}

const pathOf = ({ path }: Target): { readonly path?: string } => (path === undefined ? {} : { path });

export function createRestorer(room: CheckpointRoom): Restorer {
  const { history, deps } = room;
  const { documents, objects, rules, ids, clock, log } = deps;

  const targetOf = async (id: string, options: RestoreOptions): Promise<Result<Target>> => {
    let path: string | undefined;
    if (options.path !== undefined) {
      const normal = rules.normalise(options.path);
      if (!normal.ok) return normal;
      path = normal.value;
    }
    const manifest = await history.manifest(id);
    if (!manifest.ok) return manifest;
    const record = history.state.records.get(id);
    if (record === undefined) return refuse('checkpoint.not-found', { id });
    return ok({ record, wanted: manifest.value, path });
  };

  /** What has to be done: files that are not covered any more, by name or by where links lead, are let alone. */
  const stepsTo = async (target: Target, { manifest: present, elsewhere }: LiveFiles): Promise<Result<Steps>> => {
    const steps: Record<string, { before: string | null; after: string | null }> = {};
    for (const [path, after] of Object.entries(deltaOf(present, target.wanted))) {
      if (elsewhere.has(path)) continue;
      if (target.path === undefined ? !rules.covered(path) : path !== target.path) continue;
      if (!present.has(path) && rules.covered(path)) {
        const covered = await checkCovered(deps.files, rules, path);
        if (!covered.ok && (target.path !== undefined || covered.error.code !== 'path.not-writable')) return covered;
        if (!covered.ok) continue;
      }
      steps[path] = { before: present.get(path) ?? null, after };
    }
    return ok(steps);
  };

  /** The manifest that the steps leave behind. */
  const resultOf = (present: Manifest, steps: Steps): Manifest =>
    applyDelta(present, Object.fromEntries(Object.entries(steps).map(([path, { after }]) => [path, after])));

  /** Nothing in the way is too large to be kept, and the disk can hold all that is to stand side by side. */
  const checkRoom = async (steps: Steps, live: LiveFiles): Promise<Result<void>> => {
    const over = Object.keys(steps).find((path) => live.oversize.has(path));
    if (over !== undefined) return refuse('doc.too-large', { path: over, limit: rules.maxBytes });
    const twins = twinsAmong([...resultOf(live.manifest, steps).keys(), ...live.oversize, ...live.elsewhere]);
    return twins !== undefined && (await room.names.foldsCase()) ? refuse('path.clash', { path: twins[0], other: twins[1] }) : ok(undefined);
  };

  const plan = async (id: string, options: RestoreOptions): Promise<Result<RestorePlan>> => {
    const target = await targetOf(id, options);
    if (!target.ok) return target;
    const live = await room.scan();
    if (!live.ok) return live;
    const planned = await stepsTo(target.value, live.value);
    if (!planned.ok) return planned;
    const steps = planned.value;
    const free = await checkRoom(steps, live.value);
    if (!free.ok) return free;
    const files = await room.comparer.changes(
      { manifest: live.value.manifest, read: (path) => live.value.read(path) },
      { manifest: resultOf(live.value.manifest, steps) },
    );
    return files.ok ? ok({ target: target.value.record, files: files.value }) : files;
  };

  /**
   * Every object of one side of a restore, read and verified. Nothing has been touched yet. What was read is kept for the steps, up
   * to a limit; the rest is read again.
   */
  const verified = async (steps: Steps, side: 'before' | 'after'): Promise<Result<Contents>> => {
    const wanted = new Map<string, string>();
    for (const [path, step] of Object.entries(steps)) {
      const sha = step[side];
      if (sha !== null) wanted.set(sha, path);
    }
    const kept = new Map<string, Uint8Array>();
    let size = 0;
    const failures = await mapLimited([...wanted], READS_AT_ONCE, async ([sha, path]): Promise<EngineError | undefined> => {
      const bytes = await objects.get(sha);
      if (!bytes.ok) return { ...bytes.error, args: { ...bytes.error.args, path } };
      size += bytes.value.length;
      if (size <= KEPT_BYTES) kept.set(sha, bytes.value);
      return undefined;
    });
    const failed = failures.find((error) => error !== undefined);
    return failed === undefined ? ok(kept) : { ok: false, error: failed };
  };

  /** What stands there by this name; `undefined`: nothing. Refuses where the path cannot be followed, or the file not be read. */
  const standing = (path: string): Promise<Result<Uint8Array | undefined>> =>
    refusing(path, async () => ok((await room.names.isNamed(path)) ? await documents.bytes(path) : undefined), 'reading');

  /**
   * The way there and back, before anything is touched: each file can be found, and what stands there is in the store. It was put there by
   * the checkpoint before; what is damaged since is written anew. A file that the scan has read just now is not read again for that: what
   * is overwritten is looked at once more when it is.
   */
  const keepWayBack = async (steps: Steps, { loaded }: LiveFiles): Promise<Result<void>> => {
    const failures = await mapLimited(Object.entries(steps), READS_AT_ONCE, async ([path, { before }]): Promise<EngineError | undefined> => {
      const read = loaded.get(path);
      const bytes = read === undefined ? await standing(path) : ok(read);
      if (!bytes.ok) return { ...bytes.error, args: { ...bytes.error.args, path } };
      if (before === null || (await objects.has(before))) return undefined;
      return bytes.value !== undefined && (await objects.put(bytes.value)) === before ? undefined : { code: 'doc.changed', args: { path } };
    });
    const failed = failures.find((error) => error !== undefined);
    return failed === undefined ? ok(undefined) : { ok: false, error: failed };
  };

  /** `over`: what stands there, as far as is known; anything else is left alone (`doc.changed`). */
  const setFile = (path: string, sha: string | null, contents: Contents, over: string | null): Promise<Result<void>> =>
    refusing(path, async () => {
      if (sha === null) return over === null ? ok(undefined) : documents.delete(path, over);
      const kept = contents.get(sha);
      const bytes = kept === undefined ? await objects.get(sha) : ok(kept);
      return bytes.ok ? documents.put(path, bytes.value, over) : bytes;
    });

  /** Deletions first: a name that changes its case only must not delete what was just written. */
  const inOrder = (steps: Steps, side: 'before' | 'after'): readonly [deleted: string[], written: string[]] => {
    const paths = Object.keys(steps).sort();
    return [paths.filter((path) => steps[path]?.[side] === null), paths.filter((path) => steps[path]?.[side] !== null)];
  };

  /**
   * Words that are of neither side: the author has typed into a file that a restore is about to set. They are kept in a checkpoint first;
   * resolves to what may be overwritten now besides the two sides.
   */
  const saveStrangers = async (steps: Steps, paths: readonly string[]): Promise<Result<Manifest>> => {
    for (const path of paths) {
      const now = await standing(path);
      if (!now.ok) return now;
      const sha = now.value === undefined ? null : sha256Hex(now.value);
      if (sha === null || sha === steps[path]?.before || sha === steps[path]?.after) continue;
      const saved = await creditAll(room, { author: 'user', message: room.messages().author });
      return saved.ok ? ok(saved.value.live.manifest) : saved;
    }
    return ok(new Map());
  };

  /** Puts one file to one side. What stands there is overwritten if it is of the other side or has been `saved`, never otherwise. */
  const settleFile = async (path: string, step: Steps[string], side: 'before' | 'after', contents: Contents, saved: Manifest): Promise<Result<void>> => {
    const bytes = await standing(path);
    if (!bytes.ok) return bytes;
    const now = bytes.value === undefined ? null : sha256Hex(bytes.value);
    const wanted = step[side];
    if (now === wanted) return ok(undefined);
    if (now !== null && now !== step.before && now !== step.after && now !== saved.get(path)) return refuse('doc.changed', { path });
    return refusing(path, async () => {
      // Damaged since it was put there.
      if (bytes.value !== undefined && now !== null && !(await objects.has(now))) await objects.put(bytes.value);
      return setFile(path, wanted, contents, now);
    });
  };

  /**
   * Puts every file to one side; files that are there already are not touched. What the author types meanwhile is saved first; refuses
   * `doc.changed` when they type faster than that, or what they have typed cannot be saved.
   */
  const settle = async (steps: Steps, side: 'before' | 'after', contents: Contents, only?: readonly string[]): Promise<Result<void>> => {
    const paths = inOrder(steps, side).flat().filter((path) => only?.includes(path) !== false);
    for (let tries = 1; ; tries += 1) {
      const saved = await saveStrangers(steps, paths);
      if (!saved.ok) return saved;
      let changed: string | undefined;
      for (const path of paths) {
        const step = steps[path];
        const set = step === undefined ? ok(undefined) : await settleFile(path, step, side, contents, saved.value);
        if (set.ok) continue;
        if (set.error.code !== 'doc.changed') return { ok: false, error: { ...set.error, args: { ...set.error.args, path } } };
        changed ??= path;
      }
      if (changed === undefined) return ok(undefined);
      if (tries === TRIES) return refuse('doc.changed', { path: changed });
    }
  };

  const ending = (of: string, outcome: 'done' | 'undone' | 'left'): LogLine => ({ type: 'restored', of, outcome, ts: clock.now() });

  /** Applies the steps; resolves to the failure, and which files may have been touched by then. */
  const apply = async (steps: Steps, contents: Contents): Promise<{ readonly error: EngineError; readonly touched: readonly string[] } | undefined> => {
    const touched: string[] = [];
    let failed: EngineError | undefined;
    for (const group of inOrder(steps, 'after')) {
      await mapLimited(group, WRITES_AT_ONCE, async (path) => {
        if (failed !== undefined) return;
        // What is overwritten must be what the checkpoint before this restore holds.
        const set = await setFile(path, steps[path]?.after ?? null, contents, steps[path]?.before ?? null);
        if (set.ok || set.error.code !== 'doc.changed') touched.push(path);
        if (!set.ok) failed ??= set.error.code === 'doc.changed' ? { code: 'doc.changed', args: { path } } : failedRestore(set.error, path);
      });
    }
    return failed === undefined ? undefined : { error: failed, touched };
  };

  const rollBack = async (id: string, steps: Steps, contents: Contents, touched: readonly string[]): Promise<Result<void>> => {
    const back = await settle(steps, 'before', contents, touched);
    return back.ok ? history.append([ending(id, 'undone')]) : back;
  };

  /** Records the result: exactly what was put there. What the author types from now on is theirs. */
  const record = async (target: CheckpointRecord, path: string | undefined, result: Side, first?: LogLine): Promise<Result<CheckpointRecord>> => {
    const messages = room.messages();
    const base = await room.base();
    if (!base.ok) return base;
    const input: CommitInput = {
      author: 'user',
      message: path === undefined ? messages.restored(target.message) : messages.restoredFile(path, target.message),
      restoredFrom: target.id,
      ...(target.ledger === undefined || path !== undefined ? {} : { ledger: target.ledger }),
    };
    return room.commit(base.value, result, input, first);
  };

  const restore = async (id: string, options: RestoreOptions): Promise<Result<RestoreOutcome>> => {
    const earlier = await closeIfOver();
    if (!earlier.ok) return earlier;
    if (earlier.value !== undefined) return refuse('restore.open');
    const target = await targetOf(id, options);
    if (!target.ok) return target;
    const saved = await creditAll(room, { author: 'user', message: room.messages().beforeRestore });
    if (!saved.ok) return saved;
    const { live } = saved.value;
    const base = await room.base();
    if (!base.ok) return base;
    const pre = base.value.record;
    if (pre === undefined) return refuse('checkpoint.not-found', { id });
    const planned = await stepsTo(target.value, live);
    if (!planned.ok) return planned;
    const steps = planned.value;
    const after = resultOf(live.manifest, steps);
    const free = await checkRoom(steps, live);
    if (!free.ok) return free;
    const sound = await verified(steps, 'after');
    if (!sound.ok) return sound;
    const back = await keepWayBack(steps, live);
    if (!back.ok) return back;
    const files: Result<readonly FileChange[]> = await room.comparer.changes({ manifest: live.manifest }, { manifest: after });
    if (!files.ok) return files;
    const differs = Object.keys(steps).length > 0;
    const restoreId = ids.next();
    const takeBack = async (touched: readonly string[]): Promise<void> => {
      const undone = await rollBack(restoreId, steps, sound.value, touched);
      if (!undone.ok) log.error('a restore could be neither finished nor taken back', { code: undone.error.code });
    };
    if (differs) {
      const begun = await history.append([
        {
          type: 'restore',
          id: restoreId,
          ...(deps.machine === undefined ? {} : { machine: deps.machine }),
          target: id,
          pre: pre.id,
          ...pathOf(target.value),
          files: steps,
          ts: clock.now(),
        },
      ]);
      if (!begun.ok) return begun;
      const failure = await apply(steps, sound.value);
      if (failure !== undefined) {
        await takeBack(failure.touched);
        return { ok: false, error: failure.error };
      }
    }
    const result = await refusing(LOG_PATH, () =>
      record(target.value.record, target.value.path, { manifest: after }, differs ? ending(restoreId, 'done') : undefined),
    );
    if (result.ok) return ok({ pre: pre.id, result: result.value.id, files: files.value });
    // Neither its end nor its result is written: all goes back. Were its end there after all, it would stand, for the next checkpoint to record.
    if (history.state.restores.has(restoreId)) await takeBack(Object.keys(steps));
    return result;
  };

  const finish = async (id: string, how: RestoreEnding): Promise<Result<void>> => {
    const open = history.state.restores.get(id);
    // Ended already: asking twice changes nothing.
    if (open === undefined) return ok(undefined);
    if (how === 'leave') return history.append([ending(id, 'left')]);
    const side = how === 'finish' ? 'after' : 'before';
    const sound = await verified(open.files, side);
    if (!sound.ok) return sound;
    const set = await settle(open.files, side, sound.value);
    if (!set.ok && set.error.code === 'doc.changed') return set;
    if (!set.ok) return { ok: false, error: failedRestore(set.error, String(set.error.args?.['path'] ?? '')) };
    const closed = await history.append([ending(id, how === 'finish' ? 'done' : 'undone')]);
    if (!closed.ok || how === 'undo') return closed;
    const all = await history.all();
    if (!all.ok) return all;
    const target = all.value.records.get(open.target);
    if (target === undefined) return refuse('checkpoint.not-found', { id: open.target });
    const live = await room.scan();
    if (!live.ok) return live;
    const result = await record(target, open.path, { manifest: live.value.manifest, loaded: live.value.loaded, read: (path) => live.value.read(path) });
    return result.ok ? ok(undefined) : result;
  };

  const { closeIfOver, open } = createInterrupted(room, { standing, ending, finish });

  return {
    open,
    plan: (id, options = {}) => room.reading(() => plan(id, options)),
    restore: (id, options = {}) => room.writing(() => restore(id, options)),
    finish: (id, how) => room.writing(() => finish(id, how)),
  };
}
