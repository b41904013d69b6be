import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { askTool } from '../../../src/engine/tools/ask';
import { deleteTool } from '../../../src/engine/tools/delete';
import { editTool } from '../../../src/engine/tools/edit';
import { readTool } from '../../../src/engine/tools/read';
import { renameTool } from '../../../src/engine/tools/rename';
import { writeTool } from '../../../src/engine/tools/write';
import { withToolBench } from '../../fakes/tool-context';

const rain = '# 雨夜\n\n雨下了三天。\n门开了。\n';

describe('edit', () => {
  it('changes two places in two files in one go and says how each quote was found', () =>
    withToolBench({ '正文/001.md': rain, '正文/002.md': '她说："走吧。"\n' }, async ({ run, text, journalled }) => {
      const receipt = await run(editTool, {
        edits: [
          { path: '正文/002.md', old: '她说：“走吧。”', new: '她不说话。' },
          { path: '正文/001.md', old: '  雨下了三天。\n', new: '雨下了五天。\n' },
        ],
      });
      expect(receipt).toEqual({
        matches: [
          { path: '正文/002.md', line: 1, level: 'punctuation' },
          { path: '正文/001.md', line: 3, level: 'trimmed' },
        ],
        files: [
          { path: '正文/002.md', words: 5 },
          { path: '正文/001.md', words: 12 },
        ],
      });
      expect(await text('正文/001.md')).toBe('# 雨夜\n\n雨下了五天。\n门开了。\n');
      expect(await text('正文/002.md')).toBe('她不说话。\n');
      expect(journalled).toEqual([
        { path: '正文/002.md', before: '她说："走吧。"\n', after: '她不说话。\n' },
        { path: '正文/001.md', before: rain, after: '# 雨夜\n\n雨下了五天。\n门开了。\n' },
      ]);
    }));

  it.each([
    ['flat, old and new', { path: '正文/001.md', old: '门开了。', new: '门没开。' }],
    ['flat, oldText and newText', { path: '正文/001.md', oldText: '门开了。', newText: '门没开。' }],
    ['flat, old_string and new_string', { path: '正文/001.md', old_string: '门开了。', new_string: '门没开。' }],
    ['a path said once', { path: '正文/001.md', edits: [{ old: '门开了。', new: '门没开。' }] }],
    ['a list as JSON text', { edits: '[{"path":"正文/001.md","old":"门开了。","new":"门没开。"}]' }],
    ['one edit without its list', { edits: { path: '正文/001.md', old: '门开了。', new: '门没开。' } }],
  ])('accepts %s', (_, args) =>
    withToolBench({ '正文/001.md': rain }, async ({ run, text }) => {
      expect(await run(editTool, args)).toMatchObject({ matches: [{ level: 'exact' }] });
      expect(await text('正文/001.md')).toBe('# 雨夜\n\n雨下了三天。\n门没开。\n');
    }),
  );

  it('changes nothing at all when one quote of a call is not there, and names which, with the nearest line', () =>
    withToolBench({ '正文/001.md': rain, '正文/002.md': '晴。\n' }, async ({ run, text, journalled }) => {
      const receipt = await run(editTool, {
        edits: [
          { path: '正文/002.md', old: '晴。', new: '阴。' },
          { path: '正文/001.md', old: '雨夜', new: '夜雨' },
          { path: '正文/001.md', old: '雨下了四天。', new: '雨停了。' },
        ],
      });
      expect(receipt).toEqual({
        error: 'no_match',
        path: '正文/001.md',
        index: 2,
        quote: '雨下了四天。',
        line: 3,
        nearest: '雨下了三天。',
      });
      expect(await text('正文/002.md')).toBe('晴。\n');
      expect(journalled).toEqual([]);
    }));

  it('refuses a quote that stands there twice, and quotes that overlap', () =>
    withToolBench({ '正文/001.md': '好，好。\n一二三四\n' }, async ({ run }) => {
      expect(await run(editTool, { path: '正文/001.md', old: '好', new: '坏' })).toMatchObject({ error: 'many_matches', count: 2 });
      expect(
        await run(editTool, {
          edits: [
            { path: '正文/001.md', old: '一二三', new: 'a' },
            { path: '正文/001.md', old: '三四', new: 'b' },
          ],
        }),
      ).toMatchObject({ error: 'overlap', path: '正文/001.md', index: 1, other: 0, line: 2 });
      expect(await run(editTool, { path: '正文/001.md', old: '', new: 'b' })).toMatchObject({ error: 'empty_old', index: 0 });
      expect(await run(editTool, { edits: [] })).toMatchObject({ error: 'bad_args', field: 'edits' });
      expect(await run(editTool, { path: '正文/001.md', old: '一' })).toMatchObject({ error: 'bad_args', field: 'edits.0.new' });
    }));

  it('takes the replacement literally', () =>
    withToolBench({ '正文/001.md': rain }, async ({ run, text }) => {
      await run(editTool, { path: '正文/001.md', old: '门开了。', new: "$&$1$'" });
      expect(await text('正文/001.md')).toBe("# 雨夜\n\n雨下了三天。\n$&$1$'\n");
    }));

  it('leaves a GBK file with CRLF byte-equal outside the edit', () =>
    withToolBench({ '正文/001.md': iconv.encode('# 雨夜\r\n\r\n雨下了三天。\r\n门开了。\r\n', 'gbk') }, async ({ run, documents }) => {
      expect(await run(editTool, { path: '正文/001.md', old: '三天。\n门', new: '五天。\n窗' })).toMatchObject({ matches: [{ line: 3 }] });
      expect(Buffer.from((await documents.bytes('正文/001.md')) ?? [])).toEqual(
        iconv.encode('# 雨夜\r\n\r\n雨下了五天。\r\n窗开了。\r\n', 'gbk'),
      );
    }));

  it.each([
    ['gbk', '# 雨夜\n\n三天。\n'],
    ['gb2312', '# 雨夜\n\n三天。\n'],
    ['cp950', '# 雨夜\n\n三天。\n'],
    ['shiftjis', '# 雨夜\n\n三天、ずっと。\n'],
    ['eucjp', '# 雨夜\n\n三天、ずっと。\n'],
    ['euckr', '# 비\n\n三天. 그치지 않았다.\n'],
  ])('writes a chapter that the editor shows in %s as a save would', (encoding, before) =>
    withToolBench({ '正文/001.md': iconv.encode(before, encoding) }, async ({ run, documents, context }) => {
      await documents.open('正文/001.md', encoding);
      const recorded: (Uint8Array | null)[] = [];
      Object.assign(context.journal, {
        record: (edit: { readonly before: Uint8Array | null; readonly after: Uint8Array | null }) => {
          recorded.push(edit.before, edit.after);
          return Promise.resolve({ ok: true, value: undefined });
        },
      });
      const [edited, rewritten] = [before.replace('三', '五'), before.replace('三', '七')].map((text) => iconv.encode(text, encoding));
      expect(await run(editTool, { path: '正文/001.md', old: '三天', new: '五天' })).toMatchObject({ matches: [{ line: 3 }] });
      expect(Buffer.from((await documents.bytes('正文/001.md')) ?? [])).toEqual(edited);
      expect(await run(writeTool, { path: '正文/001.md', content: before.replace('三', '七') })).toMatchObject({ done: 'replaced' });
      expect(Buffer.from((await documents.bytes('正文/001.md')) ?? [])).toEqual(rewritten);
      expect(recorded.map((bytes) => Buffer.from(bytes ?? []))).toEqual([iconv.encode(before, encoding), edited, edited, rewritten]);
    }),
  );

  it.each([
    ['big5', '雨下了三天。\n', '五天😀', '😀'],
    ['iso88591', 'Rain, 3 days.\n', '五 days', '五'],
  ])('names the first character that %s cannot hold, and changes nothing', (encoding, before, fresh, char) =>
    withToolBench({ '正文/001.md': iconv.encode(before, encoding) }, async ({ run, documents, journalled }) => {
      await documents.open('正文/001.md', encoding);
      const old = encoding === 'big5' ? '三天' : '3 days';
      expect(await run(editTool, { path: '正文/001.md', old, new: fresh })).toEqual({ error: 'unencodable', path: '正文/001.md', encoding, char });
      expect(await documents.text('正文/001.md')).toBe(before);
      expect(journalled).toEqual([]);
    }),
  );

  it('keeps the author’s unsaved words, and leaves the file unsaved', () =>
    withToolBench({ '正文/001.md': rain }, async ({ run, documents, context }) => {
      await documents.type('正文/001.md', '门开了。', '门开了。风进来。');
      expect(await run(editTool, { path: '正文/001.md', old: '三天', new: '五天' })).toMatchObject({ files: [{ unsaved: true }] });
      expect(await documents.text('正文/001.md')).toBe('# 雨夜\n\n雨下了五天。\n门开了。风进来。\n');
      expect(documents.isDirty('正文/001.md')).toBe(true);
      expect(await context.documents.read('正文/001.md')).toMatchObject({ value: { dirty: true } });
    }));

  it('finds its place again when the author types between reading and applying', () =>
    withToolBench({ '正文/001.md': rain }, async ({ run, documents, journalled }) => {
      const stop = documents.before('apply', async (path) => {
        stop();
        await documents.type(path, '# 雨夜', '# 长长的雨夜');
      });
      expect(await run(editTool, { path: '正文/001.md', old: '三天', new: '五天' })).toMatchObject({ matches: [{ level: 'exact' }] });
      expect(await documents.text('正文/001.md')).toBe('# 长长的雨夜\n\n雨下了五天。\n门开了。\n');
      // The edit that did not come to pass is taken back in the journal before the one that did.
      expect(journalled.map(({ before, after }) => [before, after])).toEqual([
        [rain, rain.replace('三', '五')],
        [rain.replace('三', '五'), rain],
        ['# 长长的雨夜\n\n雨下了三天。\n门开了。\n', '# 长长的雨夜\n\n雨下了五天。\n门开了。\n'],
      ]);
    }));

  it('fails with what is there now when the author has changed the quote', () =>
    withToolBench({ '正文/001.md': rain }, async ({ run, documents }) => {
      const stop = documents.before('apply', async (path) => {
        stop();
        await documents.type(path, '雨下了三天。', '雪下了三夜。');
      });
      expect(await run(editTool, { path: '正文/001.md', old: '雨下了三天。', new: '雨停了。' })).toMatchObject({
        error: 'no_match',
        nearest: '雪下了三夜。',
      });
      expect(await documents.text('正文/001.md')).toBe('# 雨夜\n\n雪下了三夜。\n门开了。\n');
    }));

  it('tries three times when the editor says no, then gives up', () =>
    withToolBench({ '正文/001.md': rain }, async ({ run, documents }) => {
      documents.rejectApply(2);
      expect(await run(editTool, { path: '正文/001.md', old: '三天', new: '五天' })).toHaveProperty('matches');
      documents.rejectApply(3);
      expect(await run(editTool, { path: '正文/001.md', old: '五天', new: '七天' })).toMatchObject({ error: 'apply_rejected' });
      expect(documents.calls.apply).toBe(6);
    }));

  it('tells that a formatter changed the text on saving', () =>
    withToolBench({ '正文/001.md': rain }, async ({ run, documents }) => {
      documents.onSave((_, text) => text.trimEnd());
      expect(await run(editTool, { path: '正文/001.md', old: '三天', new: '五天' })).toMatchObject({ files: [{ changedOnSave: true }] });
    }));

  it('journals what save participants made of an edit or a new file as one more edit', () =>
    withToolBench({ '正文/001.md': rain }, async ({ run, documents, journalled }) => {
      documents.onSave((_, text) => text.replace('五天', '五日'));
      await run(editTool, { path: '正文/001.md', old: '三天', new: '五天' });
      await run(editTool, { path: '正文/001.md', old: '门开了', new: '门没开' });
      expect(await run(writeTool, { path: '正文/002.md', content: '五天。\n' })).toMatchObject({ changedOnSave: true });
      const [asked, saved, last] = ['五天。\n门开了', '五日。\n门开了', '五日。\n门没开'].map((words) => rain.replace('三天。\n门开了', words));
      expect(journalled).toEqual([
        { path: '正文/001.md', before: rain, after: asked },
        { path: '正文/001.md', before: asked, after: saved },
        { path: '正文/001.md', before: saved, after: last },
        { path: '正文/002.md', before: null, after: '五天。\n' },
        { path: '正文/002.md', before: '五天。\n', after: '五日。\n' },
      ]);
    }));

  it('refuses what the agent may not write', () =>
    withToolBench({ 'package.json': '{}', '正文/a.md': '' }, async ({ run }) => {
      expect(await run(editTool, { path: 'package.json', old: '{', new: '[' })).toMatchObject({ error: 'not_writable' });
      expect(await run(editTool, { path: '正文/没有.md', old: 'a', new: 'b' })).toMatchObject({ error: 'not_found', path: '正文/没有.md' });
    }));

  it('changes AGENTS.md only in a trusted workspace and after the author agreed, asked once a call', async () => {
    const files = { 'AGENTS.md': '短句。\n不写梦。\n' };
    const edits = [
      { path: 'AGENTS.md', old: '短句', new: '长句' },
      { path: 'AGENTS.md', old: '梦', new: '雨' },
    ];
    await withToolBench(files, async ({ run, ui }) => {
      expect(await run(editTool, { edits })).toMatchObject({ error: 'untrusted' });
      expect(ui.confirmed).toEqual([]);
    });
    await withToolBench(
      files,
      async ({ run, ui, text }) => {
        expect(await run(editTool, { edits })).toEqual({ error: 'refused', path: 'AGENTS.md', by: 'user' });
        ui.agree(true);
        expect(await run(editTool, { edits })).toMatchObject({ files: [{ path: 'AGENTS.md' }] });
        expect(ui.confirmed).toEqual(['AGENTS.md', 'AGENTS.md']);
        expect(await text('AGENTS.md')).toBe('长句。\n不写雨。\n');
      },
      { trusted: true },
    );
  });
});

