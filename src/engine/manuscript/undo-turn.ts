import { ok, refuse, type EngineError, type Result } from '../ports/result';
import type { AppliedFile, FileChanges } from '../ports/documents';
import { refusing } from '../store/failures';
import { minimalChanges } from '../text/diff';
import { invertEdit } from '../text/reanchor';
import { sha256Hex } from '../text/hash';
import type { CheckpointRecord } from './checkpoint-log';
import { isUnchanged, type CheckpointRoom } from './checkpoint-room';
import type { JournalEdit, TurnRef, UndoOutcome } from './checkpoints';
import { creditAll } from './credit';
import { manifestOf, sameManifest } from './manifest';
import { namesSince } from './names-since';
import { broughtBack, ownRecords, stateBefore } from './turn-records';
import { takeOut, type TakenOut, type TakeOutResult } from './take-out';

const TRIES = 3;

/** The author typed, or the editor would not: it may be tried again. */
const isPassing = ({ code }: EngineError): boolean => code === 'doc.changed' || code === 'doc.apply-rejected';

/** A file operation and the one that takes it back. */
interface Step {
  readonly path: string;
  run(): Promise<Result<void>>;
  back(): Promise<Result<void>>;
}

/** What is to be done, worked out on the texts as they are now. */
interface Plan {
  readonly taken: TakeOutResult;
  readonly batch: readonly FileChanges[];
  /** For taking the batch back: the text each file had. */
  readonly texts: ReadonlyMap<string, string>;
  /** The bytes of each file that stands, as they were looked at: nothing else is overwritten or deleted. */
  readonly seen: ReadonlyMap<string, Seen>;
}

interface Seen {
  readonly bytes: Uint8Array;
  readonly sha: string;
}

