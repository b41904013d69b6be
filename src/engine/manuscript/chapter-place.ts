import { compareLabels, leadingNumber, withNumber, type NumberMark } from '../text/chapter-number';
import { numeralStyle, readNumeral, writeNumeral } from '../text/chinese-numeral';
import { compareNatural } from '../text/natural-order';
import { goesOnThrough, marksOf, type ChapterMarks, type NumberedChapter } from './numbering';

/** The place of a chapter that is not written yet: what stands before and behind its title, in its path and in its heading. */
export interface ChapterPlace {
  readonly volume: string;
  /** With the folder and its number, up to the title: `正文/第二卷/009-`. */
  readonly pathHead: string;
  readonly extension: string;
  /** `第九章 `, or ''. */
  readonly headingHead: string;
  /** The number people call it by: the heading's, else the name's, else its place. */
  readonly number: number;
  /** Its number is one that stands between two others: later chapters keep theirs until they are renumbered. */
  readonly inserted: boolean;
}

const defaultMark: NumberMark = { start: 0, end: 3, label: [0], style: 'arabic', width: 3, joint: '-', spoken: false };

/**
 * Where a new chapter goes: behind `after` (the path of a chapter), else at the end of `volume`, else at the end of the manuscript. Named by
 * the pattern of its neighbours, padding kept.
 */
export function newChapterPlace(folder: string, chapters: readonly NumberedChapter[], where: { readonly after?: string; readonly volume?: string } = {}): ChapterPlace {
  const all = chapters.map(marksOf);
  const asked = all.findIndex(({ chapter }) => chapter.path === where.after);
  const inVolume = (one: ChapterMarks): boolean => where.volume === undefined || one.chapter.volume === where.volume;
  const before = asked !== -1 ? all[asked] : all.findLast(inVolume);
  const volume = before?.chapter.volume ?? where.volume ?? '';
  const model = before ?? modelFor(all, volume);
  const path = (name: string): string => [folder, ...(volume === '' ? [] : [volume]), name].join('/');
  const ordinal = (before === undefined ? all.length : all.indexOf(before) + 1) + 1;
  const extension = model?.extension === '' || model === undefined ? '.md' : model.extension;
  const heading = headingOfNext(all, before, model, volume);
  const name = model === undefined ? { mark: defaultMark, text: '000-' } : model.name === undefined ? undefined : { mark: model.name, text: headOf(model.stem, model.name) };
  if (name === undefined) return { volume, pathHead: path(''), extension, headingHead: heading.head, number: heading.number ?? ordinal, inserted: false };
  const { label, inserted } = nextLabel(all, before, volume);
  const renamed = withNumber(name.text, name.mark, label);
  const second = model?.second === undefined || heading.number === undefined ? '' : secondHead(model, model.second, heading.number);
  return { volume, pathHead: path(renamed + second), extension, headingHead: heading.head, number: heading.number ?? label[0] ?? ordinal, inserted };
}

/** A chapter of another volume that shows how names look, for a volume without chapters. */
function modelFor(all: readonly ChapterMarks[], volume: string): ChapterMarks | undefined {
  const earlier = all.filter(({ chapter }) => compareNatural(chapter.volume, volume) < 0);
  return earlier.findLast(({ name }) => name !== undefined) ?? all.find(({ name }) => name !== undefined) ?? all.at(-1);
}

/** The name up to its title: number, unit (章), separator. */
function headOf(text: string, mark: NumberMark): string {
  const behind = text.slice(mark.end);
  const rest = /^[ \t]*[章回节節话話集]?(?:[-_.][0-9０-９]+)*[-_.、\s—－:：]*/u.exec(behind)?.[0] ?? '';
  const bare = text.slice(0, mark.end) + rest;
  if (bare.length < text.length) return bare;
  // The name is its number alone.
  return /[-_.、\s—－:：]$/u.test(bare) ? bare : `${bare}${mark.spoken ? ' ' : '-'}`;
}

function secondHead(model: ChapterMarks, second: NumberMark, number: number): string {
  const at = second.start - (/第[ \t]*$|(?:chapter|ch\.?)[ _-]*$/iu.exec(model.stem.slice(0, second.start))?.[0].length ?? 0);
  const shifted = { ...second, start: second.start - at, end: second.end - at };
  return withNumber(headOf(model.stem.slice(at), shifted), shifted, [number]);
}

