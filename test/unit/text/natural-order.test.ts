import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareNatural, parseChineseNumeral, sortNatural } from '../../../src/engine/text/natural-order';

const sorted = (paths: readonly string[]): string[] => sortNatural([...paths].reverse(), (path) => path);

describe('the order of chapters', () => {
  it.each<[string, string[]]>([
    ['digit runs compare as numbers', ['1-a.md', '2-a.md', '10-a.md', '100-a.md']],
    ['leading zeros only break ties', ['001.md', '01.md', '1.md', '2.md', '010.md']],
    ['full-width digits are digits', ['１.md', '2.md', '１０.md']],
    ['Chinese numerals of chapters', ['第一章.md', '第二章.md', '第九章.md', '第十章.md', '第十一章.md', '第二十章.md', '第一百零三章.md', '第一千章.md']],
    ['by place as well as by value', ['第九九章.md', '第一〇〇章.md', '第一百零一章.md', '第一〇二章.md']],
    ['a chapter number in digits stands among the others', ['第一章.md', '第2章.md', '第三章.md']],
    ['两, 廿, 卅 and 万', ['第两章.md', '第十九章.md', '第廿章.md', '第廿一章.md', '第卅章.md', '第一万零一章.md']],
    ['volumes by their numerals, chapters inside', ['第一卷/第二章.md', '第一卷/第十章.md', '第二卷/第一章.md', '第十卷/第一章.md']],
    ['回, 节, 部', ['第二回.md', '第十回.md', '第二节.md', '第十节.md', '第二部.md', '第十部.md'].sort((a, b) => compareNatural(a, b))],
    ['numerals elsewhere are only characters', ['七.md', '三.md', '二.md']],
    ['an inserted chapter follows the one it names', ['001-雨夜.md', '001-2-客栈.md', '001-10-后门.md', '002-刀.md']],
    ['an inserted chapter follows a bare number', ['001.md', '001-2.md', '002.md']],
    ['an inserted chapter follows 第一章', ['第一章-雨夜.md', '第一章-2-客栈.md', '第二章.md']],
    ['the extension takes no part', ['第一章.md', '第一章 续.md', '第二章.md']],
    ['numbers before names', ['1.md', 'a.md', '序章.md']],
    ['a folder keeps its files together, even beside its twin', ['01/b.md', '01/z.md', '1/a.md']],
    ['very long numbers', ['99999999999999999999.md', '100000000000000000000.md']],
  ])('%s', (_, paths) => {
    expect(sorted(paths)).toEqual(paths);
  });

  it('is a total order over any names', () => {
    const part = fc.array(fc.constantFrom('第', '一', '十', '二', '章', '卷', '-', '0', '1', '12', '２', 'a', '雨', '.', ' ', '/', '.md'), { maxLength: 6 });
    const name = part.map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(name, name, name, (a, b, c) => {
        expect(Math.sign(compareNatural(a, b))).toBe(-Math.sign(compareNatural(b, a)) + 0);
        expect(compareNatural(a, b) === 0).toBe(a === b);
        if (compareNatural(a, b) <= 0 && compareNatural(b, c) <= 0) expect(compareNatural(a, c)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each<[string, string]>([
    ['零', '0'], ['十', '10'], ['十五', '15'], ['二十', '20'], ['二十三', '23'], ['一百', '100'], ['一百零二', '102'], ['一百二十', '120'],
    ['两千三百', '2300'], ['一万', '10000'], ['三万二千一百', '32100'], ['廿三', '23'], ['卅', '30'], ['一二三', '123'], ['〇〇七', '7'], ['壹佰贰拾叁', '123'],
  ])('reads %s as %s', (numeral, value) => {
    expect(parseChineseNumeral(numeral)).toBe(value);
  });
});
