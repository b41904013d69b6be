import { ok, type Result } from '../ports/result';
import type { CheckpointRecord, Manifest } from './checkpoint-log';
import type { CheckpointRoom } from './checkpoint-room';
import { journalName } from './edit-journal';
import { hashesIn, hashesInFile } from './hashes-in';
import { compareRecords, turnKey, type LogState } from './log-state';
import { LOG_PATH } from './checkpoint-history';

const OWN = '.liyuan';
/** Checkpoints folded before others get a turn. */
const AT_ONCE = 64;
/** Below it, what never names an object by itself: the objects, what can be made anew, and locks. */
const silent = ['objects/', 'cache/', 'locks/'].map((folder) => `${OWN}/${folder}`);

/** Every hash that the line of a record holds. */
function* hashesOf(record: CheckpointRecord): Iterable<string> {
  yield* Object.values(record.files ?? {});
  for (const sha of Object.values(record.delta ?? {})) if (sha !== null) yield sha;
}

/** The record and everything it folds through, as far as it is there. */
function* chainOf(state: LogState, id: string): Iterable<CheckpointRecord> {
  const seen = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !seen.has(at); ) {
    seen.add(at);
    const record: CheckpointRecord | undefined = state.records.get(at);
    if (record === undefined) return;
    yield record;
    at = record.parents[0];
  }
}

/** Runs one short piece of work on the checkpoint log: at once, or in turn with the other operations. */
export type InTurn = <T>(work: () => Promise<Result<T>>) => Promise<Result<T>>;

/**
 * Every object that something still names, once the checkpoints of `pruned` are gone: the manifests of the others, restores that are
 * not ended, lines of the log that cannot be read, and whatever looks like a hash in any other file of `.liyuan/` (sessions, traces,
 * this machine's own). The journal of a turn names none when all of the turn's checkpoints are gone. `state` holds all lines.
 * Refuses `store.*` when something cannot be read: then nobody knows.
 */
export async function namedObjects(room: CheckpointRoom, state: LogState, pruned: ReadonlySet<string>, inTurn: InTurn): Promise<Result<Set<string>>> {
  const { files } = room.deps;
  const named = new Set<string>();
  const add = (sha: string): void => void named.add(sha);
  const kept = [...state.records.values()].filter(({ id }) => !pruned.has(id)).sort(compareRecords);
  for (let from = 0; from < kept.length; from += AT_ONCE) {
    const folded = await inTurn(async (): Promise<Result<void>> => {
      for (const record of kept.slice(from, from + AT_ONCE)) {
        const manifest: Result<Manifest> = await room.history.manifest(record.id);
        if (manifest.ok) for (const sha of manifest.value.values()) named.add(sha);
        else if (manifest.error.code !== 'checkpoint.broken') return manifest;
        // Nobody knows which state it meant: everything on its way stays.
        else for (const one of chainOf(state, record.id)) for (const sha of hashesOf(one)) named.add(sha);
      }
      return ok(undefined);
    });
    if (!folded.ok) return folded;
  }
  for (const restore of [...state.restores.values(), ...(state.unrecorded === undefined ? [] : [state.unrecorded])]) {
    for (const { before, after } of Object.values(restore.files)) for (const sha of [before, after]) if (sha !== null) named.add(sha);
  }
  const unreadable = await inTurn(async () => ok(await room.history.unreadable()));
  if (!unreadable.ok) return unreadable;
  for (const text of unreadable.value) hashesIn(Buffer.from(text, 'latin1'), add);
  const over = finishedJournals(state, pruned);
  for (const { path } of await files.tree(OWN)) {
    if (path === LOG_PATH || over.has(path) || silent.some((folder) => path.startsWith(folder))) continue;
    await hashesInFile(files, path, add);
  }
  return ok(named);
}

/** Journals of turns whose checkpoints are all pruned, and that have announced nothing since. */
function finishedJournals(state: LogState, pruned: ReadonlySet<string>): ReadonlySet<string> {
  const over = new Map<string, string>();
  const needed = new Set<string>(state.intents.keys());
  for (const { id, turn } of state.records.values()) {
    if (turn === undefined) continue;
    const key = turnKey(turn);
    if (pruned.has(id)) over.set(key, journalName({ sessionId: turn.sessionId, userEntryId: turn.userEntryId }));
    else needed.add(key);
  }
  return new Set([...over].filter(([key]) => !needed.has(key)).map(([, name]) => `${OWN}/local/edits/${name}.jsonl`));
}
