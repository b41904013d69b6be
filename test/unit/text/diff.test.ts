import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedRanges, countChange, diffLines, minimalChanges, splitLines, splitSentences } from '../../../src/engine/text/diff';
import { diffTokens } from '../../../src/engine/text/diff-tokens';
import { applyChanges, trimChange } from '../../../src/engine/text/text-change';
import { profileOf, similarity } from '../../../src/engine/text/similarity';

describe('diffs', () => {
  it('finds changed lines', () => {
    expect(diffLines('一\n二\n三\n', '一\n贰\n三\n四\n')).toEqual([
      { aStart: 1, aEnd: 2, bStart: 1, bEnd: 2 },
      { aStart: 3, aEnd: 3, bStart: 3, bEnd: 4 },
    ]);
    expect(diffLines('一\n', '一\n')).toEqual([]);
    expect(diffLines('', '一\n')).toEqual([{ aStart: 0, aEnd: 0, bStart: 0, bEnd: 1 }]);
  });

  it('finds the changed characters of a sentence', () => {
    expect(changedRanges('雨下了一夜。他没有走。', '雨下了一夜。她没有走！')).toEqual([
      { aStart: 6, aEnd: 7, bStart: 6, bEnd: 7 },
      { aStart: 10, aEnd: 11, bStart: 10, bEnd: 11 },
    ]);
  });

  it('takes Latin words whole', () => {
    expect(minimalChanges('the cat sat', 'the cut sat')).toEqual([{ start: 4, end: 7, text: 'cut' }]);
  });

  it('splits sentences behind their marks and quotes, losing nothing', () => {
    expect(splitSentences('“走。”他说。雨停了！\n天亮……了')).toEqual(['“走。”', '他说。', '雨停了！', '\n', '天亮……', '了']);
  });

  const line = fc.constantFrom('雨下了一夜。', '他没有走。她问：“谁？”', '', 'a b', '天亮了', '😀');
  const text = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n')).map(([lines, eol]) => lines.join(eol));

  it('turns one text into the other, for any two texts', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(applyChanges(a, minimalChanges(a, b))).toBe(b);
        expect(splitLines(a).join('')).toBe(a);
        expect(splitSentences(a).join('')).toBe(a);
      }),
      { numRuns: 500 },
    );
  });

  it('gives sorted, separate hunks whose gaps are equal, for any two sequences', () => {
    const tokens = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 25 });
    fc.assert(
      fc.property(tokens, tokens, fc.boolean(), (a, b, anchored) => {
        let atA = 0;
        let atB = 0;
        for (const hunk of [...diffTokens(a, b, anchored), { aStart: a.length, aEnd: a.length, bStart: b.length, bEnd: b.length }]) {
          expect(a.slice(atA, hunk.aStart)).toEqual(b.slice(atB, hunk.bStart));
          expect(hunk.aEnd - hunk.aStart + hunk.bEnd - hunk.bStart > 0 || hunk.aStart === a.length).toBe(true);
          atA = hunk.aEnd;
          atB = hunk.bEnd;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('copes with 5,000 lines against 5,000 other ones', () => {
    const a = Array.from({ length: 5_000 }, (_, at) => `甲${at % 7}${at % 3 === 0 ? '同' : at}`);
    const b = Array.from({ length: 5_000 }, (_, at) => `乙${at % 5}${at % 3 === 0 ? '同' : at}`);
    const started = performance.now();
    expect(diffTokens(a, b, true)).toEqual([{ aStart: 0, aEnd: 5_000, bStart: 0, bEnd: 5_000 }]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it.each<[string, string, string, number, number]>([
    ['a word', '雨夜', '雪夜', 1, 1],
    ['a new sentence', '雨停了。', '雨停了。天亮了。', 4, 0],
    ['a new file', '', '雨停了。', 4, 0],
    ['a file gone', '雨停了。', '', 0, 4],
    ['an English word', 'the cat', 'the dog', 1, 1],
    ['white space only', '雨停了。', '雨停了。\n\n', 0, 0],
    ['front matter only', '---\nstatus: 草稿\n---\n雨', '---\nstatus: 完成\n---\n雨', 0, 0],
    ['line ends only', '雨\n夜\n', '雨\r\n夜\r\n', 0, 0],
    ['paragraphs exchanged', '一甲。\n二乙。\n', '二乙。\n一甲。\n', 3, 3],
  ])('counts 字 added and removed: %s', (_, a, b, added, removed) => {
    expect(countChange(a, b)).toEqual({ added, removed });
  });

  it('trims a change without cutting CRLF or pairs', () => {
    expect(trimChange('a\r\nb', { start: 0, end: 4, text: 'a\nb' })).toEqual({ start: 1, end: 3, text: '\n' });
    expect(trimChange('x😀y', { start: 0, end: 4, text: 'x😁y' })).toEqual({ start: 1, end: 3, text: '😁' });
    expect(trimChange('雨夜', { start: 0, end: 2, text: '雨雨夜' })).toEqual({ start: 1, end: 1, text: '雨' });
  });

  it('knows like texts from unlike ones', () => {
    const chapter = '雨下了一夜，他没有走。她问他从哪里来，他说不出话，只看着檐下的水。';
    expect(similarity(profileOf(chapter), profileOf(chapter))).toBe(1);
    expect(similarity(profileOf(chapter), profileOf(chapter.replace('他没有走', '他还是走了')))).toBeGreaterThan(0.8);
    expect(similarity(profileOf(chapter), profileOf('账房先生拨着算盘，把最后一笔盐税记进册子，合上了箱盖。'))).toBeLessThan(0.2);
    expect(similarity(profileOf(''), profileOf(''))).toBe(0);
  });
});
