import { ok, refuse, type Result } from '../ports/result';
import { nearestLine } from './nearest-line';
import { trimChange } from './text-change';

export interface QuoteEdit {
  /** Words that stand in the text exactly once. Line ends may be LF whatever the document has. */
  readonly old: string;
  /** Literal replacement. */
  readonly new: string;
}

/** How a quote was found: as it is, without white space around it, or with other forms of the same punctuation. */
export type MatchLevel = 'exact' | 'trimmed' | 'punctuation';

/** Where an edit applies: UTF-16 offsets into the text that was searched. */
export interface LocatedEdit {
  /** Place in the batch. */
  readonly index: number;
  readonly level: MatchLevel;
  /** The whole quote. */
  readonly quoteStart: number;
  readonly quoteEnd: number;
  /** The smallest change that does it; `start === end` and empty `text` when nothing changes. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One-to-one, so that offsets stay valid. */
const variants = new Map<string, string>();
for (const [form, others] of [
  ['"', '“”„‟「」『』｢｣﹁﹂﹃﹄〝〞＂'],
  ["'", '‘’‚‛＇'],
  ['-', '—–―‒‐‑－─﹣'],
  ['…', '⋯‥'],
  ['·', '・•‧･'],
  ['。', '．｡.'],
  ['、', '､'],
  ['~', '～〜'],
  [' ', '\u00a0\u3000\u2002\u2003\u2009'],
] as const) {
  for (const other of others) variants.set(other, form);
}
for (let code = 0xff01; code <= 0xff5e; code += 1) {
  const full = String.fromCharCode(code);
  if (!variants.has(full)) variants.set(full, String.fromCharCode(code - 0xfee0));
}
const variantPattern = new RegExp(`[${[...variants.keys()].map((char) => (char === '-' ? '\\-' : char)).join('')}]`, 'g');

const unifyPunctuation = (text: string): string => text.replace(variantPattern, (char) => variants.get(char) ?? char);

const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;
const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** All places where `quote` begins, overlapping ones too; never in the middle of a surrogate pair. */
function findAll(text: string, quote: string): number[] {
  const hits: number[] = [];
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) {
    const end = at + quote.length;
    const splitsStart = isLow(text.charCodeAt(at)) && at > 0 && isHigh(text.charCodeAt(at - 1));
    const splitsEnd = isHigh(text.charCodeAt(end - 1)) && end < text.length && isLow(text.charCodeAt(end));
    if (!splitsStart && !splitsEnd) hits.push(at);
  }
  return hits;
}

interface Searchable {
  /** With LF line ends; same length as `unified`. */
  readonly plain: string;
  unified(): string;
  /** Offset in `plain` → offset in the document. */
  toDocument(offset: number): number;
  readonly eol: '\n' | '\r\n';
}

function searchable(text: string): Searchable {
  const breaks: number[] = [];
  let plain = text;
  if (text.includes('\r\n')) {
    for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2)) breaks.push(at - breaks.length);
    plain = text.replaceAll('\r\n', '\n');
  }
  let unified: string | undefined;
  let lineFeeds = 0;
  if (breaks.length > 0) for (let at = plain.indexOf('\n'); at !== -1; at = plain.indexOf('\n', at + 1)) lineFeeds += 1;
  return {
    plain,
    unified: () => (unified ??= unifyPunctuation(plain)),
    toDocument: (offset) => offset + countBelow(breaks, offset),
    eol: breaks.length * 2 > lineFeeds ? '\r\n' : '\n',
  };
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Hit {
  readonly level: MatchLevel;
  readonly quote: string;
  readonly at: readonly number[];
  readonly replacement: string;
}

/** What was cut off the quote is cut off the replacement as well, where it has the same. */
function trimAlike(old: string, replacement: string): { readonly quote: string; readonly replacement: string } {
  const lead = old.slice(0, old.length - old.trimStart().length);
  const tail = old.slice(old.trimEnd().length);
  let kept = replacement;
  if (lead !== '' && kept.startsWith(lead)) kept = kept.slice(lead.length);
  if (tail !== '' && kept.endsWith(tail)) kept = kept.slice(0, kept.length - tail.length);
  return { quote: old.trim(), replacement: kept };
}

