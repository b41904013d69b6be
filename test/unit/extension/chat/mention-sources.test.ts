import { describe, expect, test } from 'vitest';
import type { OpenProject } from '../../../../src/extension/project/active-project';
import { createMentionSources } from '../../../../src/extension/features/chat/mentions/sources';
import type { Candidate } from '../../../../src/extension/features/chat/mentions/sources';
import { chapterSource, checkpointSource, selectionSource, textSource } from '../../../../src/extension/features/chat/mentions/project-sources';
import { fillMessage } from '../../../../src/extension/l10n/translate';
import type { EngineBench } from '../../../fakes/engine-bench';
import { must, withEngine } from '../../../fakes/engine-bench';
import { createScriptedClient } from '../../../fakes/models';

const book = {
  '正文/第一卷/001-雨夜.md': '# 第一章 雨夜来信\n\n雨下了三天。\n',
  '正文/第一卷/002-来信.md': '# 第二章 来信\n\n信到了。\n',
  '大纲/总纲.md': '# 总纲\n',
  '世界书/盐渡.json': '{}',
  '角色卡/沈砚秋.json': '{}',
};
const selection = { kind: 'selection' as const, ref: '正文/第一卷/001-雨夜.md', start: 3, end: 3, text: '雨' };

const projectOf = ({ engine, documents }: EngineBench): OpenProject => ({ engine, documents }) as unknown as OpenProject;
const all = (): ReturnType<typeof createMentionSources> =>
  createMentionSources([selectionSource(fillMessage, () => selection), chapterSource(fillMessage), textSource(fillMessage), checkpointSource(fillMessage, () => 'en')]);

describe('what can be mentioned', () => {
  test('is the selection, chapters, other texts, cards and lore, checkpoints, in this order', () =>
    withEngine(book, createScriptedClient(), async (bench) => {
      must(await bench.engine.checkpoints.take({ author: 'user', message: '开头「改」过' }));
      const items = await all().find(projectOf(bench), '', true);
      expect(items.map(({ group, title }) => `${group}: ${title}`)).toEqual([
        'In the editor: Selected text',
        expect.stringMatching(/^Chapters: 第.章/),
        expect.stringMatching(/^Chapters: 第.章/),
        'Other texts: 总纲',
        'Cards and lore: 盐渡',
        'Cards and lore: 沈砚秋',
        'Checkpoints: 开头「改」过',
      ]);
      expect(items.at(-1)?.mention).toMatchObject({ kind: 'checkpoint', title: expect.stringMatching(/^开头改过 /) });
    }));

  test('is found by title, by path, and a chapter by its number', () =>
    withEngine(book, createScriptedClient(), async (bench) => {
      const find = async (query: string): Promise<readonly string[]> => (await all().find(projectOf(bench), query, true)).map(({ title }) => title);
      expect(await find('雨夜来')).toEqual(['第一章 雨夜来信']);
      expect(await find('来信')).toEqual(['第一章 雨夜来信', '第二章 来信']);
      expect(await find('2')).toEqual(['第二章 来信']);
      expect(await find('世界书')).toEqual(['盐渡']);
      expect(await find('不存在')).toEqual([]);
      const [chapter] = await all().find(projectOf(bench), '来信', true);
      expect(chapter).toMatchObject({ mention: { kind: 'file', ref: '正文/第一卷/001-雨夜.md' }, detail: '第一卷 · no. 1, 13 words' });
    }));

  test('is read when the list opens, and only filtered while one types', async () => {
    let reads = 0;
    const rows: readonly Candidate[] = Array.from({ length: 3_000 }, (_, at) => ({
      mention: { kind: 'file', ref: `正文/${at}.md` },
      group: '章节',
      icon: 'book',
      title: `第 ${at} 章`,
      detail: '',
      number: at,
    }));
    const sources = createMentionSources([{ all: () => { reads += 1; return Promise.resolve(rows); } }]);
    const project = {} as OpenProject;
    expect(await sources.find(project, '', true)).toHaveLength(8);
    expect((await sources.find(project, '２９', false))[0]?.title).toBe('第 29 章');
    expect(await sources.find(project, '章', false)).toHaveLength(20);
    expect(reads).toBe(1);
    await sources.find(project, '', true);
    expect(reads).toBe(2);
  });
});
