import { describe, expect, it } from 'vitest';
import { paragraphAt, passageOf, trimmedRange } from '../../../../src/extension/features/passage/passage-of';

const text = '# 雨夜\n\n　　雨停了。\n他推开门。\n\n\n院子里没有人。\n';
const at = (part: string): number => text.indexOf(part);
const part = (range: { readonly start: number; readonly end: number }): string => text.slice(range.start, range.end);

describe('paragraphAt', () => {
  it.each([
    ['雨停了', '　　雨停了。\n他推开门。'],
    ['推开门', '　　雨停了。\n他推开门。'],
    ['# 雨夜', '# 雨夜'],
    ['没有人', '院子里没有人。'],
  ])('of %s is the run of lines around it', (where, whole) => {
    expect(part(paragraphAt(text, at(where)))).toBe(whole);
  });

  it('is nothing between two paragraphs, and keeps CRLF apart', () => {
    expect(part(paragraphAt(text, at('\n院子')))).toBe('');
    const crlf = '甲。\r\n\r\n乙。\r\n';
    expect(crlf.slice(...Object.values(paragraphAt(crlf, 1)) as [number, number])).toBe('甲。');
    expect(crlf.slice(...Object.values(paragraphAt(crlf, 7)) as [number, number])).toBe('乙。');
  });
});

describe('trimmedRange', () => {
  it('leaves the lines around it, and keeps the indent', () => {
    const start = at('\n　　雨停了');
    expect(part(trimmedRange(text, start, at('\n\n院子')))).toBe('　　雨停了。\n他推开门。');
  });
});

describe('passageOf', () => {
  it('takes the selection, or the paragraph of the cursor', () => {
    const start = at('他推');
    expect(passageOf('rewrite', { path: 'a.md', text, start, end: start + 5 }, ' 慢一点 ')).toMatchObject({ text: '他推开门。', start, wish: '慢一点' });
    expect(passageOf('rewrite', { path: 'a.md', text, start, end: start })?.text).toBe('　　雨停了。\n他推开门。');
  });

  it('goes on from where the cursor is', () => {
    const start = at('院子');
    expect(passageOf('continue', { path: 'a.md', text, start, end: start })).toMatchObject({ text: '', start, end: start, after: '院子里没有人。\n' });
  });

  it('says so when there is nothing, or too much', () => {
    const gap = at('\n院子');
    expect(passageOf('rewrite', { path: 'a.md', text, start: gap, end: gap })).toBeUndefined();
    const long = '字'.repeat(20_001);
    expect(passageOf('rewrite', { path: 'a.md', text: long, start: 0, end: long.length })).toBeUndefined();
  });
});
