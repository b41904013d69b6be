import type { AppliedFile, Documents, LiveText, TextChange } from '../ports/documents';
import type { EngineError, Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { applyChanges } from '../text/text-change';
import type { TurnJournal } from './checkpoints';

/** What is to become of one file: worked out anew on the text that stands there, each time it has changed. */
export interface JournalledPlan<T, E extends EngineError = EngineError> {
  readonly path: string;
  /** Of the turn whose edit it is. */
  readonly journal: TurnJournal;
  plan(live: LiveText): Result<{ readonly changes: readonly TextChange[]; readonly found: T }, E>;
}

export interface AppliedPlan<T> {
  readonly path: string;
  readonly found: T;
  /** Absent when there was nothing to change. */
  readonly applied?: AppliedFile;
  /** What stood there before, and what stands there now. */
  readonly before: string;
  readonly text: string;
}

const TRIES = 3;

/**
 * Changes live texts, all files or none. Every edit is journalled before it is applied; when the author typed in between,
 * it is read and worked out again, at most three times. Nothing of the author's is ever overwritten.
 */
export async function applyTexts<T, E extends EngineError = EngineError>(
  documents: Documents,
  plans: readonly JournalledPlan<T, E>[],
  signal?: AbortSignal,
): Promise<Result<readonly AppliedPlan<T>[], E | EngineError>> {
  for (let attempt = 1; ; attempt += 1) {
    const ready = await prepare(documents, plans);
    if (!ready.ok) return ready;
    if (signal?.aborted === true) return refuse('turn.aborted');
    const outcome = await apply(documents, ready.value);
    if (outcome.ok || attempt === TRIES || !isPassing(outcome.error)) return outcome;
  }
}

function isPassing(error: EngineError): boolean {
  return error.code === 'doc.changed' || error.code === 'doc.apply-rejected';
}

interface Ready<T> {
  readonly live: LiveText;
  readonly journal: TurnJournal;
  readonly changes: readonly TextChange[];
  readonly found: T;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

async function prepare<T, E extends EngineError>(documents: Documents, plans: readonly JournalledPlan<T, E>[]): Promise<Result<readonly Ready<T>[], E | EngineError>> {
  const ready: Ready<T>[] = [];
  for (const { path, journal, plan } of plans) {
    const live = await documents.read(path);
    if (!live.ok) return live;
    const planned = plan(live.value);
    if (!planned.ok) return planned;
    const changes = planned.value.changes.filter((change) => change.start !== change.end || change.text !== '');
    const before = await documents.bytes(path);
    if (before === undefined) return refuse('doc.not-found', { path });
    const after = await documents.encode(path, applyChanges(live.value.text, changes));
    if (!after.ok) return after;
    ready.push({ live: live.value, journal, changes, found: planned.value.found, before, after: after.value });
  }
  return ok(ready);
}

async function apply<T>(documents: Documents, ready: readonly Ready<T>[]): Promise<Result<readonly AppliedPlan<T>[]>> {
  const batch = ready.filter(({ changes }) => changes.length > 0);
  for (const [i, { live, journal, before, after }] of batch.entries()) {
    const recorded = await journal.record({ path: live.path, before, after });
    if (recorded.ok) continue;
    await takeBack(batch.slice(0, i));
    return recorded;
  }
  const applied =
    batch.length === 0
      ? ok<readonly AppliedFile[]>([])
      : await documents.apply(batch.map(({ live, changes }) => ({ path: live.path, version: live.version, changes })));
  if (!applied.ok) {
    await takeBack(batch);
    return applied;
  }
  for (const file of applied.value) {
    const asked = batch.find(({ live }) => live.path === file.path);
    // The text stands: what cannot be journalled of it any more counts as the author's, and a refusal would have it changed once more.
    if (asked !== undefined) await journalSaved(documents, asked.journal, file, asked.after);
  }
  await settle(batch);
  const byPath = new Map(applied.value.map((file) => [file.path, file]));
  return ok(
    ready.map(({ live, found }) => {
      const file = byPath.get(live.path);
      return { path: live.path, found, before: live.text, text: file?.text ?? live.text, ...(file === undefined ? {} : { applied: file }) };
    }),
  );
}

/** Journals that recorded edits did not take place after all, so that the author's next words are not taken for a change of them. */
async function takeBack<T>(batch: readonly Ready<T>[]): Promise<void> {
  for (const { live, journal, before, after } of [...batch].reverse()) {
    await journal.record({ path: live.path, before: after, after: before });
  }
  await settle(batch);
}

async function settle<T>(batch: readonly Ready<T>[]): Promise<void> {
  for (const journal of new Set(batch.map((one) => one.journal))) await journal.settled();
}

/** Journals what save participants made of what was asked for, so that it is the agent's too. */
export async function journalSaved(documents: Documents, journal: TurnJournal, applied: AppliedFile, asked: Uint8Array): Promise<Result<void>> {
  if (!applied.changedOnSave) return ok(undefined);
  const written = await documents.encode(applied.path, applied.text);
  // What cannot be told any more counts as the author's.
  if (!written.ok || Buffer.compare(written.value, asked) === 0) return ok(undefined);
  return journal.record({ path: applied.path, before: asked, after: written.value });
}