describe('delete', () => {
  it('leaves a file that the author typed into at the last moment', () =>
    withToolBench({ '正文/001.md': '雨。\n' }, async ({ run, documents, text }) => {
      const stop = documents.before('delete', async (path) => {
        stop();
        await documents.type(path, '', '刚打的。');
      });
      expect(await run(deleteTool, { path: '正文/001.md' })).toMatchObject({ error: 'changed' });
      expect(await text('正文/001.md')).toBe('雨。\n刚打的。');
    }));
});

describe('write', () => {
  it('creates a chapter, with its folders', () =>
    withToolBench({}, async ({ run, text, journalled }) => {
      expect(await run(writeTool, { path: '正文/第一卷/001-雨夜.md', content: rain })).toEqual({
        path: '正文/第一卷/001-雨夜.md',
        done: 'created',
        words: 12,
      });
      expect(await text('正文/第一卷/001-雨夜.md')).toBe(rain);
      expect(journalled).toEqual([{ path: '正文/第一卷/001-雨夜.md', before: null, after: rain }]);
    }));

  it('replaces a chapter by small edits, in its own encoding and line ends', () =>
    withToolBench({ '正文/001.md': iconv.encode('一。\r\n二。\r\n三。\r\n', 'gbk') }, async ({ run, documents }) => {
      const batches: unknown[] = [];
      const { apply } = documents;
      Object.assign(documents, {
        apply: (batch: Parameters<typeof apply>[0]) => {
          batches.push(batch.map(({ changes }) => changes));
          return apply(batch);
        },
      });
      expect(await run(writeTool, { path: '正文/001.md', content: '一。\n两。\n三。\n' })).toMatchObject({ done: 'replaced', words: 6 });
      expect(batches).toEqual([[[{ start: 4, end: 5, text: '两' }]]]);
      expect(Buffer.from((await documents.bytes('正文/001.md')) ?? [])).toEqual(iconv.encode('一。\r\n两。\r\n三。\r\n', 'gbk'));
    }));

  it('does not replace words that the author typed since the agent read them; it shows them, and may then', () =>
    withToolBench({ '正文/001.md': rain }, async ({ run, documents }) => {
      await run(readTool, { path: '正文/001.md' });
      await documents.type('正文/001.md', '门开了。', '门开了。猫进来。');
      const now = '# 雨夜\n\n雨下了三天。\n门开了。猫进来。\n';
      expect(await run(writeTool, { path: '正文/001.md', content: '# 雨夜\n\n晴。\n' })).toEqual({
        error: 'unseen',
        path: '正文/001.md',
        unsaved: true,
        text: now,
        seen: true,
      });
      expect(await documents.text('正文/001.md')).toBe(now);
      expect(await run(writeTool, { path: '正文/001.md', content: '# 雨夜\n\n晴。猫。\n' })).toMatchObject({ done: 'replaced', unsaved: true });
    }));

  it('does not replace unsaved words it has never seen', () =>
    withToolBench({ '正文/001.md': rain }, async ({ run, documents }) => {
      await documents.type('正文/001.md', '门开了。', '猫。');
      expect(await run(writeTool, { path: '正文/001.md', content: '晴。\n' })).toMatchObject({ error: 'unseen', seen: true });
    }));

  it('shows the beginning of what it has not seen where that is long, which does not count as seen', () =>
    withToolBench(
      { '正文/001.md': `${'雨'.repeat(2_000)}。\n` },
      async ({ run, documents }) => {
        await documents.type('正文/001.md', '。', '。猫。');
        const args = { path: '正文/001.md', content: '晴。\n' };
        const receipt = await run(writeTool, args);
        expect(receipt).toMatchObject({ error: 'unseen', unsaved: true, seen: false, cut: { of: 2_004 } });
        expect(receipt['text']).toMatch(/^雨+$/);
        expect(await run(writeTool, args)).toMatchObject({ error: 'unseen', seen: false });
        await run(readTool, { path: '正文/001.md' });
        expect(await run(writeTool, args)).toMatchObject({ done: 'replaced' });
      },
      { resultLimit: 1_500 },
    ));

  it('refuses forbidden names, other kinds of files and what is too large', () =>
    withToolBench({}, async ({ run }) => {
      expect(await run(writeTool, { path: '正文/a?.md', content: '' })).toMatchObject({ error: 'forbidden_name' });
      expect(await run(writeTool, { path: '正文/a.sh', content: '' })).toMatchObject({ error: 'not_writable' });
      expect(await run(writeTool, { path: '../a.md', content: '' })).toMatchObject({ error: 'outside' });
      expect(await run(writeTool, { path: '正文/a.md', content: '字'.repeat(1_800_000) })).toMatchObject({ error: 'too_large' });
    }));

  it('takes back in the journal what the editor refused to create', () =>
    withToolBench({ '正文/A.md': '一\n' }, async ({ run, journalled }) => {
      expect(await run(writeTool, { path: '正文/a.md', content: '二\n' })).toMatchObject({ error: 'clash' });
      expect(journalled).toEqual([
        { path: '正文/a.md', before: null, after: '二\n' },
        { path: '正文/a.md', before: '二\n', after: null },
      ]);
    }));
});

