import type { TurnJournal } from '../manuscript/checkpoints';
import type { Documents, LiveText } from '../ports/documents';
import type { EngineError, Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { minimalChanges } from '../text/diff';
import { sha256Hex } from '../text/hash';
import { isOtherText } from '../text/other-text';
import { reanchor } from '../text/reanchor';
import { applyChanges, type Change } from '../text/text-change';
import { kindOf, type Proposal } from './proposal';

export interface CarryOutDeps {
  readonly documents: Documents;
  /** The journal of the turn that proposed it. */
  readonly journal: (proposal: Proposal) => TurnJournal;
}

/** A change of one file's text, planned on what stands there, each time it has changed. */
export interface TextWork {
  readonly proposal: Proposal;
  readonly path: string;
  plan(live: string): Result<readonly Change[]>;
}

const TRIES = 3;
const isPassing = ({ code }: EngineError): boolean => code === 'doc.changed' || code === 'doc.apply-rejected';
const conflict = (path: string): Result<never> => refuse('review.conflict', { path });

/** The whole of a changed text. `force`: where both changed the same words, the proposal's count. */
export function wholeText(proposal: Proposal, force: boolean): TextWork {
  const path = proposal.from ?? proposal.path;
  return {
    proposal,
    path,
    plan(live) {
      if (proposal.from === null) return force ? ok(minimalChanges(live, proposal.text ?? '')) : conflict(path);
      if (!force && isOtherText(proposal.base ?? '', live) && isOtherText(proposal.text ?? '', live)) return conflict(path);
      const { changes, conflicts } = reanchor(proposal.base ?? '', live, minimalChanges(proposal.base ?? '', proposal.text ?? ''), { force });
      return conflicts.length > 0 ? conflict(path) : ok(changes);
    },
  };
}

/** Changes texts in one edit over all files, or none; every edit is journalled for its turn before it is applied. */
export async function applyTexts(deps: CarryOutDeps, works: readonly TextWork[]): Promise<Result<void>> {
  for (let attempt = 1; ; attempt += 1) {
    const done = await applyOnce(deps, works);
    if (done.ok || attempt === TRIES || !isPassing(done.error)) return done;
  }
}

interface Ready {
  readonly work: TextWork;
  readonly live: LiveText;
  readonly changes: readonly Change[];
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

async function applyOnce({ documents, journal }: CarryOutDeps, works: readonly TextWork[]): Promise<Result<void>> {
  const ready: Ready[] = [];
  for (const work of works) {
    const live = await documents.read(work.path);
    if (!live.ok) return live;
    const changes = work.plan(live.value.text);
    if (!changes.ok) return changes;
    if (changes.value.length === 0) continue;
    const before = await documents.bytes(work.path);
    if (before === undefined) return refuse('doc.not-found', { path: work.path });
    const after = await documents.encode(work.path, applyChanges(live.value.text, changes.value));
    if (!after.ok) return after;
    ready.push({ work, live: live.value, changes: changes.value, before, after: after.value });
  }
  if (ready.length === 0) return ok(undefined);
  for (const { work, before, after } of ready) {
    const recorded = await journal(work.proposal).record({ path: work.path, before, after });
    if (!recorded.ok) return recorded;
  }
  const settled = async (): Promise<void> => {
    for (const one of new Set(ready.map(({ work }) => journal(work.proposal)))) await one.settled();
  };
  const applied = await documents.apply(ready.map(({ live, changes }) => ({ path: live.path, version: live.version, changes })));
  if (!applied.ok) {
    for (const { work, before, after } of [...ready].reverse()) await journal(work.proposal).record({ path: work.path, before: after, after: before });
    await settled();
    return applied;
  }
  for (const file of applied.value) {
    const asked = ready.find(({ live }) => live.path === file.path);
    if (asked === undefined || !file.changedOnSave) continue;
    const written = await documents.encode(file.path, file.text);
    if (!written.ok || Buffer.compare(written.value, asked.after) === 0) continue;
    const recorded = await journal(asked.work.proposal).record({ path: file.path, before: asked.after, after: written.value });
    if (!recorded.ok) return recorded;
  }
  await settled();
  return ok(undefined);
}

/** What is left of a proposal once its text stands: a new file, another name, a deletion. One step, journalled. */
export async function carryOutFile(deps: CarryOutDeps, proposal: Proposal, force: boolean): Promise<Result<void>> {
  switch (kindOf(proposal)) {
    case 'modify':
      return ok(undefined);
    case 'create':
      return create(deps, proposal);
    case 'rename':
      return rename(deps, proposal);
    case 'delete':
      return remove(deps, proposal, force);
  }
}

type Sides = Parameters<TurnJournal['record']>[0];

async function journalled(journal: TurnJournal, edit: Sides, back: Sides, run: () => Promise<Result<unknown>>): Promise<Result<void>> {
  const recorded = await journal.record(edit);
  if (!recorded.ok) return recorded;
  const done = await run();
  const undone = done.ok ? ok(undefined) : await journal.record(back);
  if (!undone.ok) return undone;
  await journal.settled();
  return done.ok ? ok(undefined) : done;
}

async function create({ documents, journal }: CarryOutDeps, proposal: Proposal): Promise<Result<void>> {
  const { path, text } = proposal;
  const after = new TextEncoder().encode(text ?? '');
  const made = await journalled(journal(proposal), { path, before: null, after }, { path, before: after, after: null }, () => documents.create(path, text ?? ''));
  return made.ok || made.error.code !== 'doc.exists' ? made : conflict(path);
}

async function rename({ documents, journal }: CarryOutDeps, proposal: Proposal): Promise<Result<void>> {
  const from = proposal.from ?? proposal.path;
  const to = proposal.path;
  const bytes = await documents.bytes(from);
  if (bytes === undefined) return conflict(from);
  return journalled(
    journal(proposal),
    { path: to, from, before: bytes, after: bytes },
    { path: from, from: to, before: bytes, after: bytes },
    () => documents.rename(from, to),
  );
}

async function remove({ documents, journal }: CarryOutDeps, proposal: Proposal, force: boolean): Promise<Result<void>> {
  const path = proposal.from ?? proposal.path;
  const bytes = await documents.bytes(path);
  if (bytes === undefined) return ok(undefined);
  const live = await documents.read(path);
  if (!force && (!live.ok || live.value.text !== proposal.base)) return conflict(path);
  return journalled(journal(proposal), { path, before: bytes, after: null }, { path, before: null, after: bytes }, () => documents.delete(path, sha256Hex(bytes)));
}
