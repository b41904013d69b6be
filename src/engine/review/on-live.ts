import { changedRanges } from '../text/diff';
import { isOtherText } from '../text/other-text';
import { reanchor, type ReanchorConflict } from '../text/reanchor';
import { editsOf, follow, rebase, type ProposedChange } from './changes';
import { kindOf, type Proposal } from './proposal';
import { changesOf } from './state';

export interface OnLive {
  /** As if it had been made on what stands in the file now. Where both changed the same words, the author's stand. */
  readonly proposal: Proposal;
  readonly conflicts: readonly ReanchorConflict[];
}

/** A proposal carried over to the text that stands in its file now. */
export function onLive(proposal: Proposal, live: string): OnLive {
  const { base, text, agent } = proposal;
  if (base === null || base === live) return { proposal, conflicts: [] };
  if (text === null) return { proposal: { ...proposal, base: live }, conflicts: [{ index: 0, start: 0, end: live.length, found: live }] };
  // Another chapter bears the name by now.
  if (isOtherText(base, live) && isOtherText(text, live)) return { proposal: { ...proposal, base: live }, conflicts: [{ index: 0, start: 0, end: live.length, found: live }] };
  const { text: now, conflicts } = rebase(base, live, text);
  return { proposal: { ...proposal, base: live, text: now, agent: agent === text || agent === null ? now : follow(base, live, agent) }, conflicts };
}

/** One change and where it stands: in the proposed text, and in the file as it is now. */
export interface PlacedChange {
  readonly change: ProposedChange;
  readonly inFile: { readonly start: number; readonly end: number };
  readonly inText: { readonly start: number; readonly end: number };
  /** The author has changed the same words since. */
  readonly conflict: boolean;
}

/** A pending proposal as it is shown beside the file. */
export interface ProposalView {
  /** On what stands in the file, unless the two are at odds: then as it was made. */
  readonly proposal: Proposal;
  /** What stands in its file now; absent when it is not there (any more). */
  readonly live?: string;
  readonly changes: readonly PlacedChange[];
  /** It cannot be accepted as it is: the author changed the same words, or there is no such file any more, or there is one where none was. */
  readonly conflict: boolean;
}

export function viewOf(proposal: Proposal, live: string | undefined): ProposalView {
  if (proposal.from === null) return { proposal, changes: [], conflict: live !== undefined, ...(live === undefined ? {} : { live }) };
  if (live === undefined) return { proposal, changes: [], conflict: true };
  const carried = onLive(proposal, live);
  if (kindOf(proposal) === 'delete') return { proposal, live, changes: [], conflict: carried.conflicts.length > 0 };
  if (carried.conflicts.length === 0) {
    const changes = changesOf(carried.proposal).map((change) => placed(change, { start: change.aStart, end: change.aEnd }, false));
    return { proposal: carried.proposal, live, changes, conflict: false };
  }
  const base = proposal.base ?? '';
  const theirs = changedRanges(base, live);
  const now = (offset: number): number => {
    let shift = 0;
    for (const hunk of theirs) {
      if (hunk.aStart > offset || (hunk.aStart === offset && hunk.aEnd > offset)) break;
      if (hunk.aEnd > offset) return hunk.bStart;
      shift = hunk.bEnd - hunk.aEnd;
    }
    return offset + shift;
  };
  const changes = changesOf(proposal).map((change) => {
    const start = now(change.aStart);
    const at = { start, end: Math.max(start, now(change.aEnd)) };
    return placed(change, at, isOtherText(base, live) || reanchor(base, live, editsOf(change)).conflicts.length > 0);
  });
  return { proposal, live, changes, conflict: true };
}

const placed = (change: ProposedChange, inFile: PlacedChange['inFile'], conflict: boolean): PlacedChange => ({
  change,
  inFile,
  inText: { start: change.bStart, end: change.bEnd },
  conflict,
});