function nextLabel(all: readonly ChapterMarks[], before: ChapterMarks | undefined, volume: string): { readonly label: readonly number[]; readonly inserted: boolean } {
  const through = goesOnThrough(all, ({ name }) => name);
  const rivals = all.filter(({ chapter }) => through || chapter.volume === volume);
  const earlier = before === undefined ? rivals.filter(({ chapter }) => compareNatural(chapter.volume, volume) < 0) : rivals.slice(0, rivals.indexOf(before) + 1);
  const last = earlier.findLast(({ name }) => name !== undefined)?.name?.label;
  const next = rivals.slice(earlier.length).find(({ name }) => name !== undefined)?.name?.label;
  const following = [last === undefined ? (next?.[0] === undefined ? 1 : Math.max(0, next[0] - 1)) : (last[0] ?? 0) + 1];
  if (next === undefined || compareLabels(following, next) < 0) return { label: following, inserted: false };
  if (last === undefined) return { label: following, inserted: true };
  // Between 003 and 004: 003-2; between 003-2 and 003-3: 003-2-2.
  const sibling = last.length > 1 ? [...last.slice(0, -1), (last.at(-1) ?? 1) + 1] : [...last, 2];
  const between = [sibling, [...last, 2], [...last, 1], [...last, 0]].find((label) => compareLabels(label, next) < 0);
  return { label: between ?? [...last, 0, 1], inserted: true };
}

function headingOfNext(all: readonly ChapterMarks[], before: ChapterMarks | undefined, model: ChapterMarks | undefined, volume: string): { readonly head: string; readonly number?: number } {
  const through = goesOnThrough(all, ({ heading }) => heading);
  const end = before === undefined ? all.findLastIndex(({ chapter }) => compareNatural(chapter.volume, volume) < 0) : all.indexOf(before);
  const earlier = all.slice(0, end + 1).filter(({ chapter }) => through || chapter.volume === volume);
  const last = earlier.findLast(({ heading }) => heading !== undefined);
  const shape = last ?? (model?.heading === undefined ? undefined : model);
  if (shape?.heading === undefined || shape.chapter.heading === undefined) return { head: '' };
  const number = last === undefined ? 1 : (last.heading?.label[0] ?? 0) + 1;
  const text = shape.chapter.heading;
  return { head: withNumber(headOf(text, shape.heading), shape.heading, [number]), number };
}

/** The path for a title; what no file may be called is written as a space. */
export function pathOfPlace(place: Pick<ChapterPlace, 'pathHead' | 'extension'>, title: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is left out
  const name = title.replace(/[<>:"|?*\\/\u0000-\u001f\u007f]+/g, ' ').replace(/\s+/g, ' ').trim().replace(/[. ]+$/, '');
  const stem = `${place.pathHead}${name}`.replace(/[-_.、\s—－:：]+$/u, '');
  return `${stem}${place.extension}`;
}

const volumeName = /^(第[ \t]*)([0-9０-９]+|[零〇○一二两三四五六七八九十百千]+)([ \t]*[卷部篇集][ \t]*)/u;
const bareVolume = /^()([0-9]+)([-_.、 ]+)/;
const partName = /^((?:volume|vol\.?|book|part)[ _-]*)([0-9]+)([-_.: ]*)/iu;

/** What the name of one more volume begins with, as the last one's does. */
export function nextVolumeName(volumes: readonly string[], language: 'zh' | 'en'): string {
  const last = volumes.findLast((volume) => !volume.includes('/'));
  if (last === undefined) return language === 'zh' ? '第一卷 ' : 'Part 1 ';
  const match = volumeName.exec(last) ?? partName.exec(last) ?? bareVolume.exec(last);
  const written = match?.[2];
  if (match === null || written === undefined) return '';
  const style = numeralStyle(written);
  const n = readNumeral(written);
  const behind = match[3] ?? '';
  return `${match[1] ?? ''}${writeNumeral(n + 1, style, /^[0０]/.test(written) ? written.length : 0)}${behind === '' || /[卷部篇集]$/.test(behind) ? `${behind} ` : behind}`;
}

/** Number and title of a name or a heading apart, for renaming one of them. */
export function splitTitle(text: string): { readonly head: string; readonly title: string } {
  const mark = leadingNumber(text);
  if (mark === undefined) return { head: '', title: text };
  const head = headOf(text, mark);
  const second = mark.spoken ? undefined : leadingNumber(text.slice(head.length));
  const whole = second?.spoken === true ? head + headOf(text.slice(head.length), second) : head;
  return { head: whole, title: text.slice(whole.length) };
}
