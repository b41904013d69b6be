import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { grepTool } from '../../../src/engine/tools/grep';
import { listTool } from '../../../src/engine/tools/list';
import { outlineTool } from '../../../src/engine/tools/outline';
import { readTool } from '../../../src/engine/tools/read';
import { withToolBench } from '../../fakes/tool-context';

const chapter = '# 雨夜\n\n雨下了三天。她没有等到信。\n门开了。\n';

describe('read', () => {
  it('gives the text itself with its final newline, and numbers for orientation beside it', () =>
    withToolBench({ '正文/001-雨夜.md': chapter }, async ({ run }) => {
      expect(await run(readTool, { path: '正文/001-雨夜.md' })).toEqual({
        path: '正文/001-雨夜.md',
        start: 1,
        end: 4,
        of: 4,
        text: chapter,
        numbered: ['1: # 雨夜', '3: 雨下了三天。她没有等到信…', '4: 门开了。'],
      });
    }));

  it('gives a range of lines, both ends included', () =>
    withToolBench({ '正文/001-雨夜.md': chapter }, async ({ run }) => {
      expect(await run(readTool, { path: './正文/001-雨夜.md', start: 3, end: 3 })).toMatchObject({
        start: 3,
        end: 3,
        of: 4,
        text: '雨下了三天。她没有等到信。\n',
      });
    }));

  it('sees the words the author has not saved', () =>
    withToolBench({ '正文/001-雨夜.md': chapter }, async ({ run, documents }) => {
      await documents.type('正文/001-雨夜.md', '门开了。', '门没有开。');
      expect(await run(readTool, { path: '正文/001-雨夜.md', start: 4 })).toMatchObject({ text: '门没有开。\n' });
    }));

  it('shows a file without a final newline as it is', () =>
    withToolBench({ '正文/a.md': '一\n二' }, async ({ run }) => {
      expect(await run(readTool, { path: '正文/a.md' })).toMatchObject({ text: '一\n二', of: 2 });
    }));

  it('decodes GBK and shows CRLF as LF, unless it is to be exact', () =>
    withToolBench({ '正文/a.md': iconv.encode('雨。\r\n夜。\r\n', 'gbk') }, async ({ run }) => {
      expect(await run(readTool, { path: '正文/a.md' })).toMatchObject({ text: '雨。\n夜。\n', lineEnds: 'CRLF' });
      const exact = await run(readTool, { path: '正文/a.md', exact: true });
      expect(exact).toMatchObject({ text: '雨。\r\n夜。\r\n' });
      expect(exact).not.toHaveProperty('numbered');
    }));

  it('gives what fits and says by range what is left', () =>
    withToolBench(
      { '正文/长.md': Array.from({ length: 100 }, (_, i) => `第${i + 1}行说了一些话。\n`).join('') },
      async ({ run }) => {
        const first = await run(readTool, { path: '正文/长.md' });
        expect(JSON.stringify(first).length).toBeLessThanOrEqual(1_500);
        const rest = first['rest'] as { readonly start: number; readonly end: number };
        expect(rest).toEqual({ start: (first['end'] as number) + 1, end: 100 });
        expect(await run(readTool, { path: '正文/长.md', ...rest })).toMatchObject({ start: rest.start });
      },
      { resultLimit: 1_500 },
    ));

  it('gives the head of a line that alone is longer than a result, never half a character', () =>
    withToolBench(
      { '正文/一行.md': '😀'.repeat(2_000) },
      async ({ run }) => {
        const receipt = await run(readTool, { path: '正文/一行.md', exact: true });
        expect(receipt['text']).toMatch(/^(?:😀)+$/u);
        expect(receipt['cut']).toEqual({ line: 1, chars: (receipt['text'] as string).length, of: 4_000 });
      },
      { resultLimit: 1_500 },
    ));

  it('names files with a like name when there is none by this path', () =>
    withToolBench({ '正文/001-雨夜.md': chapter, '正文/002-晴.md': '' }, async ({ run }) => {
      expect(await run(readTool, { path: '雨夜.md' })).toEqual({ error: 'not_found', path: '雨夜.md', near: ['正文/001-雨夜.md'] });
    }));

  it('refuses what lies outside, in dot-folders, or past the end', () =>
    withToolBench({ '正文/a.md': '一\n', '.liyuan/project.json': '{}' }, async ({ run }) => {
      expect(await run(readTool, { path: '../a.md' })).toMatchObject({ error: 'outside' });
      expect(await run(readTool, { path: '.liyuan/project.json' })).toEqual({ error: 'forbidden', path: '.liyuan/project.json' });
      expect(await run(readTool, { path: '正文/a.md', start: 9 })).toEqual({
        error: 'bad_args',
        field: 'start',
        message: 'the file has 1 lines',
      });
    }));

  it('reads AGENTS.md only where the workspace is trusted', async () => {
    const files = { 'AGENTS.md': '写短句。\n' };
    await withToolBench(files, async ({ run }) => {
      expect(await run(readTool, { path: 'AGENTS.md' })).toMatchObject({ error: 'untrusted' });
    });
    await withToolBench(
      files,
      async ({ run }) => {
        expect(await run(readTool, { path: 'AGENTS.md' })).toMatchObject({ text: '写短句。\n' });
      },
      { trusted: true },
    );
  });

  it('names the field of a bad argument, ignores unknown keys and nulls', () =>
    withToolBench({ '正文/a.md': '一\n' }, async ({ run }) => {
      expect(await run(readTool, { path: '正文/a.md', start: 'one' })).toMatchObject({ error: 'bad_args', field: 'start' });
      expect(await run(readTool, {})).toMatchObject({ error: 'bad_args', field: 'path' });
      expect(await run(readTool, { path: '正文/a.md', end: null, mood: 'good' })).toMatchObject({ text: '一\n' });
    }));
});

