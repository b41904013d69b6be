/** One comparable piece of a name: a character, or a number in normal form (decimal, no leading zeros). */
type Piece = { readonly code: number; readonly value?: string };

/** Where all numbers stand among characters: no other piece has the code of a digit. */
const numberCode = 0x30;

const digitRun = /[0-9０-９]+/y;
/** A numeral that `parseChineseNumeral` reads, as part of a pattern. */
export const CHINESE_NUMERAL = '[零〇○一二两三四五六七八九十百千万萬壹贰貳叁參肆伍陆陸柒捌玖拾佰仟廿卅卌]+';
const ordinal = new RegExp(`第(${CHINESE_NUMERAL})(?=[章回节節卷部])`, 'y');
const knownExtension = /\.(?:md|txt|json|ya?ml)$/i;
/** After `001-` or `第一章-`, a number means "inserted later" and stands behind any name. */
const separators = new Set(['-', '_', '.', '、', ' ', '　', '—', '－'].map((mark) => mark.charCodeAt(0)));
const ordinalEnds = new Set(['章', '回', '节', '節', '卷', '部'].map((mark) => mark.charCodeAt(0)));

const numerals: Readonly<Record<string, number>> = {
  零: 0, 〇: 0, '○': 0, 一: 1, 壹: 1, 二: 2, 两: 2, 贰: 2, 貳: 2, 三: 3, 叁: 3, 參: 3, 四: 4, 肆: 4, 五: 5, 伍: 5,
  六: 6, 陆: 6, 陸: 6, 七: 7, 柒: 7, 八: 8, 捌: 8, 九: 9, 玖: 9,
};
const units: Readonly<Record<string, number>> = { 十: 10, 拾: 10, 百: 100, 佰: 100, 千: 1000, 仟: 1000 };
const tens: Readonly<Record<string, number>> = { 廿: 20, 卅: 30, 卌: 40 };

/** Reads a Chinese numeral, by value (一百零二) or by place (一〇二), as a decimal string without leading zeros. */
export function parseChineseNumeral(text: string): string {
  if (![...text].some((char) => units[char] !== undefined || tens[char] !== undefined || char === '万' || char === '萬')) {
    return stripZeros([...text].map((char) => String(numerals[char] ?? 0)).join(''));
  }
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  for (const char of text) {
    const unit = units[char];
    if (numerals[char] !== undefined) digit = numerals[char];
    else if (tens[char] !== undefined) section += tens[char];
    else if (unit !== undefined) {
      section += (digit ?? 1) * unit;
      digit = undefined;
    } else {
      total += (section + (digit ?? 0) || 1) * 10_000;
      section = 0;
      digit = undefined;
    }
  }
  return String(total + section + (digit ?? 0));
}

/** Full-width digits as plain ones. */
export const asciiDigits = (text: string): string => text.replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));

const stripZeros = (digits: string): string => digits.replace(/^0+(?=.)/, '');

function pieces(name: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  while (at < name.length) {
    digitRun.lastIndex = at;
    const run = digitRun.exec(name);
    if (run !== null) {
      found.push({ code: numberCode, value: stripZeros(asciiDigits(run[0])) });
      at = digitRun.lastIndex;
      continue;
    }
    ordinal.lastIndex = at;
    const numeral = ordinal.exec(name)?.[1];
    found.push({ code: name.charCodeAt(at) });
    at += 1;
    if (numeral !== undefined) {
      found.push({ code: numberCode, value: parseChineseNumeral(numeral) });
      at += numeral.length;
    }
  }
  return found;
}

interface PartKey {
  readonly raw: string;
  readonly stem: readonly Piece[];
}

/** A path made ready for comparing many times. */
export type NaturalKey = readonly PartKey[];

export function naturalKey(path: string): NaturalKey {
  const parts = path.split('/');
  return parts.map((raw, index) => ({ raw, stem: pieces(index === parts.length - 1 ? raw.replace(knownExtension, '') : raw) }));
}

const compareUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const compareNumbers = (a: string, b: string): number => a.length - b.length || compareUnits(a, b);

function followsNumberAndSeparator(stem: readonly Piece[], at: number): boolean {
  const mark = stem[at - 1];
  const before = stem[at - 2];
  if (mark === undefined || before === undefined || !separators.has(mark.code)) return false;
  return before.value !== undefined || (ordinalEnds.has(before.code) && stem[at - 3]?.value !== undefined);
}

function compareParts(a: PartKey, b: PartKey): number {
  const shared = Math.min(a.stem.length, b.stem.length);
  for (let at = 0; at < shared; at += 1) {
    const left = a.stem[at] as Piece;
    const right = b.stem[at] as Piece;
    if (left.value !== undefined && right.value !== undefined) {
      const order = compareNumbers(left.value, right.value);
      if (order !== 0) return order;
    } else if (left.code !== right.code) {
      if (left.value !== undefined && followsNumberAndSeparator(a.stem, at)) return 1;
      if (right.value !== undefined && followsNumberAndSeparator(b.stem, at)) return -1;
      return left.code - right.code;
    }
  }
  return a.stem.length - b.stem.length || compareUnits(a.raw, b.raw);
}

/** `compareNatural` on keys made beforehand. */
export function compareNaturalKeys(a: NaturalKey, b: NaturalKey): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const order = compareParts(a[at] as PartKey, b[at] as PartKey);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/**
 * The order of chapters (formats.md, Chapters): part by part; digit runs (full-width ones too) compare as numbers, so do Chinese
 * numerals between 第 and 章/回/节/卷/部; the rest by code unit; ties by code unit. The file's extension does not take part, and a
 * number right behind `<number><separator>` stands after names there, so that `001-2-…` follows `001-…`. A total order.
 */
export function compareNatural(a: string, b: string): number {
  return a === b ? 0 : compareNaturalKeys(naturalKey(a), naturalKey(b));
}

/** A sorted copy, each path taken apart once. */
export function sortNatural<T>(items: readonly T[], path: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, key: naturalKey(path(item)) }))
    .sort((a, b) => compareNaturalKeys(a.key, b.key))
    .map(({ item }) => item);
}
