import type { FileChange } from '../manuscript/checkpoints';
import type { AgentTexts } from './assets';
import { changedRanges, joinNear } from '../text/diff';
import type { Hunk } from '../text/diff-tokens';
import { fill } from './assets';

/** A changed file and what stood and stands in it; a side is absent when there is no file, or it is not text. */
export interface AuthorChange {
  readonly change: FileChange;
  readonly before?: string;
  readonly after?: string;
}

const MOST_FILES = 20;
const MOST_LINES = 40;
const LINE_CHARS = 120;
const AROUND = 24;
/** Changes in one line with no more between them are shown as one. */
const NEAR = 2 * AROUND;

/**
 * The short diff of 【作者的改动】: a line per file, and for changed ones what differs, character by character: each place with a little
 * around it, since a paragraph is one long line.
 */
export function renderAuthorChanges(changes: readonly AuthorChange[], texts: AgentTexts): string {
  const out: string[] = [texts.changes];
  let room = MOST_LINES;
  for (const { change, before, after } of changes.slice(0, MOST_FILES)) {
    out.push(headLine(change, texts));
    if (before === undefined || after === undefined) continue;
    const lines = changedLines(before, after);
    out.push(...lines.slice(0, room));
    if (lines.length > room) out.push(fill(texts.linesMore, { count: lines.length - room }));
    room = Math.max(0, room - lines.length);
  }
  if (changes.length > MOST_FILES) out.push(fill(texts.changesMore, { count: changes.length - MOST_FILES }));
  return out.join('\n');
}

/** A changed file in one line. */
export function headLine(change: FileChange, texts: AgentTexts): string {
  const values = { path: change.path, from: change.from ?? '', added: change.added, removed: change.removed };
  if (change.from !== undefined) return fill(texts.renamed, values);
  if (change.before === null) return fill(texts.added, values);
  if (change.after === null) return fill(texts.removed, values);
  return fill(texts.changed, values);
}

/** `- old` and `+ new` lines; lines of white space are left out. */
export function changedLines(before: string, after: string): readonly string[] {
  const out: string[] = [];
  for (const hunk of joinNear(before, changedRanges(before, after), NEAR)) {
    const [old, fresh] = sidesOf(before, after, hunk);
    for (let i = 0; i < Math.max(old.length, fresh.length); i += 1) {
      const was = old[i];
      const is = fresh[i];
      if (was === is) continue;
      if (was !== undefined && was.trim() !== '') out.push(`- ${clip(was)}`);
      if (is !== undefined && is.trim() !== '') out.push(`+ ${clip(is)}`);
    }
  }
  return out;
}

/** The lines of a changed place on both sides, with what stands around it in its own line. */
function sidesOf(before: string, after: string, hunk: Hunk): readonly [readonly string[], readonly string[]] {
  const old = before.slice(hunk.aStart, hunk.aEnd);
  const fresh = after.slice(hunk.bStart, hunk.bEnd);
  // Whole lines that came or went say enough by themselves.
  const ahead = startsLine(old) || startsLine(fresh) ? '' : lineBefore(before, hunk.aStart);
  const behind = endsLine(old) || endsLine(fresh) ? '' : lineBehind(before, hunk.aEnd);
  return [linesOf(ahead + old + behind), linesOf(ahead + fresh + behind)];
}

const startsLine = (text: string): boolean => /^\r?\n/.test(text);
const endsLine = (text: string): boolean => text.endsWith('\n');
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/^\r?\n|\r?\n$/g, '').split(/\r?\n/));

/** Up to `AROUND` characters of the line that stand before `at`. */
function lineBefore(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  if (at === 0 || at - start <= AROUND) return text.slice(at === 0 ? 0 : start, at);
  const from = at - AROUND;
  return `…${text.slice(isLowSurrogate(text, from) ? from - 1 : from, at)}`;
}

/** Up to `AROUND` characters of the line that stand from `at` on. */
function lineBehind(text: string, at: number): string {
  const found = text.slice(at, at + AROUND + 2).search(/\r?\n/);
  if (found >= 0 && found <= AROUND) return text.slice(at, at + found);
  if (text.length - at <= AROUND) return text.slice(at);
  const to = at + AROUND;
  return `${text.slice(at, isLowSurrogate(text, to) ? to - 1 : to)}…`;
}

function clip(line: string): string {
  if (line.length <= LINE_CHARS) return line;
  return `${line.slice(0, isLowSurrogate(line, LINE_CHARS) ? LINE_CHARS - 1 : LINE_CHARS)}…`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