describe('list', () => {
  const files = {
    '正文/第二卷/010-十.md': '十\n',
    '正文/第二卷/002-二.md': '二二\n',
    '正文/001-一.md': '一\n',
    '设定/人物.md': '她叫阿沅。\n',
  };

  it('shows the project’s folders when asked for nothing', () =>
    withToolBench(files, async ({ run }) => {
      expect(await run(listTool, {})).toEqual({
        path: '',
        entries: [
          { path: '正文/', files: 3 },
          { path: '设定/', files: 1 },
        ],
        of: 2,
      });
    }));

  it('shows sub-folders, then files in natural order, chapters with their 字', () =>
    withToolBench(files, async ({ run }) => {
      expect(await run(listTool, { path: '正文/' })).toMatchObject({
        entries: [
          { path: '正文/第二卷/', files: 2 },
          { path: '正文/001-一.md', words: 1 },
        ],
      });
      expect(await run(listTool, { path: '正文/第二卷' })).toMatchObject({
        entries: [
          { path: '正文/第二卷/002-二.md', words: 2 },
          { path: '正文/第二卷/010-十.md', words: 1 },
        ],
      });
      expect(await run(listTool, { path: '设定' })).toMatchObject({ entries: [{ path: '设定/人物.md', bytes: 19 - 3 }] });
    }));

  it('goes on where a long list stopped', () =>
    withToolBench(
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`正文/${i + 1}.md`, '字\n'])),
      async ({ run }) => {
        const first = await run(listTool, { path: '正文' });
        const { start } = first['rest'] as { readonly start: number };
        expect(first['of']).toBe(60);
        const more = await run(listTool, { path: '正文', start });
        expect((more['entries'] as readonly unknown[])[0]).toEqual({ path: `正文/${start}.md`, words: 1 });
      },
      { resultLimit: 1_000 },
    ));

  it('refuses a folder that is not there', () =>
    withToolBench(files, async ({ run }) => {
      expect(await run(listTool, { path: '草稿' })).toEqual({ error: 'not_found', path: '草稿' });
    }));
});

