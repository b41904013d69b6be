import type { NumeralStyle } from './chinese-numeral';
import { numeralStyle, readNumeral, writeNumeral } from './chinese-numeral';
import { CHINESE_NUMERAL } from './natural-order';

/** A number that a chapter's name or heading carries, and where it stands. UTF-16 offsets; `end` exclusive. */
export interface NumberMark {
  readonly start: number;
  readonly end: number;
  /** The number; what was inserted behind a chapter has more of them: `003-2` is `[3, 2]`. */
  readonly label: readonly number[];
  readonly style: NumeralStyle;
  /** Digits it is padded to; 0: not padded. */
  readonly width: number;
  /** What stands between the numbers of an inserted chapter. */
  readonly joint: string;
  /** 第N章 or Chapter N, rather than bare digits. */
  readonly spoken: boolean;
}

const digits = '[0-9０-９]+';
const bare = new RegExp(`^(${digits})((?:[-_.、]${digits})*)(?=[-_.、\\s—－:：]|$)`, 'u');
const ordinal = new RegExp(`^第[ \\t]*(${digits}|${CHINESE_NUMERAL})[ \\t]*[章回节節话話集]((?:[-_]${digits})*)(?![0-9０-９])`, 'u');
const english = new RegExp(`^(?:chapter|ch\\.?)[ _-]*(${digits})((?:[-_.]${digits})*)(?![0-9０-９])`, 'iu');

function markOf(match: RegExpExecArray | null, offset: number, spoken: boolean): NumberMark | undefined {
  const written = match?.[1];
  if (match === null || written === undefined) return undefined;
  const start = offset + match[0].indexOf(written);
  const style = numeralStyle(written);
  const more = match[2] ?? '';
  // What stands between the number and its insertions (`章` of 第三章-2) is not the number's own: those are numbers only when nothing does.
  const inserted = [...more.matchAll(new RegExp(digits, 'gu'))].map(([text]) => readNumeral(text));
  const end = inserted.length > 0 && !spoken ? offset + match[0].length : start + written.length;
  return {
    start,
    end,
    label: [readNumeral(written), ...inserted],
    style,
    width: (style === 'arabic' || style === 'full-width') && /^[0０]/.test(written) ? written.length : 0,
    joint: more === '' ? '-' : more.charAt(0),
    spoken,
  };
}

/** The number that a text begins with: bare digits before a separator, 第N章, or Chapter N. */
export function leadingNumber(text: string): NumberMark | undefined {
  return markOf(ordinal.exec(text), 0, true) ?? markOf(english.exec(text), 0, true) ?? markOf(bare.exec(text), 0, false);
}

/** 第N章 or Chapter N behind the leading digits of a file's name (`001-第一章 雨夜`). */
export function secondNumber(text: string): NumberMark | undefined {
  const first = leadingNumber(text);
  if (first === undefined || first.spoken) return undefined;
  const at = first.end + (/^[-_.、\s—－:：]*/u.exec(text.slice(first.end))?.[0].length ?? 0);
  const rest = text.slice(at);
  return markOf(ordinal.exec(rest), at, true) ?? markOf(english.exec(rest), at, true);
}

/** The text with another number in the place of the mark's, in its own style. */
export function withNumber(text: string, mark: NumberMark, label: readonly number[]): string {
  const [main = 0, ...inserted] = label;
  const head = writeNumeral(main, mark.style, mark.width);
  if (!mark.spoken) return text.slice(0, mark.start) + [head, ...inserted.map(String)].join(mark.joint) + text.slice(mark.end);
  // Behind 章 stands what was inserted: it goes, or comes, there.
  const behind = text.slice(mark.end);
  const unit = /^[ \t]*[章回节節话話集]?/u.exec(behind)?.[0] ?? '';
  const old = mark.label.length > 1 ? (new RegExp(`^(?:[-_.]${digits})+`, 'u').exec(behind.slice(unit.length))?.[0].length ?? 0) : 0;
  return text.slice(0, mark.start) + head + unit + inserted.map((n) => `${mark.joint}${n}`).join('') + behind.slice(unit.length + old);
}

/** The order of numbers: 3, 3-2, 4. */
export function compareLabels(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const order = (a[at] ?? 0) - (b[at] ?? 0);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
