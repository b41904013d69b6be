import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_FOLDERS } from '../../../src/engine/project/config';
import { compileGlob } from '../../../src/engine/project/glob';
import { createProjectRules, normalisePath } from '../../../src/engine/project/rules';

const rules = createProjectRules({ v: 1, title: '', language: 'zh', folders: DEFAULT_FOLDERS });

describe('normalise', () => {
  it.each([
    ['正文/001-雨夜.md', '正文/001-雨夜.md'],
    ['./正文//001.md', '正文/001.md'],
    ['正文/', '正文'],
    ['.', ''],
    ['', ''],
    ['正文/cafe\u0301.md', '正文/caf\u00e9.md'],
    ['AGENTS.md', 'AGENTS.md'],
    ['正文/console.md', '正文/console.md'],
    ['正文/第一章。.md', '正文/第一章。.md'],
  ])('makes %j into %j', (given, expected) => {
    expect(normalisePath(given)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['../other/001.md', 'path.outside'],
    ['正文/../../x.md', 'path.outside'],
    ['正文/../正文/x.md', 'path.outside'],
    ['/etc/passwd', 'path.outside'],
    ['C:/x.md', 'path.outside'],
    ['\\\\server\\x.md', 'path.outside'],
    ['正文\\001.md', 'path.forbidden-name'],
    ['正文/a<b.md', 'path.forbidden-name'],
    ['正文/谁?.md', 'path.forbidden-name'],
    ['正文/a:b.md', 'path.forbidden-name'],
    ['正文/a\u0007.md', 'path.forbidden-name'],
    ['正文/a\0.md', 'path.forbidden-name'],
    ['正文/尾点./x.md', 'path.forbidden-name'],
    ['正文/x.md ', 'path.forbidden-name'],
    ['正文/con.md', 'path.forbidden-name'],
    ['正文/LPT1', 'path.forbidden-name'],
    ['正文/com¹.txt', 'path.forbidden-name'],
    ['正文/nul .md', 'path.forbidden-name'],
  ])('refuses %j with %s', (given, code) => {
    expect(normalisePath(given)).toMatchObject({ ok: false, error: { code } });
  });

  it('counts a part in UTF-8 bytes: 66 Han characters fit with room for two more bytes, 67 do not', () => {
    expect(normalisePath(`正文/${'字'.repeat(66)}ab`).ok).toBe(true);
    expect(normalisePath(`正文/${'字'.repeat(66)}.md`)).toMatchObject({ ok: false, error: { code: 'path.too-long', args: { limit: 200 } } });
  });

  it('never lets a path out and changes nothing when applied again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('..', '/', '\\', '.', 'a', '正', 'C:', '\u0301', ' ') }), (given) => {
        const once = normalisePath(given);
        if (!once.ok) return;
        expect(once.value.startsWith('/')).toBe(false);
        expect(once.value.split('/')).not.toContain('..');
        expect(normalisePath(once.value)).toEqual(once);
      }),
    );
  });
});

describe('covered and writable', () => {
  it.each(['正文/001.md', '正文/卷一/001.MD', '大纲/总纲.txt', '世界书/w.json', '设定/人物.yaml', 'AGENTS.md'])('covers %s', (path) => {
    expect(rules.covered(path)).toBe(true);
    expect(rules.writable(path)).toEqual({ ok: true, value: path });
  });

  it.each([
    '001.md',
    'agents.md',
    '卷/AGENTS.md',
    '别处/001.md',
    '正文',
    '正文.md',
    '正文二/001.md',
    '正文/封面.png',
    '正文/.草稿/001.md',
    '正文/.001.md',
    '.liyuan/project.json',
    '.git/正文/001.md',
  ])('leaves %s alone', (path) => {
    expect(rules.covered(path)).toBe(false);
    expect(rules.writable(path)).toMatchObject({ ok: false, error: { code: 'path.not-writable', args: { path } } });
  });

  it('takes a path in any normal form and answers in NFC', () => {
    expect(rules.covered('正文/cafe\u0301.md')).toBe(true);
    expect(rules.writable('./正文/cafe\u0301.md')).toEqual({ ok: true, value: '正文/caf\u00e9.md' });
  });

  it('obeys deny globs on top', () => {
    const strict = createProjectRules({ v: 1, title: '', language: 'zh', folders: DEFAULT_FOLDERS, deny: ['正文/卷一/**', '*.锁.md'] });
    expect(strict.covered('正文/卷一/001.md')).toBe(false);
    expect(strict.covered('正文/卷一/深/001.md')).toBe(false);
    expect(strict.covered('正文/卷二/001.md')).toBe(true);
    expect(strict.covered('正文/卷二/001.锁.md')).toBe(false);
    expect(strict.files).toEqual(['AGENTS.md']);
    const locked = createProjectRules({ v: 1, title: '', language: 'zh', folders: DEFAULT_FOLDERS, deny: ['AGENTS.md'] });
    expect(locked.files).toEqual([]);
    expect(locked.writable('AGENTS.md')).toMatchObject({ error: { code: 'path.not-writable' } });
  });

  it('searches each folder once, though one lies in another', () => {
    const nested = createProjectRules({ v: 1, title: '', language: 'zh', folders: { manuscript: '书', texts: ['书/大纲', '设定', '设定'] } });
    expect(nested.roots).toEqual(['书', '设定']);
    expect(nested.covered('书/大纲/a.md')).toBe(true);
    expect(rules.roots).toEqual(['正文', '大纲', '设定', '角色卡', '世界书', '预设']);
    expect(rules.maxBytes).toBe(5_242_880);
  });
});

describe('globs', () => {
  it.each([
    ['*.bak', '正文/a.bak', true],
    ['*.bak', '正文/a.bak.md', false],
    ['正文/*.md', '正文/a.md', true],
    ['正文/*.md', '正文/卷/a.md', false],
    ['正文/**/a.md', '正文/a.md', true],
    ['正文/**/a.md', '正文/x/y/a.md', true],
    ['正文/第?章.md', '正文/第一章.md', true],
    ['旧稿', '正文/旧稿/a.md', true],
    ['旧稿', '正文/旧稿二/a.md', false],
    ['/旧稿', '正文/旧稿/a.md', false],
    ['正文/卷一/', '正文/卷一/a.md', true],
    ['a.b+(c)', 'a.b+(c)', true],
    ['a.b', 'axb', false],
    ['', 'a', false],
  ])('%j on %j is %s', (glob, path, expected) => {
    expect(compileGlob(glob)(path)).toBe(expected);
  });
});
