import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changed, inverse, placeable, smallestChange } from '../../../../src/extension/ports/documents/text-changes';

describe('changes of a text', () => {
  test('are put in from left to right, each at its place in the old text', () => {
    expect(changed('甲乙丙丁', [{ start: 0, end: 1, text: '一一' }, { start: 2, end: 2, text: '新' }, { start: 3, end: 4, text: '' }])).toBe('一一乙新丙');
  });

  test('get the line ends of the document', () => {
    expect(placeable('甲\r\n乙', [{ start: 0, end: 1, text: '一\n二\r三' }], '\r\n')).toEqual([{ start: 0, end: 1, text: '一\r\n二\r\n三' }]);
  });

  test('that end inside a surrogate pair or a CRLF take in the whole of it', () => {
    expect(placeable('甲😀乙', [{ start: 2, end: 3, text: '\ude01' }], '\n')).toEqual([{ start: 1, end: 3, text: '\ud83d\ude01' }]);
    expect(placeable('甲\r\n乙', [{ start: 2, end: 4, text: '\n丙' }], '\r\n')).toEqual([{ start: 1, end: 4, text: '\r\n丙' }]);
    expect(placeable('甲\r\n乙', [{ start: 0, end: 2, text: '一' }], '\r\n')).toEqual([{ start: 0, end: 3, text: '一\r\n' }]);
  });

  test('that overlap, run backwards or leave the text are a mistake of the caller', () => {
    const apply = (...ranges: readonly (readonly [number, number])[]) => () => placeable('甲乙丙', ranges.map(([start, end]) => ({ start, end, text: '' })), '\n');
    expect(apply([0, 2], [1, 3])).toThrow(RangeError);
    expect(apply([2, 1])).toThrow(RangeError);
    expect(apply([0, 4])).toThrow(RangeError);
    expect(apply([-1, 1])).toThrow(RangeError);
  });

  test('have an inverse', () => {
    const text = '甲乙丙丁戊';
    const changes = [{ start: 0, end: 1, text: '一一一' }, { start: 2, end: 4, text: '' }, { start: 5, end: 5, text: '末' }];
    expect(inverse(text, changes)).toEqual([{ start: 0, end: 3, text: '甲' }, { start: 4, end: 4, text: '丙丁' }, { start: 5, end: 6, text: '' }]);
    expect(changed(changed(text, changes), inverse(text, changes))).toBe(text);
  });
});

describe('the smallest change between two texts', () => {
  test('leaves out what they share at their ends', () => {
    expect(smallestChange('一。\n二。\n三。\n', '一。\n贰。\n三。\n')).toEqual({ start: 3, end: 4, text: '贰' });
    expect(smallestChange('一二', '一新二')).toEqual({ start: 1, end: 1, text: '新' });
    expect(smallestChange('啊啊啊', '啊啊')).toEqual({ start: 2, end: 3, text: '' });
  });

  test('is none between equal texts', () => {
    expect(smallestChange('一', '一')).toBeUndefined();
  });

  test('never cuts a surrogate pair', () => {
    // 😀 and 😁 share their first half, 😀 and 🨀 their second.
    expect(smallestChange('甲😀乙', '甲😁乙')).toEqual({ start: 1, end: 3, text: '😁' });
    expect(smallestChange('甲\ud83d\ude00', '甲\ud83e\ude00')).toEqual({ start: 1, end: 3, text: '\ud83e\ude00' });
  });

  test('turns any text into any other', () => {
    const texts = fc.string({ unit: fc.constantFrom('甲', '乙', '\n', '😀', '😁', 'a') });
    fc.assert(fc.property(texts, texts, (before, after) => {
      const change = smallestChange(before, after);
      expect(change === undefined ? before : changed(before, [change])).toBe(after);
    }));
  });
});
