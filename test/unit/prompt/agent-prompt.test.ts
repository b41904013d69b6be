import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Chapter } from '../../../src/engine/manuscript/manuscript';
import { agentSystem, stateBlocks } from '../../../src/engine/prompt/agent-prompt';
import { loadPromptAssets } from '../../../src/engine/prompt/assets';
import type { AuthorChange } from '../../../src/engine/prompt/author-changes';
import { renderAuthorChanges } from '../../../src/engine/prompt/author-changes';
import { ruleBlocks } from '../../../src/engine/prompt/rule-blocks';
import { ASSETS, must, withEngine } from '../../fakes/engine-bench';
import { createScriptedClient, says } from '../../fakes/models';

const zh = must(await loadPromptAssets(ASSETS, 'zh'));
const en = must(await loadPromptAssets(ASSETS, 'en'));
const config = { v: 1, title: '盐渡来信', language: 'zh', folders: { manuscript: '正文', texts: ['大纲', '设定'] } } as const;

const none = { path: '', text: undefined, on: true };
const told = (text: string): ReturnType<typeof ruleBlocks> =>
  ruleBlocks({ agents: { id: 'agents', path: 'AGENTS.md', text, on: true }, style: { id: 'style', ...none }, forbidden: { id: 'forbidden', ...none, words: [] } }, zh.texts);

describe('the system message', () => {
  it('is the rules, the author’s rules, the facts, one blank line between them', () => {
    expect(agentSystem({ assets: { ...zh, agentRules: '规则。' }, config, rules: told('写短句。\r\n') }).message).toEqual({
      role: 'system',
      content: [
        '规则。',
        '# 作者的要求（AGENTS.md）\n\n写短句。',
        '# 这个项目\n\n- 书名：盐渡来信\n- 正文：`正文/`\n- 其他文字：`大纲/`、`设定/`',
      ].join('\n\n'),
    });
  });

  it('leaves out author’s rules that are not there or blank, and takes material before the facts', () => {
    const material = [{ kind: 'card', title: '沈砚秋', source: '角色卡/沈砚秋.json', text: '写得冷一些。' }];
    const { blocks } = agentSystem({ assets: en, config: { ...config, language: 'en' }, rules: told(' \n'), material });
    expect(blocks.map(({ kind }) => kind)).toEqual(['rules', 'card', 'facts']);
    expect(blocks[0]?.source).toBe('prompts/en/agent.md');
  });

  it('keeps its rules short', () => {
    expect(zh.agentRules.length).toBeLessThan(500);
    expect(en.agentRules.length).toBeLessThan(1_300);
  });

  it('reads AGENTS.md only where the workspace is trusted', async () => {
    const files = { 'AGENTS.md': '不写梦。\n', '正文/001.md': '雨。\n' };
    for (const trusted of [true, false]) {
      const client = createScriptedClient([says('好。')]);
      await withEngine(
        files,
        client,
        async ({ turn }) => {
          await turn('你好');
        },
        { trusted },
      );
      expect(client.requests[0]?.messages[0]?.content.includes('不写梦。')).toBe(trusted);
    }
  });
});

describe('the first request of a small project', () => {
  it('is these bytes', async () => {
    const client = createScriptedClient([says('好。')]);
    await withEngine(
      { '正文/第一卷/002-来信.md': '# 来信\n\n信到了。\n', '正文/第一卷/001-雨夜.md': '# 雨夜\n\n雨下了三天。\n', '设定/人物.md': '阿沅\n' },
      client,
      async ({ turn }) => {
        await turn('第一章写了什么？');
      },
    );
    const rules = (await readFile(join(ASSETS, 'prompts/zh/agent.md'), 'utf8')).trim();
    expect(client.requests[0]?.messages).toEqual([
      {
        role: 'system',
        content: `${rules}\n\n# 这个项目\n\n- 书名：盐渡来信\n- 正文：\`正文/\`\n- 其他文字：\`大纲/\`、\`设定/\`、\`角色卡/\`、\`世界书/\`、\`预设/\``,
      },
      {
        role: 'user',
        content: [
          '【正文目录】',
          '正文/ 共 2 个文件 14 字（按文件名排序）',
          '正文/第一卷/001-雨夜.md　8 字　2026-03-04 05:06',
          '正文/第一卷/002-来信.md　6 字　2026-03-04 05:06',
          '',
          '第一章写了什么？',
        ].join('\n'),
      },
    ]);
  });
});

