import { EngineFailure, fail, ok, refuse, type Result } from '../ports/result';
import { refusing } from '../store/failures';
import { createQueue } from '../store/queue';
import type { CheckpointRecord, Manifest } from './checkpoint-log';
import { createCheckpointRoom, type CheckpointDeps, type CheckpointRoom } from './checkpoint-room';
import type { Checkpoints, TurnJournal, TurnRef } from './checkpoints';
import { createCleanUp } from './clean-up';
import { checkCovered, scannedPath } from './coverage';
import { creditAll, renamesOf } from './credit';
import { historyOfFile } from './file-history';
import type { Side } from './file-changes';
import { compareRecords, turnKey } from './log-state';
import { markedAt, markOf, type Mark } from './marks';
import { turnMessage } from './messages';
import { changesOf } from './own-changes';
import { createRestorer } from './restore';
import { storeSize } from './store-size';
import { ownRecords, stateBefore } from './turn-records';
import { createUndo } from './undo-turn';
import { verify } from './verify';

const empty: Side = { manifest: new Map() };
const nothingChanged = { added: [], modified: [], renamed: [], removed: [] } as const;

/** Checkpoints of one project (formats.md, Checkpoints). Nothing is read or written before the first call. */
export function createCheckpoints(deps: CheckpointDeps): Checkpoints {
  const room = createCheckpointRoom(deps);
  const { history, comparer } = room;
  const restorer = createRestorer(room);
  const undo = createUndo(room);
  const cleaning = createCleanUp(room);
  const journals = new Map<string, TurnJournal>();

  const at = async (id: string): Promise<Result<Side>> => {
    const manifest = await history.manifest(id);
    return manifest.ok ? ok({ manifest: manifest.value }) : manifest;
  };
  const now = async (): Promise<Result<Side>> => {
    const live = await room.scan();
    return live.ok ? ok({ manifest: live.value.manifest, read: (path) => live.value.read(path) }) : live;
  };
  const recordOf = async (id: string): Promise<Result<CheckpointRecord>> => {
    const known = history.state.records.get(id);
    if (known !== undefined) return ok(known);
    const all = await history.all();
    if (!all.ok) return all;
    const record = all.value.records.get(id);
    return record === undefined ? refuse('checkpoint.not-found', { id }) : ok(record);
  };

  return {
    take: (input) =>
      room.writing(async () => {
        const credited = await creditAll(room, { ...input, message: input.message ?? room.messages().author });
        return credited.ok ? ok(credited.value.records.at(-1)) : credited;
      }),
    list: () =>
      room.reading(async () => {
        const all = await history.all();
        if (!all.ok) return all;
        const shown = [...all.value.records.values()].filter(({ id }) => !all.value.pruned.has(id));
        return ok(shown.sort((a, b) => compareRecords(b, a)));
      }),
    records: () =>
      room.reading(async () => {
        const all = await history.all();
        return all.ok ? ok([...all.value.records.values()]) : all;
      }),
    get: (id) => room.reading(() => recordOf(id)),
    manifest: (id) => room.reading((): Promise<Result<Manifest>> => history.manifest(id)),
    compare: (from, to) =>
      room.reading(async () => {
        const before = from === null ? ok(empty) : await at(from);
        if (!before.ok) return before;
        const after = to === 'now' ? await now() : await at(to);
        return after.ok ? comparer.changes(before.value, after.value) : after;
      }),
    changesOf: (id) => room.reading(() => changesOf(room, id)),
    touching: (path, of) =>
      room.reading(async () => {
        const normal = deps.rules.normalise(path);
        if (!normal.ok) return normal;
        const all = await history.all();
        if (!all.ok) return all;
        return ok(historyOfFile(all.value.records.values(), normal.value, of).filter(({ record }) => !all.value.pruned.has(record.id)));
      }),
    authoredBetween: (from, to) =>
      room.reading(async () => {
        const authored: CheckpointRecord[] = [];
        // A damaged log may hold a circle.
        const seen = new Set<string>();
        let id = to;
        while (id !== from) {
          if (seen.has(id)) return ok([]);
          seen.add(id);
          const record = await recordOf(id);
          if (!record.ok) return record;
          if (record.value.author === 'user') authored.push(record.value);
          const [parent] = record.value.parents;
          if (parent === undefined) return ok([]);
          id = parent;
        }
        return ok(authored.reverse());
      }),
    fileAt: (id, path) =>
      room.reading(async (): Promise<Result<Uint8Array | undefined>> => {
        const normal = deps.rules.normalise(path);
        if (!normal.ok) return normal;
        const manifest = await history.manifest(id);
        if (!manifest.ok) return manifest;
        const sha = manifest.value.get(normal.value);
        return sha === undefined ? ok(undefined) : deps.objects.get(sha);
      }),
    planRestore: (id, options) => restorer.plan(id, options),
    restore: (id, options) => restorer.restore(id, options),
    before: (turn) =>
      room.reading(async () => {
        const all = await history.all();
        if (!all.ok) return all;
        if (ownRecords(all.value, turn).length === 0) return refuse('checkpoint.no-turn', { turn: turn.userEntryId });
        const record = stateBefore(all.value, turn);
        return record === undefined ? refuse('checkpoint.not-found', { turn: turn.userEntryId }) : ok(record);
      }),
    openRestore: async () => {
      const open = await restorer.open();
      return open.ok ? ok(open.value === undefined ? undefined : { id: open.value.id, target: open.value.target }) : open;
    },
    finishRestore: (id, how) => restorer.finish(id, how),
    journal(turn) {
      const key = turnKey(turn);
      const known = journals.get(key) ?? createTurnJournal(room, turn);
      journals.set(key, known);
      return known;
    },
    undoTurn: (turn) => room.writing(() => undo(turn)),
    endTurn: (turn, message, aborted) => room.writing(() => endTurn(room, turn, turnMessage(message, aborted, room.messages()), aborted)),
    head: () => room.reading(() => history.newest()),
    mark: (id, mark) =>
      room.writing(async () => {
        const record = await recordOf(id);
        if (!record.ok) return record;
        const all = await history.all();
        if (!all.ok) return all;
        if (all.value.pruned.has(id)) return refuse('checkpoint.not-found', { id });
        const { pinned, name } = mark;
        const ts = Math.max(deps.clock.now(), markedAt(all.value.marks.get(id)) + 1);
        return history.append([
          { type: 'mark', target: id, ...(pinned === undefined ? {} : { pinned }), ...(name === undefined ? {} : { name: name.trim() }), ts },
        ]);
      }),
    marks: () =>
      room.reading(async () => {
        const all = await history.all();
        if (!all.ok) return all;
        const marks = new Map<string, Mark>();
        for (const [id, state] of all.value.marks) {
          const mark = markOf(state);
          if (mark !== undefined) marks.set(id, mark);
        }
        return ok(marks);
      }),
    planCleanUp: () => cleaning.plan(),
    cleanUp: (ids) => cleaning.carryOut(ids),
    storeSize: () => storeSize(deps.files),
    verify: (options = {}) => verify(room, options),
  };

  async function endTurn(
    { journals: edits }: CheckpointRoom,
    turn: TurnRef,
    message: string,
    aborted: boolean,
  ): ReturnType<Checkpoints['endTurn']> {
    const ended = await creditAll(room, { author: 'user', message: room.messages().author }, { turn, message, aborted });
    if (!ended.ok) return ended;
    const { records } = ended.value;
    const all = await history.all();
    if (!all.ok) return all;
    const own = ownRecords(all.value, turn);
    const last = own.at(-1);
    const first = stateBefore(all.value, turn);
    if (last === undefined) return ok({ records, changes: [], changed: { ...copyOf(nothingChanged) } });
    const before = first === undefined ? ok(empty) : await at(first.id);
    if (!before.ok) return before;
    const after = await at(last.id);
    if (!after.ok) return after;
    const renames = renamesOf(edits.known(turn));
    const changes = await comparer.changes(before.value, after.value, renames);
    if (!changes.ok) return changes;
    const changed = await comparer.changed(before.value, after.value, renames);
    return changed.ok ? ok({ records, changes: changes.value, changed: changed.value }) : changed;
  }
}

