import { describe, expect, it } from 'vitest';
import { isOtherText } from '../../../src/engine/text/other-text';
import { invertEdit, reanchor } from '../../../src/engine/text/reanchor';
import { applyChanges } from '../../../src/engine/text/text-change';

describe('another text by the same name', () => {
  it('has not a sentence of the first one', () => {
    expect(isOtherText('# 第一章\n\n雨下了三天三夜。\n', '# 第二章\n\n信到了他的手里。\n')).toBe(true);
  });
  it('is no text that was worked over, however much, with one sentence left or alike', () => {
    expect(isOtherText('雨下了三天三夜。门开了又关上。\n', '门开了又关上。后来就是另一个故事了。\n')).toBe(false);
    expect(isOtherText('雨下了三天三夜。\n', '雨下了五天五夜才停。\n')).toBe(false);
    expect(isOtherText('', '什么都可以写在这里。')).toBe(false);
  });
});

describe('what stands there already', () => {
  it('is not put in twice', () => {
    expect(reanchor('甲。乙。', '甲。丙。乙。', [{ start: 2, end: 2, text: '丙。' }]).changes).toEqual([]);
    const text = '雨又下了一整夜没有停。';
    expect(reanchor('甲。乙。', `甲。${text}接着写。乙。`, [{ start: 2, end: 2, text }]).changes).toEqual([]);
  });
  it('nor when an edit that took words away is taken back once more', () => {
    const before = '雨下了三天。雨下了三天。雨下了三天。';
    expect(applyChanges(before, invertEdit(before, '雨下了三天。雨下了三天。雨了三天。', before).changes)).toBe(before);
  });
});