describe('【正文目录】', () => {
  const chapter = (n: number, volume: string): Chapter => ({
    path: `正文/${volume === '' ? '' : `${volume}/`}${n}.md`,
    volume,
    title: String(n),
    words: n,
    mtime: new Date(2026, 0, 1, 0, n).getTime(),
    dirty: false,
  });
  const lines = (chapters: readonly Chapter[]): readonly string[] =>
    stateBlocks({ texts: zh.texts, folder: '正文', chapters })[0]?.text.split('\n') ?? [];

  it('says so when there is no chapter', () => {
    expect(lines([])).toEqual(['【正文目录】', '正文/ 共 0 个文件 0 字（按文件名排序）']);
  });

  it('shows 60 chapters one by one', () => {
    expect(lines(Array.from({ length: 60 }, (_, i) => chapter(i + 1, '')))).toHaveLength(62);
  });

  it('of more shows the newest 20, in order, and the totals of the volumes for the rest', () => {
    const chapters = [
      ...Array.from({ length: 30 }, (_, i) => chapter(i + 1, '卷一')),
      ...Array.from({ length: 31 }, (_, i) => chapter(i + 31, '卷二')),
    ];
    const shown = lines(chapters);
    expect(shown).toHaveLength(24);
    expect(shown.slice(1, 5)).toEqual([
      '正文/ 共 61 个文件 1891 字（按文件名排序）',
      '正文/卷一/ 其余 30 个文件 465 字',
      '正文/卷二/ 其余 11 个文件 396 字',
      '正文/卷二/42.md　42 字　2026-01-01 00:42',
    ]);
  });

  it('never has more than 60 lines of chapters and volumes', () => {
    const chapters = Array.from({ length: 300 }, (_, i) => chapter(i + 1, `卷${Math.floor(i / 3)}`));
    const shown = lines(chapters);
    expect(shown).toHaveLength(62);
    expect(shown[41]).toBe('其余 55 卷 163 个文件 32437 字');
  });
});

describe('【作者的改动】', () => {
  const change = (path: string, rest: Partial<AuthorChange['change']>): AuthorChange['change'] => ({
    path,
    before: 'a'.repeat(64),
    after: 'b'.repeat(64),
    added: 0,
    removed: 0,
    ...rest,
  });

  it('names new, deleted and renamed files, and shows what differs in changed ones', () => {
    expect(
      renderAuthorChanges(
        [
          {
            change: change('正文/001.md', { added: 2, removed: 1 }),
            before: '# 雨夜\n\n雨下了三天。\n门开了。\n',
            after: '# 雨夜\n\n雨下了整五天。\n\n门开了。\n',
          },
          { change: change('正文/002.md', { before: null, added: 9 }) },
          { change: change('正文/003.md', { after: null, removed: 7 }) },
          { change: change('正文/005.md', { from: '正文/004.md' }), before: '一\n', after: '一\n' },
        ],
        zh.texts,
      ),
    ).toBe(
      [
        '【作者的改动】',
        '正文/001.md　+2 字 −1 字',
        '- 雨下了三天。',
        '+ 雨下了整五天。',
        '正文/002.md　新文件，9 字',
        '正文/003.md　已删除，7 字',
        '正文/004.md → 正文/005.md　+0 字 −0 字',
      ].join('\n'),
    );
  });

  it('cuts a long paragraph around what differs', () => {
    const text = renderAuthorChanges(
      [
        {
          change: change('正文/001.md', {}),
          before: `${'前'.repeat(500)}三${'后'.repeat(500)}\n`,
          after: `${'前'.repeat(500)}五${'后'.repeat(500)}\n`,
        },
      ],
      zh.texts,
    );
    expect(text.split('\n').slice(2)).toEqual([
      `- …${'前'.repeat(24)}三${'后'.repeat(24)}…`,
      `+ …${'前'.repeat(24)}五${'后'.repeat(24)}…`,
    ]);
  });

  it('stays short', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({
      change: change(`正文/${i}.md`, {}),
      before: '甲\n'.repeat(20),
      after: '乙\n'.repeat(20),
    }));
    const text = renderAuthorChanges(many, zh.texts);
    expect(text.split('\n').length).toBeLessThanOrEqual(1 + 20 + 40 + 20 + 1);
    expect(text).toContain('（另有 10 个文件）');
  });

  it('comes with the turn after the author changed something, and only then', async () => {
    const client = createScriptedClient([says('一'), says('二'), says('三')]);
    await withEngine({ '正文/001.md': '雨下了三天。\n' }, client, async ({ turn, documents }) => {
      await turn('一');
      await documents.type('正文/001.md', '三天', '四天');
      await turn('二');
      await turn('三');
    });
    const words = client.requests.map(({ messages }) => messages.at(-1)?.content ?? '');
    expect(words.map((text) => text.includes('【作者的改动】'))).toEqual([false, true, false]);
    expect(words[1]).toContain('【作者的改动】\n正文/001.md　+1 字 −1 字\n- 雨下了三天。\n+ 雨下了四天。\n\n二');
  });

  it('does not hold what the agent itself changed', async () => {
    const client = createScriptedClient([
      [
        { type: 'toolCall', callId: 'e', name: 'edit', args: JSON.stringify({ path: '正文/001.md', old: '三天', new: '五天' }) },
        { type: 'done', reason: 'tool_calls' },
      ],
      says('一'),
      says('二'),
    ]);
    await withEngine({ '正文/001.md': '雨下了三天。\n' }, client, async ({ turn }) => {
      await turn('改');
      await turn('聊');
    });
    expect(client.requests[2]?.messages.at(-1)?.content).not.toContain('【作者的改动】');
  });
});
