import { describe, expect, it } from 'vitest';
import { countWords } from '../../../src/engine/text/count-words';
import { findNotes, noteText } from '../../../src/engine/text/notes';

describe('open notes', () => {
  it('are comments that begin with 注, 待定, TODO or note, with their line', () => {
    const text = '---\nstatus: 草稿\n---\n# 雨夜\n\n雨下了一夜。<!-- 注：这里太快 -->\n<!-- TODO 查潮汐表 -->\n<!--\nnote: two\n lines\n-->\n<!--待定-->\n';
    expect(findNotes(text).map(({ line, text: words, kind }) => [line, words, kind])).toEqual([
      [5, '这里太快', 'note'],
      [6, '查潮汐表', 'todo'],
      [7, 'two lines', 'note'],
      [11, '', 'todo'],
    ]);
  });

  it('are no other comments, no prose, and no comment without its end', () => {
    expect(findNotes('<!-- 注意安全 --> <!-- more --> 【待定】 TODO <!-- notebook --> <!-- 注：没有完')).toEqual([]);
  });

  it('span exactly their comment', () => {
    const text = '甲<!-- 注：乙 -->丙';
    const [note] = findNotes(text);
    expect(text.slice(note?.start, note?.end)).toBe('<!-- 注：乙 -->');
  });

  it('are no 字', () => {
    expect(countWords('雨夜<!-- 注：这里太快 -->')).toBe(2);
  });

  it('are written so that they are found again, whatever they say', () => {
    expect(noteText(' 太快 ', 'zh')).toBe('<!-- 注：太快 -->');
    expect(noteText('too fast', 'en')).toBe('<!-- note: too fast -->');
    expect(findNotes(noteText('箭头 --> 在这里 -- 完', 'zh')).map((note) => note.text)).toEqual(['箭头 — 在这里 — 完']);
  });
});
