import { changedSentences, minimalChanges } from '../text/diff';
import type { Hunk } from '../text/diff-tokens';
import { sha256Hex } from '../text/hash';
import { invertEdit, reanchor, type ReanchorConflict } from '../text/reanchor';
import { applyChanges, type Change } from '../text/text-change';

/** One change of a proposal, as a person decides on it: whole sentences, or lines that come or go. */
export interface ProposedChange extends Hunk {
  /** Made of its words alone, so that it stays the same while others are decided. */
  readonly id: string;
  readonly old: string;
  readonly fresh: string;
}

/** The single changes between the text a proposal was made on and the proposed one, in order. */
export function changesBetween(base: string, text: string): readonly ProposedChange[] {
  const seen = new Map<string, number>();
  return changedSentences(base, text).map((hunk) => {
    const old = base.slice(hunk.aStart, hunk.aEnd);
    const fresh = text.slice(hunk.bStart, hunk.bEnd);
    const name = sha256Hex(`${old}\0${fresh}`).slice(0, 16);
    const nth = seen.get(name) ?? 0;
    seen.set(name, nth + 1);
    return { ...hunk, id: nth === 0 ? name : `${name}-${nth}`, old, fresh };
  });
}

/** A single change as small edits on the text it was made on: what is equal within its sentences is left alone. */
export function editsOf(change: ProposedChange): readonly Change[] {
  return minimalChanges(change.old, change.fresh).map(({ start, end, text }) => ({ start: start + change.aStart, end: end + change.aStart, text }));
}

/** The base once the change is accepted. */
export const withChange = (base: string, change: ProposedChange): string => base.slice(0, change.aStart) + change.fresh + base.slice(change.aEnd);

/** The proposed text once the change is rejected. */
export const withoutChange = (text: string, change: ProposedChange): string => text.slice(0, change.bStart) + change.old + text.slice(change.bEnd);

/** What an edit (`before` → `after`) makes of a text that differs from `before` here and there; where both changed the same words, the edit counts. */
export function follow(before: string, after: string, other: string): string {
  if (other === before) return after;
  return applyChanges(other, reanchor(before, other, minimalChanges(before, after), { force: true }).changes);
}

/** A text without an edit that it has grown from; words changed since stay. */
export function withoutEdit(before: string, after: string, text: string): string {
  if (text === after) return before;
  return applyChanges(text, invertEdit(before, after, text).changes);
}

export interface Rebased {
  /** The proposal's text on what stands there now; where both changed the same words, the author's stay. */
  readonly text: string;
  readonly conflicts: readonly ReanchorConflict[];
}

/** A proposal carried over to what stands in the file now. */
export function rebase(base: string, live: string, text: string): Rebased {
  if (base === live) return { text, conflicts: [] };
  const { changes, conflicts } = reanchor(base, live, minimalChanges(base, text));
  return { text: applyChanges(live, changes), conflicts };
}