/** Takes a turn's edits back through the live buffers. Under the checkpoint lock. */
export function createUndo(room: CheckpointRoom): (turn: TurnRef) => Promise<Result<UndoOutcome>> {
  const { deps, history, journals } = room;
  const { documents, objects, clock } = deps;

  /** The agent's edits: as journalled on this machine, else what its checkpoints say. */
  const editsOf = async (turn: TurnRef): Promise<Result<{ readonly edits: readonly JournalEdit[]; readonly through: number }>> => {
    const journal = await journals.read(turn);
    if (!journal.ok) return journal;
    const through = journal.value.edits.length;
    const all = await history.all();
    if (!all.ok) return all;
    const { undone, undoneAt } = journal.value;
    if (through > 0) return ok({ edits: journal.value.edits.slice(undone > 0 && broughtBack(all.value, turn, undoneAt) ? 0 : undone), through });
    const edits: JournalEdit[] = [];
    for (const record of ownRecords(all.value, turn)) {
      const found = await editsInRecord(record);
      if (!found.ok) return found;
      edits.push(...found.value);
    }
    return ok({ edits, through: 0 });
  };

  const editsInRecord = async (record: CheckpointRecord): Promise<Result<readonly JournalEdit[]>> => {
    const after = await history.manifest(record.id);
    if (!after.ok) return after;
    const [parent] = record.parents;
    const before = parent === undefined ? ok(manifestOf({})) : await history.manifest(parent);
    if (!before.ok) return before;
    const changes = await room.comparer.changes({ manifest: before.value }, { manifest: after.value }, record.changed.renamed);
    return changes.ok
      ? ok(changes.value.map(({ path, from, before: old, after: now }) => ({ path, ...(from === undefined ? {} : { from }), before: old, after: now })))
      : changes;
  };

  /** What the store holds, as the text that the file at `path` would show; `undefined` when it is none. */
  const recorded = async (sha: string, path: string): Promise<Result<string | undefined>> => {
    const bytes = await objects.get(sha);
    if (!bytes.ok) return bytes;
    const text = await documents.decode(path, bytes.value);
    return text.ok || text.error.code !== 'doc.undecodable' ? text : ok(undefined);
  };

  const plan = async (edits: readonly JournalEdit[], now: (path: string) => string): Promise<Result<Plan>> => {
    const versions = new Map<string, string>();
    const texts = new Map<string, string>();
    const seen = new Map<string, Seen>();
    const taken = await takeOut(edits, {
      force: false,
      now,
      recorded,
      standing: (path) =>
        refusing(path, async () => {
          const bytes = (await room.names.isNamed(path)) ? await documents.bytes(path) : undefined;
          if (bytes === undefined) return ok(undefined);
          const sha = sha256Hex(bytes);
          seen.set(path, { bytes, sha });
          const live = await documents.read(path);
          if (!live.ok) return live.error.code === 'doc.undecodable' ? ok({ sha }) : live;
          versions.set(path, live.value.version);
          texts.set(path, live.value.text);
          return ok({ sha, text: live.value.text });
        }),
    });
    if (!taken.ok) return taken;
    const batch: FileChanges[] = [];
    for (const file of taken.value.files) {
      const now = file.was === null ? undefined : texts.get(file.was);
      const version = file.was === null ? undefined : versions.get(file.was);
      if (file.path === null || file.was === null || now === undefined || version === undefined) continue;
      const wanted = await textOf(file);
      if (!wanted.ok) return wanted;
      if (wanted.value !== undefined && wanted.value !== now) batch.push({ path: file.was, version, changes: minimalChanges(now, wanted.value) });
    }
    return ok({ taken: taken.value, batch, texts, seen });
  };

  const textOf = async (file: TakenOut): Promise<Result<string | undefined>> =>
    file.sha === undefined ? ok(file.text) : recorded(file.sha, file.was ?? file.path ?? '');

  /** Files that come back, go away, move, or are no text: one after the other. */
  const stepsOf = async ({ taken, batch, seen }: Plan): Promise<Result<readonly Step[]>> => {
    const edited = new Set(batch.map(({ path }) => path));
    const steps: Step[] = [];
    for (const { was, path } of taken.files) {
      if (path === null && was !== null) {
        const stood = seen.get(was);
        if (stood !== undefined) steps.push({ path: was, run: () => documents.delete(was, stood.sha), back: () => documents.put(was, stood.bytes, null) });
      }
    }
    for (const { was, path } of taken.files) {
      if (was !== null && path !== null && path !== was) steps.push({ path: was, run: () => documents.rename(was, path), back: () => documents.rename(path, was) });
    }
    for (const { was, path, sha, text } of taken.files) {
      // A file that is nowhere now comes back with the author's later words in it: no object holds that text.
      if (was === null && path !== null && sha === undefined && text !== undefined) {
        let saved = text;
        steps.push({
          path,
          run: async () => {
            const made = await documents.create(path, text);
            if (made.ok) saved = made.value.text;
            return made.ok ? ok(undefined) : made;
          },
          // New files are UTF-8 without BOM.
          back: () => documents.delete(path, sha256Hex(saved)),
        });
        continue;
      }
      if (path === null || sha === undefined || (was !== null && edited.has(was))) continue;
      const stands = was === null ? undefined : seen.get(was);
      if (stands?.sha === sha) continue;
      const bytes = await objects.get(sha);
      if (!bytes.ok) return bytes;
      steps.push({
        path,
        run: () => documents.put(path, bytes.value, stands?.sha ?? null),
        back: () => (stands === undefined ? documents.delete(path, sha) : documents.put(path, stands.bytes, sha)),
      });
    }
    return ok(steps);
  };

  const runSteps = async (steps: readonly Step[]): Promise<EngineError | undefined> => {
    const done: Step[] = [];
    for (const step of steps) {
      const ran = await refusing(step.path, step.run);
      if (ran.ok) {
        done.push(step);
        continue;
      }
      for (const before of done.reverse()) {
        const back = await refusing(before.path, before.back);
        if (!back.ok) deps.log.error('a step of an undo could not be taken back', { path: before.path, code: back.error.code });
      }
      return { ...ran.error, args: { ...ran.error.args, path: step.path } };
    }
    return undefined;
  };

  /** Takes the edits of an undo out again, where they stand by now. What the author has typed meanwhile stays. */
  const takeBatchBack = async ({ texts }: Plan, applied: readonly AppliedFile[]): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const again: FileChanges[] = [];
      for (const { path, text } of applied) {
        const old = texts.get(path);
        const live = await documents.read(path);
        if (!live.ok || old === undefined) {
          deps.log.error('the text of an undo could not be taken back', { path, code: live.ok ? 'internal' : live.error.code });
          continue;
        }
        const { changes, conflicts } = invertEdit(old, text, live.value.text);
        if (conflicts.length > 0) deps.log.warn('places of an undo were typed over and are not taken back', { path, count: conflicts.length });
        if (changes.length > 0) again.push({ path, version: live.value.version, changes });
      }
      if (again.length === 0) return;
      const back = await refusing(again[0]?.path ?? '', () => documents.apply(again));
      if (back.ok) return;
      if (isPassing(back.error) && tries < TRIES) continue;
      return deps.log.error('the texts of an undo could not be taken back', { code: back.error.code });
    }
  };

  const carryOut = async (edits: readonly JournalEdit[], now: (path: string) => string): Promise<Result<Plan>> => {
    for (let tries = 1; ; tries += 1) {
      const planned = await plan(edits, now);
      if (!planned.ok) return planned;
      const steps = await stepsOf(planned.value);
      if (!steps.ok) return steps;
      const { batch } = planned.value;
      const applied = batch.length === 0 ? ok([]) : await refusing(batch[0]?.path ?? '', () => documents.apply(batch));
      if (!applied.ok) {
        if (isPassing(applied.error) && tries < TRIES) continue;
        return applied;
      }
      const failed = await runSteps(steps.value);
      if (failed === undefined) return planned;
      await takeBatchBack(planned.value, applied.value);
      // Somebody wrote into a file since it was looked at: once more, with their words.
      if (failed.code !== 'doc.changed' || tries === TRIES) return { ok: false, error: failed };
    }
  };

  const record = async (turn: TurnRef): Promise<Result<string | undefined>> => {
    const live = await room.scan();
    if (!live.ok) return live;
    const base = await room.base();
    if (!base.ok) return base;
    if (isUnchanged(base.value, live.value.manifest)) return ok(undefined);
    const all = await history.all();
    if (!all.ok) return all;
    const own = ownRecords(all.value, turn);
    const before = stateBefore(all.value, turn);
    const manifest = before === undefined ? undefined : await history.manifest(before.id);
    const returned = before !== undefined && manifest?.ok === true && sameManifest(manifest.value, live.value.manifest);
    const committed = await room.commit(
      base.value,
      { manifest: live.value.manifest, read: (path) => live.value.read(path) },
      {
        author: 'user',
        message: room.messages().undone(own.at(-1)?.message ?? room.messages().agent),
        ...(returned ? { restoredFrom: before.id } : {}),
      },
    );
    return committed.ok ? ok(committed.value.id) : committed;
  };

  return async (turn) => {
    if (room.openRestore() !== undefined) return refuse('restore.open');
    const known = await history.all();
    if (!known.ok) return known;
    const own = ownRecords(known.value, turn);
    // A clean-up has given up what they held.
    if (own.length > 0 && own.every(({ id }) => known.value.pruned.has(id))) return refuse('checkpoint.not-found', { turn: turn.userEntryId });
    const found = await editsOf(turn);
    if (!found.ok) return found;
    const { edits, through } = found.value;
    if (edits.length === 0) return refuse('undo.nothing');
    const saved = await creditAll(room, { author: 'user', message: room.messages().beforeUndo });
    if (!saved.ok) return saved;
    const all = await history.all();
    if (!all.ok) return all;
    const done = await carryOut(edits, namesSince(all.value, turn));
    if (!done.ok) return done;
    const { taken } = done.value;
    const checkpoint = await record(turn);
    if (!checkpoint.ok) return checkpoint;
    // With conflicts and nothing taken back, it may be tried again.
    if (through > 0 && (taken.files.length > 0 || taken.conflicts.length === 0)) {
      const marked = await journals.undone(turn, through, clock.now());
      if (!marked.ok) return marked;
    }
    return ok({
      undone: [...new Set(taken.files.map(({ was, path }) => path ?? was ?? ''))].sort(),
      conflicts: taken.conflicts,
      ...(checkpoint.value === undefined ? {} : { checkpoint: checkpoint.value }),
    });
  };
}
