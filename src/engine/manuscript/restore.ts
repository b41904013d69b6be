import { ok, refuse, type EngineError, type Result } from '../ports/result';
import { sha256Hex } from '../text/hash';
import type { CheckpointRecord, Manifest } from './checkpoint-log';
import { failedRestore, type CheckpointRoom, type CommitInput } from './checkpoint-room';
import type { FileChange, RestoreOutcome, RestorePlan } from './checkpoints';
import { creditAll } from './credit';
import type { RestoreLine } from './log-state';
import type { LiveFiles } from './scan';

export interface RestoreOptions {
  readonly path?: string;
}

export interface Restorer {
  plan(id: string, options?: RestoreOptions): Promise<Result<RestorePlan>>;
  restore(id: string, options?: RestoreOptions): Promise<Result<RestoreOutcome>>;
  finish(id: string, how: 'finish' | 'undo'): Promise<Result<void>>;
}

/** path → hash before (`null`: not there) and after. */
type Steps = RestoreLine['files'];

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

  /** The manifest that a restore leaves behind: files that are not covered any more are let alone. */
  const goal = (target: Target, present: Manifest): Manifest => {
    if (target.path === undefined) return new Map([...target.wanted].filter(([path]) => rules.covered(path)));
    const after = new Map(present);
    const sha = target.wanted.get(target.path);
    if (sha === undefined) after.delete(target.path);
    else after.set(target.path, sha);
    return after;
  };

  const stepsTo = (present: Manifest, after: Manifest): Steps => {
    const steps: Record<string, { before: string | null; after: string | null }> = {};
    for (const path of [...new Set([...present.keys(), ...after.keys()])].sort()) {
      const from = present.get(path) ?? null;
      const to = after.get(path) ?? null;
      if (from !== to) steps[path] = { before: from, after: to };
    }
    return steps;
  };

  const checkRoom = (steps: Steps, live: LiveFiles): Result<void> => {
    const over = Object.keys(steps).find((path) => live.oversize.has(path));
    return over === undefined ? ok(undefined) : refuse('doc.too-large', { path: over, limit: rules.maxBytes });
  };

  const plan = async (id: string, options: RestoreOptions): Promise<Result<RestorePlan>> => {
    const target = await targetOf(id, options);
    if (!target.ok) return target;
    const live = await room.scan();
    if (!live.ok) return live;
    const after = goal(target.value, live.value.manifest);
    const free = checkRoom(stepsTo(live.value.manifest, after), live.value);
    if (!free.ok) return free;
    const files = await room.comparer.changes({ manifest: live.value.manifest, read: (path) => live.value.read(path) }, { manifest: after });
    return files.ok ? ok({ target: target.value.record, files: files.value }) : files;
  };

  /** Every object a restore needs, either way, read and verified. Nothing has been touched yet. */
  const verified = async (steps: Steps): Promise<Result<void>> => {
    for (const [path, { before, after }] of Object.entries(steps)) {
      for (const sha of [after, before]) {
        if (sha === null) continue;
        const bytes = await objects.get(sha);
        if (!bytes.ok) return { ok: false, error: { ...bytes.error, args: { ...bytes.error.args, path } } };
      }
    }
    return ok(undefined);
  };

  const standing = async (path: string): Promise<string | null> => {
    const bytes = await documents.bytes(path);
    return bytes === undefined ? null : sha256Hex(bytes);
  };

  const setFile = async (path: string, sha: string | null): Promise<Result<void>> => {
    if (sha === null) return documents.delete(path);
    const bytes = await objects.get(sha);
    return bytes.ok ? documents.put(path, bytes.value) : bytes;
  };

  /** Deletions first: a name that changes its case only must not delete what was just written. */
  const inOrder = (steps: Steps, side: 'before' | 'after'): string[] =>
    Object.keys(steps).sort((a, b) => Number(steps[a]?.[side] !== null) - Number(steps[b]?.[side] !== null) || (a < b ? -1 : 1));

  /** Puts every file to one side; files that are there already are not touched. */
  const settle = async (steps: Steps, side: 'before' | 'after', paths: readonly string[]): Promise<Result<void>> => {
    for (const path of paths) {
      const wanted = steps[path]?.[side] ?? null;
      if ((await standing(path)) === wanted) continue;
      const set = await setFile(path, wanted);
      if (!set.ok) return { ok: false, error: { ...set.error, args: { ...set.error.args, path } } };
    }
    return ok(undefined);
  };

  const close = (of: string, outcome: 'done' | 'undone'): Promise<Result<void>> =>
    history.append({ type: 'restored', of, outcome, ts: clock.now() });

  /** The author has typed into a file that a restore is about to set: keep those words in a checkpoint first. */
  const saveStrangers = async (steps: Steps, paths: readonly string[]): Promise<Result<void>> => {
    for (const path of paths) {
      const now = await standing(path);
      if (now === steps[path]?.before || now === steps[path]?.after) continue;
      const saved = await creditAll(room, { author: 'user', message: room.messages().author });
      return saved.ok ? ok(undefined) : saved;
    }
    return ok(undefined);
  };

  /** Applies the steps; resolves to the failure, and which files may have been touched by then. */
  const apply = async (steps: Steps): Promise<{ readonly error: EngineError; readonly touched: readonly string[] } | undefined> => {
    const touched: string[] = [];
    for (const path of inOrder(steps, 'after')) {
      // What is overwritten must be what the checkpoint before this restore holds.
      if ((await standing(path)) !== (steps[path]?.before ?? null)) return { error: { code: 'doc.changed', args: { path } }, touched };
      touched.push(path);
      const set = await setFile(path, steps[path]?.after ?? null);
      if (!set.ok) return { error: failedRestore(set.error, path), touched };
    }
    return undefined;
  };

  const rollBack = async (id: string, steps: Steps, touched: readonly string[]): Promise<Result<void>> => {
    const order = inOrder(steps, 'before').filter((path) => touched.includes(path));
    const saved = await saveStrangers(steps, order);
    if (!saved.ok) return saved;
    const back = await settle(steps, 'before', order);
    return back.ok ? close(id, 'undone') : back;
  };

  const record = async (target: CheckpointRecord, path: string | undefined): Promise<Result<CheckpointRecord>> => {
    const messages = room.messages();
    const live = await room.scan();
    if (!live.ok) return live;
    const base = await room.base();
    if (!base.ok) return base;
    const input: CommitInput = {
      author: 'user',
      message: path === undefined ? messages.restored(target.message) : messages.restoredFile(path, target.message),
      restoredFrom: target.id,
      ...(target.ledger === undefined || path !== undefined ? {} : { ledger: target.ledger }),
    };
    return room.commit(base.value, { manifest: live.value.manifest, read: (at) => live.value.read(at) }, input);
  };

  const restore = async (id: string, options: RestoreOptions): Promise<Result<RestoreOutcome>> => {
    if (history.state.restores.size > 0) return refuse('restore.open');
    const target = await targetOf(id, options);
    if (!target.ok) return target;
    const saved = await creditAll(room, { author: 'user', message: room.messages().beforeRestore });
    if (!saved.ok) return saved;
    const { live } = saved.value;
    const base = await room.base();
    if (!base.ok) return base;
    const pre = base.value.record;
    if (pre === undefined) return refuse('checkpoint.not-found', { id });
    const after = goal(target.value, live.manifest);
    const steps = stepsTo(live.manifest, after);
    const free = checkRoom(steps, live);
    if (!free.ok) return free;
    const sound = await verified(steps);
    if (!sound.ok) return sound;
    const files: Result<readonly FileChange[]> = await room.comparer.changes({ manifest: live.manifest }, { manifest: after });
    if (!files.ok) return files;
    if (Object.keys(steps).length > 0) {
      const restoreId = ids.next();
      const begun = await history.append({ type: 'restore', id: restoreId, target: id, pre: pre.id, ...pathOf(target.value), files: steps, ts: clock.now() });
      if (!begun.ok) return begun;
      const failure = await apply(steps);
      if (failure !== undefined) {
        const back = await rollBack(restoreId, steps, failure.touched);
        if (!back.ok) log.error('a restore could be neither finished nor taken back', { code: back.error.code });
        return { ok: false, error: failure.error };
      }
      const done = await close(restoreId, 'done');
      if (!done.ok) {
        const back = await rollBack(restoreId, steps, Object.keys(steps));
        if (!back.ok) log.error('a restore could be neither finished nor taken back', { code: back.error.code });
        return done;
      }
    }
    const result = await record(target.value.record, target.value.path);
    return result.ok ? ok({ pre: pre.id, result: result.value.id, files: files.value }) : result;
  };

  const finish = async (id: string, how: 'finish' | 'undo'): Promise<Result<void>> => {
    const open = history.state.restores.get(id);
    // Ended already: asking twice changes nothing.
    if (open === undefined) return ok(undefined);
    const side = how === 'finish' ? 'after' : 'before';
    const sound = await verified(open.files);
    if (!sound.ok) return sound;
    const order = inOrder(open.files, side);
    const saved = await saveStrangers(open.files, order);
    if (!saved.ok) return saved;
    const set = await settle(open.files, side, order);
    if (!set.ok) return { ok: false, error: failedRestore(set.error, String(set.error.args?.['path'] ?? '')) };
    const closed = await close(id, how === 'finish' ? 'done' : 'undone');
    if (!closed.ok || how === 'undo') return closed;
    const all = await history.all();
    if (!all.ok) return all;
    const target = all.value.records.get(open.target);
    if (target === undefined) return refuse('checkpoint.not-found', { id: open.target });
    const result = await record(target, open.path);
    return result.ok ? ok(undefined) : result;
  };

  return {
    plan: (id, options = {}) => room.reading(() => plan(id, options)),
    restore: (id, options = {}) => room.writing(() => restore(id, options)),
    finish: (id, how) => room.writing(() => finish(id, how)),
  };
}
