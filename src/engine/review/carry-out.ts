import { applyTexts, type JournalledPlan } from '../manuscript/apply-texts';
import type { TurnJournal } from '../manuscript/checkpoints';
import type { Documents } from '../ports/documents';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { minimalChanges } from '../text/diff';
import { sha256Hex } from '../text/hash';
import { isOtherText } from '../text/other-text';
import { reanchor } from '../text/reanchor';
import type { Change } from '../text/text-change';
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

/** Changes texts in one edit over all files, or none; every edit is its own turn's. */
export async function applyWorks({ documents, journal }: CarryOutDeps, works: readonly TextWork[]): Promise<Result<void>> {
  const plans = works.map(({ proposal, path, plan }): JournalledPlan<undefined> => ({
    path,
    journal: journal(proposal),
    plan(live) {
      const changes = plan(live.text);
      return changes.ok ? ok({ changes: changes.value, found: undefined }) : changes;
    },
  }));
  const applied = await applyTexts(documents, plans);
  return applied.ok ? ok(undefined) : applied;
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
