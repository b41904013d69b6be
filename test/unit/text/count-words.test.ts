import { describe, expect, it } from 'vitest';
import { countWords } from '../../../src/engine/text/count-words';

describe('countWords', () => {
  it.each<[string, string, number]>([
    ['nothing', '', 0],
    ['Han and full-width marks, one each', '雨下了一夜。', 6],
    ['Chinese quotes, dashes and ellipses', '“你好……”——', 8],
    ['corner quotes and book titles', '「《红楼梦》」', 7],
    ['the middle dot of a foreign name', '约翰·史密斯', 6],
    ['Latin words', 'The rain fell all night.', 5],
    ['an apostrophe inside a word, either form', 'don’t don\'t', 2],
    ['curly quotes and a dash among Latin words only', '“Hello,” she said — “go.”', 4],
    ['a number with a comma and a point', '他有 1,024.5 元', 4],
    ['letters and digits in one run', 'GPT4o', 1],
    ['a hyphen parts runs', 'well-known', 2],
    ['mixed Chinese and Latin', '我用VS Code写小说。', 8],
    ['full-width letters and digits', 'ＡＢＣ１２３', 1],
    ['half-width marks are none', '你好,世界!', 4],
    ['kana with its long mark', 'コーヒーを飲む', 7],
    ['half-width kana, a sound mark belongs to the one before', 'ｶﾞｷﾞ', 2],
    ['hangul', '안녕하세요', 5],
    ['hangul in parts counts by syllable', '\u1112\u1161\u11ab\u1100\u1173\u11af', 2],
    ['Cyrillic and accented words', 'Привет, café', 2],
    ['an accent of its own belongs to its letter', 'cafe\u0301', 1],
    ['rare Han beyond the BMP', '𠮷野家', 3],
    ['emoji are none', '好😀👍🏽！', 2],
    ['white space of every kind', ' \t\u3000\r\n雨\u00a0 夜\n', 2],
    ['a heading mark', '# 第一章 雨夜\n\n他来了。', 9],
    ['emphasis and quotes of markdown', '> **雨** _夜_ ~~停~~ `x`', 4],
    ['list marks, numbered too', '- 一\n* 二\n1. 三\n  12) 四\n- [x] 五', 5],
    ['a number that begins a sentence is no list mark', '3.5 元\n2024 年', 4],
    ['a link counts by its words', '[雨夜](https://example.org/a/b?c=d "x y")', 2],
    ['a picture counts by its words', '![封面](img/cover-1.png)', 2],
    ['tags, comments and entities are none', '<br>雨<!-- 备注 note -->&emsp;夜</p>', 2],
    ['a comparison is no tag', '1 < 2 > 0', 3],
    ['a thematic break', '雨\n\n---\n\n夜', 2],
    ['front matter', '---\nstatus: 草稿\ntags: [a, b]\n---\n雨夜', 2],
    ['front matter with CRLF and a BOM', '\uFEFF---\r\ntitle: x\r\n---\r\n雨夜\r\n', 2],
    ['a break that is never closed is no front matter', '---\n雨夜', 2],
    ['only an ellipsis', '……', 2],
    ['a dash between a Latin and a Han word', 'Anna——阿青', 5],
  ])('%s', (_, text, count) => {
    expect(countWords(text)).toBe(count);
  });

  it('adds up over paragraphs', () => {
    const paragraph = '他推开门，雨声涌进来。“谁？”她问。\n\n';
    expect(countWords(paragraph)).toBe(18);
    expect(countWords(paragraph.repeat(1_000))).toBe(18_000);
  });
});