describe('grep', () => {
  const files = {
    '正文/002-二.md': '# 二\n\n阿沅走了。\n阿沅又回来，阿沅笑了。\n',
    '正文/010-十.md': '没有人。\r\n阿沅。\r\n',
    '设定/人物.md': '阿沅：女主角。\n',
  };

  it('finds plain words line by line, in order, with the line as it is', () =>
    withToolBench(files, async ({ run }) => {
      expect(await run(grepTool, { pattern: '阿沅' })).toEqual({
        matches: [
          { path: '正文/002-二.md', line: 3, text: '阿沅走了。' },
          { path: '正文/002-二.md', line: 4, text: '阿沅又回来，阿沅笑了。' },
          { path: '正文/010-十.md', line: 2, text: '阿沅。' },
          { path: '设定/人物.md', line: 1, text: '阿沅：女主角。' },
        ],
        lines: 4,
      });
    }));

  it('takes a plain pattern literally', () =>
    withToolBench({ '正文/a.md': '他说（是的）。\n.*\n' }, async ({ run }) => {
      expect(await run(grepTool, { pattern: '.*' })).toMatchObject({ matches: [{ line: 2, text: '.*' }], lines: 1 });
    }));

  it('finds by regular expression, within one file or folder, up to a limit', () =>
    withToolBench(files, async ({ run }) => {
      expect(await run(grepTool, { pattern: '^阿沅.*[。]$', regex: true, path: '正文', limit: 1 })).toEqual({
        matches: [{ path: '正文/002-二.md', line: 3, text: '阿沅走了。' }],
        lines: 3,
      });
      expect(await run(grepTool, { pattern: '阿沅', path: '设定/人物.md' })).toMatchObject({ lines: 1 });
    }));

  it('sees unsaved words', () =>
    withToolBench(files, async ({ run, documents }) => {
      await documents.type('正文/010-十.md', '没有人。', '来了一只猫。');
      expect(await run(grepTool, { pattern: '猫' })).toMatchObject({ matches: [{ path: '正文/010-十.md', line: 1 }] });
    }));

  it('cuts a long line around the match and says so', () =>
    withToolBench({ '正文/a.md': `${'甲'.repeat(1_000)}乙${'丙'.repeat(1_000)}` }, async ({ run }) => {
      expect(await run(grepTool, { pattern: '乙' })).toEqual({
        matches: [{ path: '正文/a.md', line: 1, text: `${'甲'.repeat(120)}乙${'丙'.repeat(120)}`, cut: true }],
        lines: 1,
      });
    }));

  it('says what is wrong with a pattern that is none', () =>
    withToolBench(files, async ({ run }) => {
      expect(await run(grepTool, { pattern: '(', regex: true })).toMatchObject({ error: 'bad_pattern' });
    }));

  it('stops a pattern that backtracks without end', () =>
    withToolBench({ '正文/a.md': `${'a'.repeat(60)}!\n` }, async ({ run, clock }) => {
      const running = run(grepTool, { pattern: '^(a+)+$', regex: true });
      while (clock.pending() === 0) await new Promise((resolve) => setImmediate(resolve));
      clock.advance(3_000);
      expect(await running).toEqual({ error: 'bad_pattern', message: 'stopped after 3000 ms' });
    }));

  it('names what it could not read', () =>
    withToolBench({ '正文/a.md': '字\n', '正文/b.md': Uint8Array.from([0xff, 0xfe, 0x00, 0xd8]) }, async ({ run }) => {
      expect(await run(grepTool, { pattern: '字' })).toMatchObject({ lines: 1, unread: ['正文/b.md'] });
    }));
});

describe('outline', () => {
  it('says how many open notes a chapter has, and the outline folder is one of the lists', () =>
    withToolBench({ '正文/001-雨夜.md': '# 雨夜\n\n雨。<!-- 注：太快 --><!-- TODO 查 -->\n', '大纲/大纲.md': '# 总纲\n' }, async ({ run }) => {
      expect(await run(outlineTool, {})).toMatchObject({ chapters: [{ path: '正文/001-雨夜.md', notes: 2 }] });
      expect(await run(listTool, { path: '大纲' })).toMatchObject({ entries: [{ path: '大纲/大纲.md' }] });
    }));

  it('gives titles, 字, headings below the title and front matter', () =>
    withToolBench(
      {
        '正文/第一卷/001-雨夜.md': '---\nstatus: 初稿\ntags: [雨, 信]\n---\n# 雨夜来信\n\n雨。\n\n## 一\n\n```\n# 不是标题\n```\n',
        '正文/002-晴.md': '晴。\n',
      },
      async ({ run }) => {
        const receipt = await run(outlineTool, {});
        expect(receipt).toMatchObject({
          chapters: [
            { path: '正文/002-晴.md', title: '晴', words: 2 },
            { path: '正文/第一卷/001-雨夜.md', title: '雨夜来信', headings: ['## 一'], frontMatter: { status: '初稿', tags: ['雨', '信'] } },
          ],
          of: 2,
        });
        expect(await run(outlineTool, { path: '正文/第一卷' })).toMatchObject({ of: 1 });
        expect(await run(outlineTool, { start: 2 })).toMatchObject({ chapters: [{ path: '正文/第一卷/001-雨夜.md' }], of: 2 });
      },
    ));

  it('is empty for an empty book', () =>
    withToolBench({}, async ({ run }) => {
      expect(await run(outlineTool, {})).toEqual({ chapters: [], of: 0, words: 0 });
    }));
});
