import { describe, expect, it } from 'vitest';
import { findPassage, type Stretch } from '../../../src/engine/text/find-passage';

function stretch(text: string, part: string, from = 0): Stretch {
  const start = text.indexOf(part, from);
  const end = start + part.length;
  return { start, end, text: part, before: text.slice(0, start), after: text.slice(end) };
}

describe('findPassage', () => {
  const text = '雨停了。\n\n他推开门，院子里没有人。\n\n雨停了。\n\n灯还亮着。\n';

  it('finds it where it was', () => {
    expect(findPassage(text, stretch(text, '他推开门'))).toEqual({ start: 6, end: 10 });
  });

  it('finds it after words were put before it', () => {
    const now = `第一章\n\n${text}`;
    const at = findPassage(now, stretch(text, '他推开门'));
    expect(now.slice(at?.start, at?.end)).toBe('他推开门');
  });

  it('tells two equal stretches apart by what stands around them', () => {
    const second = stretch(text, '雨停了。', 5);
    const now = `新的开头。\n\n${text}`;
    expect(findPassage(now, second)?.start).toBe(second.start + 7);
  });

  it('finds it when one side was changed', () => {
    const now = text.replace('院子里没有人', '院子里站着一个人');
    const at = findPassage(now, stretch(text, '他推开门'));
    expect(now.slice(at?.start, at?.end)).toBe('他推开门');
  });

  it('finds an empty place between two characters again', () => {
    const start = text.indexOf('灯还');
    const place: Stretch = { start, end: start, text: '', before: text.slice(0, start), after: text.slice(start) };
    const now = `开头。${text}`;
    expect(findPassage(now, place)).toEqual({ start: start + 3, end: start + 3 });
  });

  it('says nothing when the words are gone, or when nobody can tell which they are', () => {
    expect(findPassage(text.replace('他推开门', '她推门'), stretch(text, '他推开门'))).toBeUndefined();
    expect(findPassage('雨停了。雨停了。雨停了。', { start: 99, end: 103, text: '雨停了。', before: '', after: '' })).toBeUndefined();
  });
});
