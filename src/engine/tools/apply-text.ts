import type { AppliedFile, LiveText, TextChange } from '../ports/documents';
import type { EngineError, Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { applyChanges } from '../text/text-change';
import type { Receipt, ToolContext } from './tool';

export type ToolError = EngineError & { readonly receipt?: Receipt };

/** What is to become of one file: worked out anew on the text that stands there, each time it has changed. */
export interface TextPlan<T> {
  readonly path: string;
  plan(live: LiveText): Result<{ readonly changes: readonly TextChange[]; readonly found: T }, ToolError>;
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
export async function applyPlans<T>(
  plans: readonly TextPlan<T>[],
  context: ToolContext,
): Promise<Result<readonly AppliedPlan<T>[], ToolError>> {
  for (let attempt = 1; ; attempt += 1) {
    const ready = await prepare(plans, context);
    if (!ready.ok) return ready;
    if (context.signal.aborted) return refuse('turn.aborted');
    const outcome = await apply(ready.value, context);
    if (outcome.ok || attempt === TRIES || !isPassing(outcome.error)) return outcome;
  }
}

function isPassing(error: EngineError): boolean {
  return error.code === 'doc.changed' || error.code === 'doc.apply-rejected';
}

interface Ready<T> {
  readonly live: LiveText;
  readonly changes: readonly TextChange[];
  readonly found: T;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

async function prepare<T>(plans: readonly TextPlan<T>[], context: ToolContext): Promise<Result<readonly Ready<T>[], ToolError>> {
  const ready: Ready<T>[] = [];
  for (const { path, plan } of plans) {
    const live = await context.documents.read(path);
    if (!live.ok) return live;
    const planned = plan(live.value);
    if (!planned.ok) return planned;
    const changes = planned.value.changes.filter((change) => change.start !== change.end || change.text !== '');
    const before = await context.documents.bytes(path);
    if (before === undefined) return refuse('doc.not-found', { path });
    const after = await context.documents.encode(path, applyChanges(live.value.text, changes));
    if (!after.ok) return after;
    ready.push({ live: live.value, changes, found: planned.value.found, before, after: after.value });
  }
  return ok(ready);
}

async function apply<T>(ready: readonly Ready<T>[], context: ToolContext): Promise<Result<readonly AppliedPlan<T>[], ToolError>> {
  const batch = ready.filter(({ changes }) => changes.length > 0);
  for (const [i, { live, before, after }] of batch.entries()) {
    const recorded = await context.journal.record({ path: live.path, before, after });
    if (recorded.ok) continue;
    await takeBack(batch.slice(0, i), context);
    return recorded;
  }
  const applied =
    batch.length === 0
      ? ok<readonly AppliedFile[]>([])
      : await context.documents.apply(batch.map(({ live, changes }) => ({ path: live.path, version: live.version, changes })));
  if (!applied.ok) {
    await takeBack(batch, context);
    return applied;
  }
  for (const file of applied.value) {
    const asked = batch.find(({ live }) => live.path === file.path);
    const recorded = asked === undefined ? ok(undefined) : await journalSaved(file, asked.after, context);
    if (!recorded.ok) return recorded;
  }
  if (batch.length > 0) await context.journal.settled();
  const byPath = new Map(applied.value.map((file) => [file.path, file]));
  return ok(
    ready.map(({ live, found }) => {
      const file = byPath.get(live.path);
      const text = file?.text ?? live.text;
      context.seen.note(live.path, text);
      return { path: live.path, found, before: live.text, text, ...(file === undefined ? {} : { applied: file }) };
    }),
  );
}

/** Journals that recorded edits did not take place after all, so that the author's next words are not taken for a change of them. */
async function takeBack<T>(batch: readonly Ready<T>[], context: ToolContext): Promise<void> {
  for (const { live, before, after } of [...batch].reverse()) {
    await context.journal.record({ path: live.path, before: after, after: before });
  }
  if (batch.length > 0) await context.journal.settled();
}

/** Journals what save participants made of what was asked for, so that it is the agent's too. */
export async function journalSaved(applied: AppliedFile, asked: Uint8Array, context: ToolContext): Promise<Result<void>> {
  if (!applied.changedOnSave) return ok(undefined);
  const written = await context.documents.encode(applied.path, applied.text);
  // What cannot be told any more counts as the author's.
  if (!written.ok || Buffer.compare(written.value, asked) === 0) return ok(undefined);
  return context.journal.record({ path: applied.path, before: asked, after: written.value });
}

/** What an applied file has to tell: save participants changed it, or it was not saved because the author has unsaved words in it. */
export function savedReceipt(applied: AppliedFile | undefined): Receipt {
  if (applied === undefined) return {};
  return { ...(applied.changedOnSave ? { changedOnSave: true } : {}), ...(applied.saved ? {} : { unsaved: true }) };
}