describe('rename', () => {
  it('moves a chapter and says that its heading still shows the old title', () =>
    withToolBench({ '正文/001-雨夜.md': rain }, async ({ run, text, journalled }) => {
      expect(await run(renameTool, { from: '正文/001-雨夜.md', to: '正文/第一卷/001-晴天.md' })).toEqual({
        from: '正文/001-雨夜.md',
        to: '正文/第一卷/001-晴天.md',
        done: 'renamed',
        heading: '雨夜',
        headingShowsOldTitle: true,
      });
      expect(await text('正文/第一卷/001-晴天.md')).toBe(rain);
      expect(journalled).toEqual([{ path: '正文/第一卷/001-晴天.md', from: '正文/001-雨夜.md', before: rain, after: rain }]);
    }));

  it('says no when the heading fits the new name', () =>
    withToolBench({ '正文/001-雨夜.md': rain }, async ({ run }) => {
      expect(await run(renameTool, { from: '正文/001-雨夜.md', to: '正文/002-雨夜.md' })).toMatchObject({ headingShowsOldTitle: false });
    }));

  it('refuses to replace another file, and what is not there', () =>
    withToolBench({ '正文/a.md': '', '正文/b.md': '' }, async ({ run, journalled }) => {
      expect(await run(renameTool, { from: '正文/a.md', to: '正文/b.md' })).toMatchObject({ error: 'exists' });
      expect(journalled.at(-1)).toEqual({ path: '正文/a.md', from: '正文/b.md', before: '', after: '' });
      expect(await run(renameTool, { from: '正文/x.md', to: '正文/c.md' })).toMatchObject({ error: 'not_found' });
      expect(await run(renameTool, { from: '正文/a.md', to: 'AGENTS.md' })).toMatchObject({ error: 'untrusted' });
    }));
});

