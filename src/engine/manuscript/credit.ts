import { ok, type Result } from '../ports/result';
import { sha256Hex } from '../text/hash';
import type { CheckpointRecord } from './checkpoint-log';
import type { CheckpointInput, JournalEdit, TurnRef } from './checkpoints';
import { isUnchanged, type CheckpointRoom, type CommitInput } from './checkpoint-room';
import type { JournalState } from './edit-journal';
import type { Side } from './file-changes';
import { turnKey } from './log-state';
import type { RenamePair } from './renames';
import type { LiveFiles } from './scan';
import { carriedOut, isInverse, takeOut, type StandingFile } from './take-out';
import { tookPlace, type Witness } from './took-place';

/** A turn whose edits are to be credited, and how. */
interface OpenTurn {
  readonly turn: TurnRef;
  readonly edits: readonly JournalEdit[];
  /** How many edits of the turn are settled once these are. */
  readonly through: number;
  readonly message: string;
  readonly aborted: boolean;
}

type NamedInput = CheckpointInput & { readonly message: string };

/** An edit is carried out within this time after it was announced, or never. */
const NEVER_MS = 60_000;

export interface TurnEnd {
  readonly turn: TurnRef;
  readonly message: string;
  readonly aborted: boolean;
}

export interface Credited {
  /** In order: the author's, if any, then each agent's. */
  readonly records: readonly CheckpointRecord[];
  readonly live: LiveFiles;
}

/**
 * Records the files as they stand, each change credited to who made it: first what the author did (`user`), then the edits of each
 * open turn (`agent`). With no open turn that is one record at most. Under the checkpoint lock.
 */
export async function creditAll(room: CheckpointRoom, input: NamedInput, ending?: TurnEnd): Promise<Result<Credited>> {
  const live = await room.scan();
  if (!live.ok) return live;
  const open = await openTurns(room, live.value, ending);
  if (!open.ok) return open;
  const records: CheckpointRecord[] = [];
  const beneath = await keepBeneath(room, live.value);
  if (!beneath.ok) return beneath;
  records.push(...beneath.value);
  const own = await authorsInput(room, input, open.value.length > 0);
  if (!own.ok) return own;

  // The state with all the agent's edits taken out, then with one turn's after the other put back.
  for (let from = 0; from <= open.value.length; from += 1) {
    const later = open.value.slice(from).flatMap(({ edits }) => edits);
    const side = await without(room, live.value, later);
    if (!side.ok) return side;
    const credited = from === 0 ? undefined : open.value[from - 1];
    if (credited === undefined) {
      const base = await room.base();
      if (!base.ok) return base;
      if (isUnchanged(base.value, side.value.manifest)) continue;
      const { author, first } = room.messages();
      const nothingBefore = base.value.record === undefined && own.value.message === author;
      const record = await room.commit(base.value, side.value, nothingBefore ? { ...own.value, message: first } : own.value);
      if (!record.ok) return record;
      records.push(record.value);
      continue;
    }
    const { turn, through, message, aborted } = credited;
    const id = room.deps.ids.next();
    const now = room.deps.clock.now();
    const base = await room.base();
    if (!base.ok) return base;
    const nothing = isUnchanged(base.value, side.value.manifest);
    // Written first, so that a crash between the two lines credits nothing twice: it counts only if the checkpoint is in the log.
    const marked = await room.journals.credit(turn, through, nothing ? undefined : id, now);
    if (!marked.ok) return marked;
    if (nothing) continue;
    const record = await room.commit(base.value, side.value, { author: 'agent', message, turn: { ...turn }, aborted, id, knownRenames: renamesOf(credited.edits) });
    if (!record.ok) return record;
    records.push(record.value);
  }
  return ok({ records, live: live.value });
}

/** A checkpoint of its own for what lies on the disk under unsaved words and no object holds: the next one shows the words over it. */
async function keepBeneath(room: CheckpointRoom, live: LiveFiles): Promise<Result<readonly CheckpointRecord[]>> {
  const fresh = new Map<string, Uint8Array>();
  for (const [path, bytes] of live.beneath) if (!(await room.deps.objects.has(sha256Hex(bytes)))) fresh.set(path, bytes);
  if (fresh.size === 0) return ok([]);
  const base = await room.base();
  if (!base.ok) return base;
  const manifest = new Map(base.value.manifest);
  for (const [path, bytes] of fresh) manifest.set(path, sha256Hex(bytes));
  const side: Side = { manifest, read: async (path) => fresh.get(path) };
  const record = await room.commit(base.value, side, { author: 'user', message: room.messages().beneath });
  return record.ok ? ok([record.value]) : record;
}

