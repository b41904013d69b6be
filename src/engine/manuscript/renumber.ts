import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { compareLabels, withNumber, type NumberMark } from '../text/chapter-number';
import { sortNatural } from '../text/natural-order';
import { foldedPath } from './names-on-disk';
import { byVolume, goesOnThrough, marksOf, type ChapterMarks, type NumberedChapter } from './numbering';

/** One chapter of a plan: its new path (the same when only the heading changes), and its heading's change. */
export interface ChapterMove {
  readonly from: string;
  readonly to: string;
  readonly heading?: { readonly from: string; readonly to: string };
}

/** Where a chapter is to stand: its path now, and the volume it will be in. */
export interface WantedPlace {
  readonly path: string;
  readonly volume: string;
}

/**
 * What has to be renamed for the chapters to stand in this order. `wanted` names every chapter once. `close`: numbers follow one another
 * without gaps and insertions (`003-2`); `keep`: the numbers there are change places, so that only the chapters in between are touched.
 * Numbers keep their style and padding; so do those of headings; chapters without a number keep their names. Only what changes is in the
 * plan, in the new order. Refuses `chapters.no-order` with the `{path}` of a chapter whose name does not let it stand there, and
 * `path.clash`.
 */
export function planOrder(folder: string, chapters: readonly NumberedChapter[], wanted: readonly WantedPlace[], how: 'close' | 'keep'): Result<readonly ChapterMove[]> {
  const now = chapters.map(marksOf);
  const byPath = new Map(now.map((one) => [one.chapter.path, one]));
  const next = wanted.flatMap(({ path, volume }) => {
    const marks = byPath.get(path);
    return marks === undefined ? [] : [{ marks, volume }];
  });
  const names = newLabels(now, next, ({ name }) => name, how);
  const headings = newLabels(now, next, ({ heading }) => heading, how);
  const moves = next.map(({ marks, volume }): ChapterMove => moveOf(folder, marks, volume, names.get(marks), headings.get(marks)));
  const clash = clashIn(moves);
  if (clash !== undefined) return refuse('path.clash', clash);
  const inOrder = sortNatural(moves, ({ to }) => to.slice(folder.length + 1));
  const astray = moves.findIndex((move, at) => move !== inOrder[at]);
  if (astray !== -1) return refuse('chapters.no-order', { path: (moves[astray] as ChapterMove).from });
  return ok(moves.filter(({ from, to, heading }) => from !== to || heading !== undefined));
}

interface Placed {
  readonly marks: ChapterMarks;
  readonly volume: string;
}

/** The new numbers of one kind (of names, or of headings), for those chapters that carry one. */
function newLabels(
  now: readonly ChapterMarks[],
  next: readonly Placed[],
  markOf: (marks: ChapterMarks) => NumberMark | undefined,
  how: 'close' | 'keep',
): ReadonlyMap<ChapterMarks, readonly number[]> {
  const through = goesOnThrough(now, markOf);
  const volumeNow = (marks: ChapterMarks): string => (through ? '' : marks.chapter.volume);
  const before = byVolume(now.filter((marks) => markOf(marks) !== undefined), volumeNow);
  const after = byVolume(next.filter(({ marks }) => markOf(marks) !== undefined), ({ volume }) => (through ? '' : volume));
  const labels = new Map<ChapterMarks, readonly number[]>();
  for (const [volume, placed] of after) {
    const there = (before.get(volume) ?? []).map((marks) => markOf(marks)?.label ?? []);
    const given = how === 'keep' ? kept(there, placed.length) : undefined;
    const first = there[0]?.[0] ?? 1;
    placed.forEach(({ marks }, at) => labels.set(marks, given?.[at] ?? [first + at]));
  }
  return labels;
}

/** The numbers there are, in order, cut or continued to `count`; `undefined` when one is there twice. */
function kept(there: readonly (readonly number[])[], count: number): readonly (readonly number[])[] | undefined {
  const sorted = [...there].sort(compareLabels);
  if (sorted.some((label, at) => at > 0 && compareLabels(sorted[at - 1] ?? [], label) === 0)) return undefined;
  const last = sorted.at(-1)?.[0] ?? 0;
  const more = Array.from({ length: Math.max(0, count - sorted.length) }, (_, at) => [last + at + 1]);
  return [...sorted, ...more].slice(0, count);
}

