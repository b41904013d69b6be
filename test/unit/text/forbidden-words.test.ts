import { describe, expect, it } from 'vitest';
import { createForbiddenMatcher, forbiddenInChanges, forbiddenSection, parseForbiddenWords } from '../../../src/engine/text/forbidden-words';
import { minimalChanges } from '../../../src/engine/text/diff';

const matcher = (...list: readonly string[]): ReturnType<typeof createForbiddenMatcher> => createForbiddenMatcher(parseForbiddenWords(list.join('\n')));
const found = (text: string, ...list: readonly string[]): readonly string[] => matcher(...list).find(text).map(({ start, end }) => `${text.slice(start, end)}@${start}`);

describe('a list of forbidden words', () => {
  it('has one word a line, remarks, and after an arrow what may stand instead', () => {
    expect(parseForbiddenWords('\uFEFF# 少用\r\n\r\n不禁\n 嘴角上扬 → 笑了笑、笑\nsuddenly -> then / at once\n不禁 → 忍不住\n  # 完')).toEqual([
      { word: '不禁', instead: [] },
      { word: '嘴角上扬', instead: ['笑了笑', '笑'] },
      { word: 'suddenly', instead: ['then', 'at once'] },
    ]);
  });

  it('may stand in the style notes under its own heading', () => {
    expect(forbiddenSection('# 文风\n\n- 要冷\n\n## 禁用词\n\n- 不禁\n* 宛如 → 像\n说明一句\n\n## 其他\n- 不是')).toEqual([
      { word: '不禁', instead: [] },
      { word: '宛如', instead: ['像'] },
    ]);
    expect(forbiddenSection('# Style\n## Forbidden words\n- very')).toEqual([{ word: 'very', instead: [] }]);
    expect(forbiddenSection('# 文风\n- 不禁')).toEqual([]);
  });
});

describe('a forbidden word', () => {
  it('is found wherever it stands, literally', () => {
    expect(found('他不禁笑了，不禁又停。', '不禁')).toEqual(['不禁@1', '不禁@6']);
    expect(found('他$&笑.', '$&', '.')).toEqual(['$&@1', '.@4']);
    expect(found('雨', '')).toEqual([]);
  });

  it('is the longest of those that begin at a place, and none inside another', () => {
    expect(found('嘴角微微上扬', '嘴角', '嘴角微微上扬', '上扬')).toEqual(['嘴角微微上扬@0']);
    expect(found('嘴角动了', '嘴角', '嘴角微微上扬')).toEqual(['嘴角@0']);
  });

  it('of letters counts by itself and in any case, next to Chinese too', () => {
    expect(found('Every very VERY verylike 他very笑', 'very')).toEqual(['very@6', 'VERY@11', 'very@26']);
    expect(found('用了Wi-Fi', 'wi-fi')).toEqual(['Wi-Fi@2']);
  });

  it('is found at its right place although another letter’s small form is longer', () => {
    expect(found('İİ不禁', '不禁')).toEqual(['不禁@2']);
  });

  it('is found in a chapter of 20,000 字 among 500 words within 20 ms', () => {
    const words = Array.from({ length: 500 }, (_, at) => `${String.fromCharCode(0x4e00 + at * 7)}${String.fromCharCode(0x5000 + at)}词`);
    const text = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 4_000))).join('');
    const many = createForbiddenMatcher(words.map((word) => ({ word, instead: [] })));
    many.find(text);
    const times = Array.from({ length: 5 }, () => {
      const from = performance.now();
      many.find(text);
      return performance.now() - from;
    });
    expect(Math.min(...times)).toBeLessThan(20);
  });
});

describe('what changes have brought', () => {
  const brought = (before: string, after: string): readonly unknown[] => forbiddenInChanges(after, minimalChanges(before, after), matcher('不禁', '忽然'));

  it('is told by line, what stood there before is not', () => {
    expect(brought('他不禁笑。\n雨停。\n', '他不禁笑。\n雨忽然停。\n他不禁哭。\n')).toEqual([
      { word: '忽然', line: 2 },
      { word: '不禁', line: 3 },
    ]);
  });

  it('includes a word that a deletion put together, and one that a new letter completed', () => {
    expect(brought('他不敢禁笑', '他不禁笑')).toEqual([{ word: '不禁', line: 1 }]);
    expect(brought('他不笑', '他不禁笑')).toEqual([{ word: '不禁', line: 1 }]);
    expect(brought('他不禁大笑', '他不禁笑')).toEqual([]);
    expect(brought('', '忽然')).toEqual([{ word: '忽然', line: 1 }]);
  });
});
