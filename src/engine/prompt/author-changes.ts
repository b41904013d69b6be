import type { FileChange } from '../manuscript/checkpoints';
import type { AgentTexts } from './assets';
import { diffLines, splitLines } from '../text/diff';
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

/** The short diff of 【作者的改动】: a line per file, and for changed ones the lines that differ, cut around the difference. */
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

function headLine(change: FileChange, texts: AgentTexts): string {
  const values = { path: change.path, from: change.from ?? '', added: change.added, removed: change.removed };
  if (change.from !== undefined) return fill(texts.renamed, values);
  if (change.before === null) return fill(texts.added, values);
  if (change.after === null) return fill(texts.removed, values);
  return fill(texts.changed, values);
}

/** `- old` and `+ new` lines; lines of white space are left out. */
function changedLines(before: string, after: string): readonly string[] {
  const old = splitLines(before);
  const fresh = splitLines(after);
  const out: string[] = [];
  for (const { aStart, aEnd, bStart, bEnd } of diffLines(before, after)) {
    for (let i = 0; i < Math.max(aEnd - aStart, bEnd - bStart); i += 1) {
      const [was, is] = cutToDifference(lineAt(old, aStart + i, aEnd), lineAt(fresh, bStart + i, bEnd));
      if (was !== undefined && was.trim() !== '') out.push(`- ${was}`);
      if (is !== undefined && is.trim() !== '') out.push(`+ ${is}`);
    }
  }
  return out;
}

function lineAt(lines: readonly string[], at: number, end: number): string | undefined {
  return at < end ? lines[at]?.replace(/\r?\n$/, '') : undefined;
}

/** Keeps what differs between two lines and a little around it. */
function cutToDifference(old: string | undefined, fresh: string | undefined): readonly [string | undefined, string | undefined] {
  if (old === undefined || fresh === undefined) {
    return [old === undefined ? undefined : clip(old, 0), fresh === undefined ? undefined : clip(fresh, 0)];
  }
  let same = 0;
  while (same < Math.min(old.length, fresh.length) && old[same] === fresh[same]) same += 1;
  const from = Math.max(0, same - AROUND);
  return [clip(old, from), clip(fresh, from)];
}

function clip(line: string, from: number): string {
  const start = isLowSurrogate(line, from) ? from - 1 : from;
  let end = Math.min(line.length, start + LINE_CHARS);
  if (isLowSurrogate(line, end)) end -= 1;
  return `${start > 0 ? '…' : ''}${line.slice(start, end)}${end < line.length ? '…' : ''}`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
