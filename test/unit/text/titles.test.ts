import { describe, expect, it } from 'vitest';
import { headingOf, titleOf } from '../../../src/engine/text/titles';

describe('the title of a chapter', () => {
  it.each<[string, string, string, string]>([
    ['its heading', '正文/001-雨夜.md', '# 第一章 雨夜\n\n他来了。', '第一章 雨夜'],
    ['its heading after blank lines', 'a.md', '\n \n# 雨夜\n', '雨夜'],
    ['its heading after front matter', 'a.md', '---\nstatus: x\n---\n\n# 雨夜', '雨夜'],
    ['its heading without closing marks', 'a.md', '# 雨夜 ##\r\n', '雨夜'],
    ['the file name when words come first', '正文/001-雨夜.md', '他来了。\n# 后来', '雨夜'],
    ['the file name when the heading is of a lower level', '正文/001-雨夜.md', '## 雨夜二', '雨夜'],
    ['the file name when the heading is empty', '正文/001-雨夜.md', '# \n', '雨夜'],
    ['the file name without a number with parts', '正文/卷一/001-2-客栈.md', '', '客栈'],
    ['the file name with a point or a mark after the number', 'a/12. 夜.md', '', '夜'],
    ['the file name when it is only a number', 'a/012.md', '', '012'],
    ['the file name whole when the number is part of it', 'a/2024年.md', '', '2024年'],
    ['the file name whole when it counts in words', 'a/第二章 刀.md', '', '第二章 刀'],
  ])('is %s', (_, path, text, title) => {
    expect(titleOf(path, text)).toBe(title);
  });

  it('has no heading in an empty text', () => {
    expect(headingOf('')).toBeUndefined();
    expect(headingOf('\n\n')).toBeUndefined();
  });
});
