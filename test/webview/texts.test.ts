import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, shortCount, splitPath, timeAgo } from '../../webview/shared/format';
import { createBlockParser, linkTarget, markdownBlocks } from '../../webview/shared/markdown';
import { createTranslator } from '../../webview/shared/strings';

const english = { hello: 'Hello, {0} and {1}', 'files.one': '{0} file', 'files.other': '{0} files' } as const;

describe('texts for people', () => {
  it('are the translated ones, with the English as a fallback', () => {
    const { t } = createTranslator(english, { hello: '{1}、{0}，你们好' }, 'zh-cn');
    expect(t('hello', '砚秋', '阿满')).toBe('阿满、砚秋，你们好');
    expect(createTranslator(english, {}, 'zh-cn').t('hello', 'a', 'b')).toBe('Hello, a and b');
  });

  it('keep a place without an argument, and take what is put in literally', () => {
    const { t } = createTranslator(english, {}, 'en');
    expect(t('hello', '{1} $&')).toBe('Hello, {1} $& and {1}');
  });

  it('follow the plural rules of the language', () => {
    const en = createTranslator(english, {}, 'en');
    expect([en.n('files', 0), en.n('files', 1), en.n('files', 1200)]).toEqual(['0 files', '1 file', '1,200 files']);
    expect(createTranslator(english, { 'files.other': '{0} 个文件' }, 'zh-cn').n('files', 1)).toBe('1 个文件');
  });

  it('survive a language nobody knows', () => {
    expect(createTranslator(english, {}, 'qps-ploc!').n('files', 2)).toBe('2 files');
  });
});

describe('numbers and times', () => {
  it.each([[0, '0'], [999, '999'], [1000, '1k'], [12_345, '12.3k'], [99_949, '99.9k'], [128_000, '128k'], [999_499, '999k'], [1_000_000, '1M'], [1_250_000, '1.3M']])(
    '%i tokens are shown as %s',
    (count, shown) => { expect(shortCount(count)).toBe(shown); },
  );

  it.each([[0, 'now'], [-5000, 'now'], [61_000, '1 min. ago'], [2 * 3_600_000, '2 hr. ago'], [30 * 3_600_000, 'yesterday'], [15 * 86_400_000, '2 wk. ago']])(
    '%i ms ago is %s',
    (ms, shown) => { expect(timeAgo(1_000_000_000_000 - ms, 1_000_000_000_000, 'en')).toBe(shown); },
  );

  it('cut between characters, never in one', () => {
    expect(clip('𠮷野家', 1)).toBe('𠮷…');
    expect(clip('三个字', 3)).toBe('三个字');
  });

  it('split a path into folder and name', () => {
    expect(splitPath('正文/第一卷/001.md')).toEqual({ folder: '正文/第一卷/', name: '001.md' });
    expect(splitPath('AGENTS.md')).toEqual({ folder: '', name: 'AGENTS.md' });
  });
});

describe('markdown', () => {
  it('falls into its top-level blocks, whose sources are the text again', () => {
    const text = '# 题\n第一段\n\n- 一\n- 二\n\n> 引\n\n```\n码\n\n码\n```\n末';
    const blocks = markdownBlocks(text);
    expect(blocks.map((block) => block.source)).toEqual(['# 题\n', '第一段\n\n', '- 一\n- 二\n\n', '> 引\n\n', '```\n码\n\n码\n```\n', '末']);
    expect(blocks[0]?.html).toBe('<h1>题</h1>\n');
  });

  it('has no style attributes: alignment of columns is a class', () => {
    const [table] = markdownBlocks('| a | b |\n| :-: | --: |\n| 1 | 2 |');
    expect(table?.html).toContain('<th class="align-center">a</th>');
    expect(table?.html).toContain('<td class="align-right">2</td>');
    expect(table?.html).not.toContain('style');
  });

  it('shows what a picture says instead of loading it', () => {
    expect(markdownBlocks('![<雾>](http://x/y.png)')[0]?.html).toBe('<p><span class="md-image">[&lt;雾&gt;]</span></p>\n');
  });

  it('grown piece by piece is what it would be at once', () => {
    const piece = fc.constantFrom('字', '。', '\n', '\n\n', '- ', '1. ', '> ', '# ', '```\n', '**', '| a |', '| - |', ' ', '    ', '`', '[a](b)', '2', '.', '#', '-', '=', '* ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const parser = createBlockParser();
        let text = '';
        let blocks = parser.parse(text);
        for (const more of pieces) {
          text += more;
          blocks = parser.parse(text);
        }
        expect(blocks).toEqual(markdownBlocks(text));
      }),
      { numRuns: 500 },
    );
  });

  it('starts over when the text is another one', () => {
    const parser = createBlockParser();
    parser.parse('旧的\n\n第二段');
    expect(parser.parse('新').map((block) => block.source)).toEqual(['新']);
  });

  it.each([
    ['https://example.com', { kind: 'web' }],
    ['HTTP://example.com', { kind: 'web' }],
    ['mailto:a@b.c', { kind: 'web' }],
    ['command:workbench.action.quit', { kind: 'none' }],
    ['vscode://x', { kind: 'none' }],
    ['file:///etc/passwd', { kind: 'none' }],
    ['/etc/passwd', { kind: 'none' }],
    ['//example.com', { kind: 'none' }],
    ['#top', { kind: 'none' }],
    ['./正文/001.md#L3', { kind: 'file', path: '正文/001.md' }],
    ['%E6%AD%A3%E6%96%87/001.md', { kind: 'file', path: '正文/001.md' }],
    ['50%.md', { kind: 'file', path: '50%.md' }],
  ] as const)('a link to %s leads to %o', (href, target) => {
    expect(linkTarget(href)).toEqual(target);
  });
});
