/** Characters a spelled number may be made of, for use in a pattern. */
export const NUMERALS = '〇零一二两三四五六七八九十百\\d０-９';

const DIGITS: Readonly<Record<string, number>> = { 〇: 0, 零: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 };
const ENGLISH = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** `3`, `３`, `三`, `十二`, `一百零五`, `three` → the number; undefined for anything else. */
export function parseNumber(text: string): number | undefined {
  const plain = text.trim().toLowerCase().normalize('NFKC');
  if (/^\d+$/.test(plain)) return Number(plain);
  const english = ENGLISH.indexOf(plain);
  if (english !== -1) return english;
  if (plain === '') return undefined;
  let total = 0;
  let digit: number | undefined;
  for (const sign of plain) {
    if (sign === '百' || sign === '十') {
      total += (digit ?? 1) * (sign === '百' ? 100 : 10);
      digit = undefined;
      continue;
    }
    const value = DIGITS[sign];
    if (value === undefined) return undefined;
    digit = value === 0 ? undefined : value;
  }
  return total + (digit ?? 0);
}

/** 1 to 999 in Chinese, as chapter headings write it. */
export function chineseNumber(n: number): string {
  const signs = '零一二三四五六七八九';
  const sign = (digit: number): string => signs.charAt(digit);
  const hundreds = Math.floor(n / 100);
  const rest = n % 100;
  const tens = Math.floor(rest / 10);
  const ones = rest % 10;
  const head = hundreds === 0 ? '' : `${sign(hundreds)}百${rest > 0 && tens === 0 ? '零' : ''}`;
  const middle = tens === 0 ? '' : `${tens === 1 && hundreds === 0 ? '' : sign(tens)}十`;
  return head + middle + (ones === 0 ? '' : sign(ones));
}
