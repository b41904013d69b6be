import { changedRanges, minimalChanges } from '../text/diff';
import { reanchor } from '../text/reanchor';
import type { Change } from '../text/text-change';
import { changesBetween, type ProposedChange } from './changes';

/** A place that an edit (`before` → `after`) changed, in the text as it stands now. */
export interface ChangedPlace {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** The edit of one place backwards, in offsets of `after`. */
const inverse = ({ fresh, old, bStart }: ProposedChange): readonly Change[] =>
  minimalChanges(fresh, old).map(({ start, end, text }) => ({ start: start + bStart, end: end + bStart, text }));

/** The places of an edit that still stand as it left them; those that the author has changed since are left out. */
export function placesOf(before: string, after: string, live: string): readonly ChangedPlace[] {
  const since = changedRanges(after, live);
  /** What is typed right at an end of a place stays outside of it. */
  const now = (offset: number, isEnd: boolean): number => {
    const last = since.findLast(({ aStart, aEnd }) => aEnd <= offset && (!isEnd || aStart < offset));
    return last === undefined ? offset : offset + last.bEnd - last.aEnd;
  };
  return changesBetween(before, after).flatMap((change) => {
    const touched = since.some(({ aStart, aEnd }) => aStart < change.bEnd && change.bStart < aEnd) || reanchor(after, live, inverse(change)).conflicts.length > 0;
    return touched ? [] : [{ id: change.id, start: now(change.bStart, false), end: now(change.bEnd, true) }];
  });
}

/** The changes that take one place back out of what stands there now; `undefined`: the author has changed it since, or there is no such place. */
export function undoPlace(before: string, after: string, live: string, id: string): readonly Change[] | undefined {
  const change = changesBetween(before, after).find((one) => one.id === id);
  if (change === undefined) return undefined;
  const { changes, conflicts } = reanchor(after, live, inverse(change));
  return conflicts.length > 0 ? undefined : changes;
}