/** What the record of everything that is not a turn's edit says. After a restore whose result was not recorded, that it is its result. */
async function authorsInput(room: CheckpointRoom, input: NamedInput, split: boolean): Promise<Result<CommitInput>> {
  const { author, message, turn, aborted, moved } = input;
  const given: CommitInput = {
    author: split ? 'user' : author,
    message,
    ...(turn === undefined || split ? {} : { turn: { ...turn } }),
    ...(aborted === true && !split ? { aborted } : {}),
    ...(moved === undefined ? {} : { moved }),
  };
  const restored = room.history.state.unrecorded;
  if (restored === undefined || !room.isOwn(restored)) return ok(given);
  const all = await room.history.all();
  if (!all.ok) return all;
  const target = all.value.records.get(restored.target);
  const name = target?.message ?? '';
  const messages = room.messages();
  const said = restored.path === undefined ? messages.restored(name) : messages.restoredFile(restored.path, name);
  return ok({ ...given, author: 'user', message: said, restoredFrom: restored.target });
}

export function renamesOf(edits: readonly JournalEdit[]): RenamePair[] {
  const origin = new Map<string, string>();
  for (const edit of edits) {
    if (edit.from === undefined) continue;
    origin.set(edit.path, origin.get(edit.from) ?? edit.from);
    origin.delete(edit.from);
  }
  return [...origin].filter(([path, from]) => path !== from).map(([path, from]) => [from, path] as const);
}

/** The turns with edits that no checkpoint has yet, the one that ends last. */
async function openTurns(room: CheckpointRoom, live: LiveFiles, ending: TurnEnd | undefined): Promise<Result<OpenTurn[]>> {
  const turns = new Map(room.history.state.intents);
  if (ending !== undefined) {
    turns.delete(turnKey(ending.turn));
    turns.set(turnKey(ending.turn), ending.turn);
  }
  if (turns.size === 0) return ok([]);
  const all = await room.history.all();
  if (!all.ok) return all;
  const journals = new Map<string, JournalState>();
  for (const [key, turn] of turns) {
    const journal = await room.journals.read(turn);
    if (!journal.ok) return journal;
    journals.set(key, journal.value);
  }
  const open: OpenTurn[] = [];
  for (const [key, turn] of turns) {
    const journal = journals.get(key);
    if (journal === undefined) continue;
    const settled = Math.max(journal.credited((id) => all.value.records.has(id)), journal.undone);
    let through = journal.edits.length;
    const isEnding = ending !== undefined && key === turnKey(ending.turn);
    const announced = await withoutTraces(room, live, journal, settled, [...journals.values()]);
    if (!announced.ok) return announced;
    const isAnnounced = (edit: JournalEdit | undefined): boolean => edit !== undefined && announced.value.has(edit);
    // While a turn goes on, an edit that is announced but not carried out yet stays open.
    while (!isEnding && through > settled && isAnnounced(journal.edits[through - 1])) through -= 1;
    // What only was announced takes nothing back: the pairs that came to nothing are looked for among the others.
    const edits = carriedOut(journal.edits.slice(settled, through).filter((edit) => !isAnnounced(edit)));
    // Announced so long ago, its host is gone: it never came about. Kept open, it would be taken out of what others write there.
    const never = through < journal.edits.length && room.deps.clock.now() - journal.lastAt > NEVER_MS;
    if (never) through = journal.edits.length;
    if (edits.length === 0) {
      const closed = through > settled ? await room.journals.credit(turn, through, undefined, room.deps.clock.now()) : ok(undefined);
      if (!closed.ok) return closed;
      continue;
    }
    open.push({
      turn,
      edits,
      through,
      message: isEnding ? ending.message : room.messages().agent,
      aborted: isEnding && ending.aborted,
    });
  }
  return ok(open);
}

/** Edits from the `settled`th on that nobody knows to have been carried out, and of which nothing is to be seen. `journals`: all that are open. */
async function withoutTraces(
  room: CheckpointRoom,
  live: LiveFiles,
  journal: JournalState,
  settled: number,
  journals: readonly JournalState[],
): Promise<Result<ReadonlySet<JournalEdit>>> {
  const unseen = new Set<JournalEdit>();
  const texts = textsOf(room, live);
  const carried = new Set(carriedOut(journal.edits.slice(settled)));
  const standing = (path: string): Witness => ({ sha: live.manifest.get(path) ?? null, text: () => texts.standing(path) });
  const took = async (edit: JournalEdit, i: number): Promise<Result<boolean>> => {
    // What the next edit there was planned on is nearer to it than what stands now.
    const next = nextAt(edit.path, journal.times[i] ?? 0, journals, edit);
    if (next === undefined) return tookPlace(edit, standing(edit.path), texts.recorded);
    const { before: sha } = next;
    return tookPlace(edit, { sha, text: () => (sha === null ? Promise.resolve(ok(undefined)) : texts.recorded(sha, edit.path)) }, texts.recorded);
  };
  for (const [i, edit] of journal.edits.entries()) {
    if (i < Math.max(journal.done, settled)) continue;
    const last = journal.edits[i - 1];
    if (!carried.has(edit)) {
      // One that only would have taken another back leaves that as it was: its words still stand.
      if (last === undefined || i - 1 < settled || carried.has(last) || edit.from !== undefined || !isInverse(last, edit)) continue;
      const back = await took(edit, i);
      if (!back.ok) return back;
      const stands = back.value ? ok(false) : await tookPlace(last, standing(last.path), texts.recorded);
      if (!stands.ok) return stands;
      if (stands.value) unseen.add(edit);
      continue;
    }
    if (edit.from !== undefined) {
      if (!live.manifest.has(edit.path) && live.manifest.has(edit.from)) unseen.add(edit);
      continue;
    }
    const itself = await took(edit, i);
    if (!itself.ok) return itself;
    if (!itself.value) unseen.add(edit);
  }
  return ok(unseen);
}

