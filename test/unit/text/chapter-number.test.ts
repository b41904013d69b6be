import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLabels, leadingNumber, secondNumber, withNumber } from '../../../src/engine/text/chapter-number';
import { numeralStyle, writeNumeral } from '../../../src/engine/text/chinese-numeral';
import { parseChineseNumeral } from '../../../src/engine/text/natural-order';

describe('Chinese numerals', () => {
  it.each([
    [0, '零'], [10, '十'], [12, '十二'], [20, '二十'], [21, '二十一'], [100, '一百'], [105, '一百零五'], [110, '一百一十'], [1001, '一千零一'],
    [1010, '一千零一十'], [3000, '三千'], [10_000, '一万'], [10_012, '一万零一十二'], [120_300, '十二万零三百'],
  ])('writes %i as %s', (n, text) => {
    expect(writeNumeral(n, 'chinese')).toBe(text);
  });

  it('writes other styles as they are used', () => {
    expect(writeNumeral(21, 'places')).toBe('二一');
    expect(writeNumeral(102, 'places')).toBe('一〇二');
    expect(writeNumeral(21, 'formal')).toBe('贰拾壹');
    expect(writeNumeral(7, 'arabic', 3)).toBe('007');
    expect(writeNumeral(12, 'full-width', 3)).toBe('０１２');
  });

  it('are read back as the number they say, in every style', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.constantFrom('chinese' as const, 'formal' as const, 'places' as const), (n, style) => {
        expect(parseChineseNumeral(writeNumeral(n, style))).toBe(String(n));
      }),
    );
  });

  it('are known by their style', () => {
    expect(['12', '１２', '十二', '一二', '一', '拾贰'].map(numeralStyle)).toEqual(['arabic', 'full-width', 'chinese', 'places', 'chinese', 'formal']);
  });
});

describe('the number of a name', () => {
  it.each([
    ['001-雨夜', [1]], ['001', [1]], ['12. 雨夜', [12]], ['003-2-雨夜', [3, 2]], ['第二十章 雨夜', [20]], ['第21章雨夜', [21]], ['第三回', [3]],
    ['第三章-2-雨夜', [3, 2]], ['Chapter 12: Rain', [12]], ['chapter-07', [7]], ['第一二章', [12]], ['０１２－雨', [12]],
  ])('%s', (name, label) => {
    expect(leadingNumber(name)?.label).toEqual(label);
  });

  it.each([['1984年的夏天'], ['序'], ['番外 第三章'], ['第一次相遇'], ['3D 打印']])('is not there in %s', (name) => {
    expect(leadingNumber(name)).toBeUndefined();
  });

  it('may be followed by 第N章', () => {
    expect(secondNumber('001-第十章 雨夜')?.label).toEqual([10]);
    expect(secondNumber('001-雨夜')).toBeUndefined();
  });
});

describe('another number in a name', () => {
  const renamed = (name: string, label: readonly number[]): string => {
    const mark = leadingNumber(name);
    return mark === undefined ? name : withNumber(name, mark, label);
  };
  it.each([
    ['第二十章 雨夜', [21], '第二十一章 雨夜'],
    ['第20章 雨夜', [21], '第21章 雨夜'],
    ['第一二章', [13], '第一三章'],
    ['009-雨夜', [10], '010-雨夜'],
    ['9-雨夜', [10], '10-雨夜'],
    ['99_雨夜', [100], '100_雨夜'],
    ['003-2-雨夜', [4], '004-雨夜'],
    ['004-雨夜', [3, 2], '003-2-雨夜'],
    ['第三章-2-雨夜', [4], '第四章-雨夜'],
    ['第四章 雨夜', [3, 2], '第三章-2 雨夜'],
    ['Chapter 12: Rain', [3], 'Chapter 3: Rain'],
    ['０１２－雨', [13], '０１３－雨'],
    ['第贰拾章', [21], '第贰拾壹章'],
  ])('%s → %j', (name, label, wanted) => {
    expect(renamed(name, label)).toBe(wanted);
  });
});

it('insertions stand behind what they were inserted after', () => {
  expect([[4], [3, 2], [3], [3, 2, 1]].sort(compareLabels)).toEqual([[3], [3, 2], [3, 2, 1], [4]]);
});