describe('delete', () => {
  it('journals the bytes before the file goes', () =>
    withToolBench({ '正文/a.md': rain }, async ({ run, journalled, documents }) => {
      expect(await run(deleteTool, { path: '正文/a.md' })).toEqual({ path: '正文/a.md', done: 'deleted', words: 12 });
      expect(await documents.bytes('正文/a.md')).toBeUndefined();
      expect(journalled).toEqual([{ path: '正文/a.md', before: rain, after: null }]);
      expect(await run(deleteTool, { path: '正文/a.md' })).toMatchObject({ error: 'not_found' });
    }));

  it('takes back in the journal what the editor refused to delete', () =>
    withToolBench({ '正文/a.md': '一\n' }, async ({ run, journalled, documents }) => {
      documents.before('delete', () => ({ code: 'doc.apply-rejected' }));
      expect(await run(deleteTool, { path: '正文/a.md' })).toMatchObject({ error: 'apply_rejected' });
      expect(journalled).toEqual([
        { path: '正文/a.md', before: '一\n', after: null },
        { path: '正文/a.md', before: null, after: '一\n' },
      ]);
    }));
});

describe('ask', () => {
  const question = { question: '谁开的门？', options: ['阿沅', '风'] };

  it('hands over the author’s answer', () =>
    withToolBench({}, async ({ run, ui }) => {
      ui.answer({ kind: 'answer', text: '是猫', by: 'text' });
      expect(await run(askTool, question)).toEqual({ answer: '是猫', by: 'user' });
      expect(ui.asked).toEqual([{ askId: 'c1', ...question }]);
    }));

  it('ends the turn when the author stops', () =>
    withToolBench({}, async ({ ui, context }) => {
      ui.answer({ kind: 'stopped' });
      expect(await askTool.run(question, context)).toEqual({
        ok: true,
        value: { receipt: { stopped: true, by: 'user' }, ends: true, choice: { ...question, stopped: true } },
      });
    }));

  it('needs two to four options, and takes labelled ones', () =>
    withToolBench({}, async ({ run, ui }) => {
      expect(await run(askTool, { question: '？', options: ['一'] })).toMatchObject({ error: 'bad_args', field: 'options' });
      expect(await run(askTool, { question: '？', options: ['1', '2', '3', '4', '5'] })).toMatchObject({ error: 'bad_args', field: 'options' });
      ui.answer({ kind: 'answer', text: '甲', by: 'option' });
      await run(askTool, { question: '？', options: [{ label: '甲' }, { text: '乙' }] });
      expect(ui.asked.at(-1)?.options).toEqual(['甲', '乙']);
    }));
});

describe('an aborted turn', () => {
  it('changes nothing any more', () => {
    const aborted = AbortSignal.abort();
    return withToolBench(
      { '正文/a.md': '一\n' },
      async ({ run, journalled, documents }) => {
        expect(await run(editTool, { path: '正文/a.md', old: '一', new: '二' })).toEqual({ error: 'aborted' });
        expect(await run(writeTool, { path: '正文/b.md', content: '' })).toEqual({ error: 'aborted' });
        expect(await run(deleteTool, { path: '正文/a.md' })).toEqual({ error: 'aborted' });
        expect(await run(renameTool, { from: '正文/a.md', to: '正文/c.md' })).toEqual({ error: 'aborted' });
        expect(journalled).toEqual([]);
        expect(await documents.text('正文/a.md')).toBe('一\n');
      },
      { signal: aborted },
    );
  });
});