/** The first edit of a path that was recorded after a time. */
function nextAt(path: string, time: number, journals: readonly JournalState[], after: JournalEdit): JournalEdit | undefined {
  let best: { readonly edit: JournalEdit; readonly at: number } | undefined;
  for (const { edits, times } of journals) {
    const from = edits.indexOf(after);
    for (const [i, edit] of edits.entries()) {
      const at = times[i] ?? 0;
      const later = from >= 0 ? i > from : at > time;
      if (later && edit.path === path && (best === undefined || at < best.at)) best = { edit, at };
    }
  }
  return best?.edit;
}

/** Texts of a project, as the files show them; `undefined` where bytes are none. */
interface Texts {
  standing(path: string): Promise<Result<string | undefined>>;
  recorded(sha: string, path: string): Promise<Result<string | undefined>>;
}

function textsOf({ deps: { documents, objects } }: CheckpointRoom, live: LiveFiles): Texts {
  const textIn = async (path: string, bytes: Uint8Array): Promise<Result<string | undefined>> => {
    const text = await documents.decode(path, bytes);
    return text.ok || text.error.code !== 'doc.undecodable' ? text : ok(undefined);
  };
  return {
    async standing(path) {
      const bytes = await live.read(path);
      return bytes === undefined ? ok(undefined) : textIn(path, bytes);
    },
    async recorded(sha, path) {
      const bytes = await objects.get(sha);
      return bytes.ok ? textIn(path, bytes.value) : bytes;
    },
  };
}

/** The files as they would stand without these edits. What cannot be told apart counts as the agent's. */
async function without(room: CheckpointRoom, live: LiveFiles, edits: readonly JournalEdit[]): Promise<Result<Side>> {
  const { loaded } = live;
  if (edits.length === 0) return ok({ manifest: live.manifest, loaded, read: (path) => live.read(path) });
  const { documents } = room.deps;
  const texts = textsOf(room, live);
  const taken = await takeOut(edits, {
    standing: async (path): Promise<Result<StandingFile | undefined>> => {
      const sha = live.manifest.get(path);
      if (sha === undefined) return ok(undefined);
      const text = await texts.standing(path);
      return text.ok ? ok({ sha, ...(text.value === undefined ? {} : { text: text.value }) }) : text;
    },
    recorded: texts.recorded,
    force: true,
  });
  const base = await room.base();
  if (!base.ok) return base;
  const manifest = new Map(live.manifest);
  if (!taken.ok) {
    // What an edit recorded is gone: its files as a whole count as the agent's.
    room.deps.log.warn('edits of a turn cannot be told apart from the rest', { code: taken.error.code });
    for (const path of edits.flatMap((edit) => [edit.path, ...(edit.from === undefined ? [] : [edit.from])])) {
      const old = base.value.manifest.get(path);
      if (old === undefined) manifest.delete(path);
      else manifest.set(path, old);
    }
    return ok({ manifest, loaded, read: async (path) => (manifest.get(path) === live.manifest.get(path) ? live.read(path) : undefined) });
  }
  const bytesAt = new Map<string, Uint8Array>();
  for (const { was } of taken.value.files) if (was !== null) manifest.delete(was);
  for (const file of taken.value.files) {
    if (file.path === null) continue;
    if (file.sha !== undefined) {
      manifest.set(file.path, file.sha);
      const bytes = file.sha === live.manifest.get(file.was ?? '') && file.was !== null ? await live.read(file.was) : await objectBytes(room, file.sha);
      if (bytes !== undefined) bytesAt.set(file.path, bytes);
      continue;
    }
    const text = file.text ?? '';
    // A file that is nowhere now would come back as any new one does.
    const bytes = file.was === null ? ok(new TextEncoder().encode(text)) : await documents.encode(file.was, text);
    const old = base.value.manifest.get(file.path);
    if (bytes.ok) {
      manifest.set(file.path, sha256Hex(bytes.value));
      bytesAt.set(file.path, bytes.value);
    } else if (old !== undefined) manifest.set(file.path, old);
  }
  return ok({
    manifest,
    loaded,
    read: async (path) => bytesAt.get(path) ?? (manifest.get(path) === live.manifest.get(path) ? live.read(path) : undefined),
  });
}

async function objectBytes(room: CheckpointRoom, sha: string): Promise<Uint8Array | undefined> {
  const bytes = await room.deps.objects.get(sha);
  return bytes.ok ? bytes.value : undefined;
}
