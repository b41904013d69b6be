import { describe, expect, it } from 'vitest';
import { outlinePart, textEnd } from '../../../src/engine/text/excerpts';

describe('the end of a text', () => {
  it('is all of a short one, without front matter and comments', () => {
    expect(textEnd('---\nstatus: 草稿\n---\n# 雨\n\n一。<!-- 注：改 -->\n', 100)).toEqual({ text: '# 雨\n\n一。', cut: false });
    expect(textEnd('', 100)).toEqual({ text: '', cut: false });
  });

  it('begins at a paragraph', () => {
    const text = `${'甲'.repeat(50)}\n\n${'乙'.repeat(30)}。\n\n${'丙'.repeat(20)}。`;
    expect(textEnd(text, 40)).toEqual({ text: `${'乙'.repeat(30)}。\n\n${'丙'.repeat(20)}。`, cut: true });
  });

  it('begins at a sentence where the paragraph is long', () => {
    const text = `${'甲'.repeat(500)}。「${'乙'.repeat(30)}。」${'丙'.repeat(20)}。`;
    expect(textEnd(text, 60)).toEqual({ text: `「${'乙'.repeat(30)}。」${'丙'.repeat(20)}。`, cut: true });
  });
});

describe('the part of an outline', () => {
  const outline = ['# 总纲', ...Array.from({ length: 40 }, (_, at) => `- 第${at + 1}章 ${'事'.repeat(10)}`)].join('\n');

  it('is all of a short one', () => {
    expect(outlinePart('---\na: 1\n---\n# 总纲\r\n- 一\r\n', [], 100)).toBe('# 总纲\n- 一');
  });

  it('stands around what is named, more ahead than behind', () => {
    const part = outlinePart(outline, ['没有的', '第20章'], 160).split('\n');
    expect(part[0]).toBe('…');
    expect(part.at(-1)).toBe('…');
    const named = part.findIndex((line) => line.includes('第20章'));
    expect(named).toBeGreaterThan(1);
    expect(part.length - named).toBeGreaterThan(named);
  });

  it('is the end where nothing is named', () => {
    const part = outlinePart(outline, [], 100);
    expect(part).toContain('第40章');
    expect(part.length).toBeLessThanOrEqual(104);
  });
});
