import { describe, expect, it } from 'vitest';
import { frontMatterEnd, readFrontMatter } from '../../../src/engine/text/front-matter';

describe('front matter', () => {
  it('is read as plain values', () => {
    expect(readFrontMatter('---\nstatus: 草稿\ntarget: 3000\ntags: [雨, 夜]\n---\n正文')).toEqual({ data: { status: '草稿', target: 3000, tags: ['雨', '夜'] } });
  });
  it('ends behind its closing line', () => {
    expect(frontMatterEnd('---\na: 1\n---\nx')).toBe(13);
    expect(frontMatterEnd('---\r\na: 1\r\n---\r\nx')).toBe(16);
    expect(frontMatterEnd('---\na: 1\n---')).toBe(12);
    expect(frontMatterEnd('---\n---\nx')).toBe(8);
  });
  it.each(['', '正文', '--- x\n---\n', '---\na: 1\n', ' ---\na: 1\n---\n', '---\na: 1\n----\n', '---\na: 1\n---x\n'])('is not there in %j', (text) => {
    expect(frontMatterEnd(text)).toBe(0);
    expect(readFrontMatter(text)).toBeUndefined();
  });
  it('says what is wrong with bad YAML and never throws', () => {
    expect(readFrontMatter('---\na: [1\n---\n')?.problem).toEqual(expect.any(String));
    expect(readFrontMatter('---\n- a\n---\n')).toEqual({ problem: 'not a mapping' });
    expect(readFrontMatter('---\n---\n')).toEqual({ data: {} });
  });
});
