import type { ReviewNote } from '../review/proposal';
import type { ReviewNews } from '../review/review';
import type { AgentTexts } from './assets';
import { fill } from './assets';
import { changedLines } from './author-changes';

const MOST_FILES = 20;
const MOST_LINES = 40;

/** 【对提议的处理】: a line per file that says what the author accepted and rejected and what still waits; then what they made of the agent's words. */
export function renderReviewNews({ notes, pending }: ReviewNews, texts: AgentTexts): string {
  const out: string[] = [texts.review];
  const waiting = new Set(pending.map(({ path }) => path));
  const paths = [...new Set([...notes.map(({ path }) => path), ...waiting])];
  let room = MOST_LINES;
  for (const path of paths.slice(0, MOST_FILES)) {
    const own = notes.filter((note) => note.path === path);
    out.push(fill(texts.reviewLine, { path, what: whatCame(own, waiting.has(path), texts).join(texts.reviewJoin) }));
    const lines = own.flatMap((note) => linesOf(note, texts));
    out.push(...lines.slice(0, room));
    if (lines.length > room) out.push(fill(texts.linesMore, { count: lines.length - room }));
    room = Math.max(0, room - lines.length);
  }
  if (paths.length > MOST_FILES) out.push(fill(texts.changesMore, { count: paths.length - MOST_FILES }));
  return out.join('\n');
}

function whatCame(notes: readonly ReviewNote[], waits: boolean, texts: AgentTexts): readonly string[] {
  const of = (kind: ReviewNote['kind']): readonly ReviewNote[] => notes.filter((note) => note.kind === kind);
  const counted = (kind: 'accepted' | 'rejected', whole: string, some: string): readonly string[] => {
    const found = of(kind);
    if (found.length === 0) return [];
    return [found.some(({ count }) => count === undefined) ? whole : fill(some, { count: found.reduce((sum, { count = 0 }) => sum + count, 0) })];
  };
  return [
    ...counted('accepted', texts.reviewAccepted, texts.reviewAcceptedSome),
    ...counted('rejected', texts.reviewRejected, texts.reviewRejectedSome),
    ...(of('tweaked').length > 0 ? [texts.reviewTweaked] : []),
    ...(waits ? [texts.reviewWaits] : []),
  ];
}

function linesOf({ kind, before, after }: ReviewNote, texts: AgentTexts): readonly string[] {
  if (kind === 'tweaked') return changedLines(before ?? '', after ?? '');
  return kind === 'rejected' && before !== undefined ? [fill(texts.reviewQuote, { quote: before })] : [];
}