function find(where: Searchable, old: string, replacement: string): Hit | undefined {
  const trimmed = trimAlike(old, replacement);
  const attempts: { level: MatchLevel; quote: string; replacement: string; unified: boolean }[] = [
    { level: 'exact', quote: old, replacement, unified: false },
  ];
  if (trimmed.quote !== '') {
    if (trimmed.quote !== old) attempts.push({ level: 'trimmed', ...trimmed, unified: false });
    attempts.push({ level: 'punctuation', quote: old, replacement, unified: true });
    if (trimmed.quote !== old) attempts.push({ level: 'punctuation', ...trimmed, unified: true });
  }
  for (const attempt of attempts) {
    const at = attempt.unified ? findAll(where.unified(), unifyPunctuation(attempt.quote)) : findAll(where.plain, attempt.quote);
    if (at.length > 0) return { level: attempt.level, quote: attempt.quote, at, replacement: attempt.replacement };
  }
  return undefined;
}

const shorten = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length)}…`);

/** `line: …words around…`, a line per hit, at most five. */
function places(plain: string, hit: Hit): string {
  const shown = hit.at.slice(0, 5).map((at) => {
    const around = plain.slice(Math.max(0, at - 12), at + hit.quote.length + 12).replace(/\n/g, '⏎');
    return `${lineOf(plain, at)}: …${shorten(around, 80)}…`;
  });
  if (hit.at.length > shown.length) shown.push('…');
  return shown.join('\n');
}

/** The line an offset is on, from 1. */
function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/**
 * Finds every quote of a batch in one text, each of which must stand there exactly once (turns.md, `edit`): exact, then
 * trimmed, then one-to-one variants of punctuation, each level only if the one before found nothing. All or nothing. Sorted by
 * place. `new` is literal and gets the document's line ends.
 *
 * Refuses (with `index` of the edit, from 0): `edit.empty-batch`; `edit.empty-old`; `edit.many-matches` `{quote, count, where}`;
 * `edit.no-match` `{quote, line, nearest}` (`line` 0 when the text has no words); `edit.overlap` `{index, other, line}`.
 */
export function locateQuotes(text: string, edits: readonly QuoteEdit[]): Result<readonly LocatedEdit[]> {
  if (edits.length === 0) return refuse('edit.empty-batch');
  const where = searchable(text);
  const located: LocatedEdit[] = [];
  for (const [index, edit] of edits.entries()) {
    const old = edit.old.replaceAll('\r\n', '\n');
    if (old === '') return refuse('edit.empty-old', { index });
    const hit = find(where, old, edit.new.replaceAll('\r\n', '\n'));
    if (hit === undefined) {
      const nearest = nearestLine(where.plain, old);
      return refuse('edit.no-match', { index, quote: shorten(old, 80), line: nearest?.line ?? 0, nearest: shorten(nearest?.text ?? '', 200) });
    }
    if (hit.at.length > 1) {
      return refuse('edit.many-matches', { index, quote: shorten(old, 80), count: hit.at.length, where: places(where.plain, hit) });
    }
    const at = hit.at[0] as number;
    const quoteStart = where.toDocument(at);
    const quoteEnd = where.toDocument(at + hit.quote.length);
    const replacement = where.eol === '\r\n' ? hit.replacement.replaceAll('\n', '\r\n') : hit.replacement;
    located.push({ index, level: hit.level, quoteStart, quoteEnd, ...trimChange(text, { start: quoteStart, end: quoteEnd, text: replacement }) });
  }
  located.sort((a, b) => a.quoteStart - b.quoteStart || a.quoteEnd - b.quoteEnd);
  for (let at = 1; at < located.length; at += 1) {
    const left = located[at - 1] as LocatedEdit;
    const right = located[at] as LocatedEdit;
    if (right.quoteStart < left.quoteEnd) {
      return refuse('edit.overlap', {
        index: Math.max(left.index, right.index),
        other: Math.min(left.index, right.index),
        line: lineOf(text, right.quoteStart),
      });
    }
  }
  return ok(located);
}