function moveOf(folder: string, marks: ChapterMarks, volume: string, name: readonly number[] | undefined, spoken: readonly number[] | undefined): ChapterMove {
  const { chapter, stem, extension } = marks;
  const second = marks.second === undefined ? undefined : secondLabel(marks, marks.second, name, spoken);
  // From the back, so that offsets in front stay right.
  const renamedSecond = marks.second === undefined || second === undefined ? stem : withNumber(stem, marks.second, second);
  const renamed = marks.name === undefined || name === undefined ? renamedSecond : withNumber(renamedSecond, marks.name, name);
  const to = [folder, ...(volume === '' ? [] : [volume]), `${renamed}${extension}`].join('/');
  const heading = marks.heading === undefined || spoken === undefined || chapter.heading === undefined ? undefined : withNumber(chapter.heading, marks.heading, spoken);
  return { from: chapter.path, to, ...(heading === undefined || heading === chapter.heading ? {} : { heading: { from: chapter.heading ?? '', to: heading } }) };
}

/** 第N章 in a name goes with the heading when both say the same, else with the name's own number when they do. */
function secondLabel(marks: ChapterMarks, second: NumberMark, name: readonly number[] | undefined, spoken: readonly number[] | undefined): readonly number[] | undefined {
  if (marks.heading !== undefined && compareLabels(marks.heading.label, second.label) === 0) return spoken;
  return marks.name?.label[0] === second.label[0] ? name : undefined;
}

function clashIn(moves: readonly ChapterMove[]): { readonly path: string; readonly other: string } | undefined {
  const seen = new Map<string, string>();
  for (const { from, to } of moves) {
    const other = seen.get(foldedPath(to));
    if (other !== undefined) return { path: from, other };
    seen.set(foldedPath(to), from);
  }
  return undefined;
}

/**
 * The order after `moved` chapters (in the order they stand in) have taken the place of `target`: behind it when they come from before it,
 * else before it. In the target's volume.
 */
export function placedAt(chapters: readonly NumberedChapter[], moved: readonly string[], target: string): readonly WantedPlace[] {
  const going = chapters.filter(({ path }) => moved.includes(path) && path !== target);
  const [first] = going;
  const at = chapters.find(({ path }) => path === target);
  if (first === undefined || at === undefined) return chapters.map(({ path, volume }) => ({ path, volume }));
  const behind = chapters.indexOf(first) < chapters.indexOf(at);
  const taken = going.map(({ path }) => ({ path, volume: at.volume }));
  return chapters
    .filter((one) => !going.includes(one))
    .flatMap(({ path, volume }) => (path !== target ? [{ path, volume }] : behind ? [{ path, volume }, ...taken] : [...taken, { path, volume }]));
}

/** The order after `moved` chapters have gone to the end of a volume. A volume without chapters stands where its name puts it. */
export function placedIn(folder: string, chapters: readonly NumberedChapter[], moved: readonly string[], volume: string): readonly WantedPlace[] {
  const going = chapters.filter(({ path }) => moved.includes(path));
  const staying = chapters.filter((one) => !going.includes(one));
  const last = staying.findLastIndex((one) => one.volume === volume);
  const end = last === -1 ? placeOfVolume(folder, staying, volume) : last + 1;
  const plain = ({ path, volume: own }: NumberedChapter): WantedPlace => ({ path, volume: own });
  return [...staying.slice(0, end).map(plain), ...going.map(({ path }) => ({ path, volume })), ...staying.slice(end).map(plain)];
}

function placeOfVolume(folder: string, chapters: readonly NumberedChapter[], volume: string): number {
  const probe = `${folder}/${volume}/\u0000`;
  return sortNatural([...chapters.map(({ path }) => path), probe], (path) => path.slice(folder.length + 1)).indexOf(probe);
}
