import { asciiDigits, parseChineseNumeral } from './natural-order';

/** How a chapter's number is written: 12, １２, 十二, 一二, 拾贰. */
export type NumeralStyle = 'arabic' | 'full-width' | 'chinese' | 'places' | 'formal';

const plain = '零一二三四五六七八九';
const formal = '零壹贰叁肆伍陆柒捌玖';
const smallUnits = { plain: ['', '十', '百', '千'], formal: ['', '拾', '佰', '仟'] } as const;

/** The style of a numeral as written: of places (一〇二) when it has several signs and no unit among them. */
export function numeralStyle(written: string): NumeralStyle {
  if (/^[0-9]+$/.test(written)) return 'arabic';
  if (/^[0-9０-９]+$/.test(written)) return 'full-width';
  if (/[壹贰貳叁參肆伍陆陸柒捌玖拾佰仟]/.test(written)) return 'formal';
  return [...written].length > 1 && !/[十百千万萬廿卅卌]/.test(written) ? 'places' : 'chinese';
}

/** The number that a numeral in any of the styles says. */
export function readNumeral(written: string): number {
  const ascii = asciiDigits(written);
  return Number(/^[0-9]+$/.test(ascii) ? ascii : parseChineseNumeral(written));
}

/** A number from 0 to 99,999,999 in a style; digits are padded with zeros to `width`. */
export function writeNumeral(n: number, style: NumeralStyle, width = 0): string {
  const digits = String(n);
  switch (style) {
    case 'arabic':
      return digits.padStart(width, '0');
    case 'full-width':
      return digits.padStart(width, '0').replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
    case 'places':
      return [...digits].map((digit) => (digit === '0' ? '〇' : plain.charAt(Number(digit)))).join('');
    case 'chinese':
      return spelled(n, plain, smallUnits.plain);
    case 'formal':
      return spelled(n, formal, smallUnits.formal);
  }
}

function spelled(n: number, signs: string, units: readonly string[]): string {
  if (n === 0) return signs.charAt(0);
  const [zero = ''] = signs;
  const tens = Math.floor(n / 10_000);
  const rest = n % 10_000;
  if (tens === 0) return section(rest, signs, units, true);
  const low = rest === 0 ? '' : `${rest < 1_000 ? zero : ''}${section(rest, signs, units, false)}`;
  return `${section(tens, signs, units, true)}万${low}`;
}

/** 1 to 9,999. `short`: ten is 十, not 一十, at the head. */
function section(n: number, signs: string, units: readonly string[], short: boolean): string {
  let text = '';
  let gap = false;
  const digits = [...String(n)].map(Number);
  digits.forEach((digit, at) => {
    const place = digits.length - 1 - at;
    if (digit === 0) {
      gap = text !== '';
      return;
    }
    const one = digit === 1 && place === 1 && at === 0 && short ? '' : signs.charAt(digit);
    text += `${gap ? signs.charAt(0) : ''}${one}${units[place] ?? ''}`;
    gap = false;
  });
  return text;
}