const copyOf = (changed: typeof nothingChanged): { added: string[]; modified: string[]; renamed: [string, string][]; removed: string[] } => ({
  added: [...changed.added],
  modified: [...changed.modified],
  renamed: [...changed.renamed],
  removed: [...changed.removed],
});

function createTurnJournal(room: CheckpointRoom, turn: TurnRef): TurnJournal {
  const { deps, history, journals } = room;
  const queue = createQueue();

  /** Announces the turn's edits in the log, unless that was done since its last checkpoint. */
  const announce = async (): Promise<Result<void>> => {
    const announced = await room.reading(async () => ok(history.state.intents.has(turnKey(turn))));
    if (!announced.ok || announced.value) return announced.ok ? ok(undefined) : announced;
    return room.writing(() => history.append([{ type: 'intent', turn: { ...turn }, ts: deps.clock.now() }]));
  };

  return {
    record: (edit) =>
      queue.run(async () => {
        if (deps.readOnly === true) return refuse('store.read-only', { path: edit.path });
        const announced = await announce();
        if (!announced.ok) return announced;
        const sides = [edit.before, edit.after];
        let shas: readonly string[];
        try {
          shas = await deps.objects.putAll(sides.filter((side) => side !== null));
        } catch (error) {
          if (error instanceof EngineFailure) return fail(error.error);
          throw error;
        }
        const before = edit.before === null ? null : (shas[0] ?? null);
        const after = edit.after === null ? null : (shas.at(-1) ?? null);
        return journals.add(
          turn,
          { path: edit.path.normalize('NFC'), ...(edit.from === undefined ? {} : { from: edit.from.normalize('NFC') }), before, after },
          deps.clock.now(),
        );
      }),
    edits: () => journals.known(turn),
    locate: async (path, fresh) => {
      const covered = await checkCovered(deps.files, deps.rules, path);
      return covered.ok ? refusing(path, async () => ok(await scannedPath(room.names, deps.rules, path, fresh)), 'reading') : covered;
    },
  };
}
