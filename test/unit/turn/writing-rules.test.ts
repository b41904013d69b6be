import { describe, expect, it } from 'vitest';
import type { EngineBench } from '../../fakes/engine-bench';
import { must, withEngine } from '../../fakes/engine-bench';
import type { ScriptedAnswer, ScriptedClient } from '../../fakes/models';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const chapter = '正文/001-雨夜.md';
const book = {
  [chapter]: '# 雨夜\n\n她不禁停下。\n雨下了三天。\n',
  'AGENTS.md': '写短句。\n',
  '设定/文风.md': '# 冷\n\n不写梦。\n\n## 禁用词\n- 宛如 → 像\n',
  '设定/禁用词.txt': '# 少用\n不禁\n忽然 → 一下子/就\n',
};

const rulesBlock = '# 作者的要求（AGENTS.md）\n\n写短句。';
const styleBlock = '# 文风（设定/文风.md）\n\n# 冷\n\n不写梦。\n\n## 禁用词\n- 宛如 → 像';
const wordsBlock = '# 禁用词\n\n作者不要这些词出现在正文里（箭头后是可换的说法）：不禁、忽然 → 一下子/就、宛如 → 像';
const system = (client: ScriptedClient): string => client.requests.at(-1)?.messages[0]?.content ?? '';

const trusting = <T>(answers: readonly ScriptedAnswer[], f: (bench: EngineBench, client: ScriptedClient) => Promise<T>, files: Readonly<Record<string, string>> = book, trusted = true): Promise<T> => {
  const client = createScriptedClient(answers);
  return withEngine(files, client, (bench) => f(bench, client), { trusted });
};

describe('the author’s rules', () => {
  it('stand after the mode’s and before the facts, each a block of the trace, the same bytes from turn to turn', () =>
    trusting([says('好。'), says('好。')], async ({ turn, engine, session }, client) => {
      await turn('一');
      const first = system(client);
      expect(first).toContain(`${rulesBlock}\n\n${styleBlock}\n\n${wordsBlock}\n\n# 这个项目`);
      await turn('二');
      expect(system(client)).toBe(first);
      const [trace] = must(await engine.traces(session.header.id));
      expect(trace?.blocks.filter(({ m }) => m === 0).map(({ kind, source }) => [kind, source])).toEqual([
        ['rules', 'prompts/zh/agent.md'],
        ['project-rules', 'AGENTS.md'],
        ['style-notes', '设定/文风.md'],
        ['forbidden-words', '设定/禁用词.txt'],
        ['facts', 'project.json'],
      ]);
    }));

  it('are read as they stand in the editor, for the next turn', () =>
    trusting([says('好。'), says('好。')], async ({ turn, documents }, client) => {
      await turn('一');
      await documents.type('设定/文风.md', '不写梦。', '不写梦，也不写雪。');
      await turn('二');
      expect(system(client)).toContain('不写梦，也不写雪。');
    }));

  it('can each be left out, from the next turn on; that is kept in project.json', () =>
    trusting([says('好。'), says('好。'), says('好。')], async ({ turn, engine, disk, killed }, client) => {
      await turn('一');
      must(await engine.rules.use('style', false));
      must(await engine.rules.use('agents', false));
      await turn('二');
      expect(system(client)).not.toContain('不写梦');
      expect(system(client)).not.toContain('写短句');
      expect(system(client)).toContain(wordsBlock);
      expect(JSON.parse(await disk('.liyuan/project.json'))).toMatchObject({ rules: { agents: false, style: false } });
      await killed(client, async (later) => {
        must(await later.engine.rules.use('agents', true));
        await later.turn('三');
        expect(system(client)).toContain(rulesBlock);
        expect(system(client)).not.toContain('不写梦');
      });
    }));

  it('are none where the workspace is not trusted', () =>
    trusting(
      [asks(call('edit', { path: chapter, old: '雨下了', new: '雨忽然下了' })), says('好。')],
      async ({ turn, engine, branch }, client) => {
        await turn('一');
        for (const words of ['写短句', '不写梦', '禁用词']) expect(system(client)).not.toContain(words);
        expect(JSON.stringify(branch())).not.toContain('forbidden');
        expect((await engine.rules.states()).map(({ exists, tokens }) => [exists, tokens])).toEqual([[false, 0], [false, 0], [false, 0]]);
        expect(await engine.rules.forbidden()).toBeUndefined();
      },
      book,
      false,
    ));

  it('tell where they are, whether they are used, and what they cost in real tokens', () =>
    trusting([], async ({ engine }) => {
      const states = await engine.rules.states();
      expect(states.map(({ id, path, exists, on, count }) => [id, path, exists, on, count])).toEqual([
        ['agents', 'AGENTS.md', true, true, undefined],
        ['style', '设定/文风.md', true, true, undefined],
        ['forbidden', '设定/禁用词.txt', true, true, 3],
      ]);
      expect(states.every(({ tokens }) => tokens > 5 && tokens < 60)).toBe(true);
    }));

  it('are where project.json says, or would be begun in the folder of notes', () =>
    trusting(
      [says('好。')],
      async ({ engine, turn }, client) => {
        expect((await engine.rules.states()).map(({ path, exists }) => [path, exists])).toEqual([['AGENTS.md', false], ['设定/文风.md', false], ['设定/禁用词.txt', false]]);
        must(await engine.project.update({ files: { style: '大纲/笔法.md' } }));
        await turn('一');
        expect(system(client)).toContain('# 文风（大纲/笔法.md）\n\n冷。');
      },
      { [chapter]: '雨。\n', '大纲/笔法.md': '冷。\n' },
    ));
});

describe('forbidden words in what the agent writes', () => {
  const receipts = ({ branch }: EngineBench): readonly Record<string, unknown>[] =>
    branch().flatMap((entry) => (entry.type === 'tool' ? [JSON.parse(entry.data.result) as Record<string, unknown>] : []));

  it('are in the receipts as data: those of the new text alone, with their lines', () =>
    trusting(
      [
        asks(call('edit', { path: chapter, old: '雨下了三天', new: '雨忽然下了\n宛如三天' })),
        asks(call('write', { path: '正文/002-来信.md', content: '# 来信\n\n她不禁哭了。\n' })),
        asks(call('write', { path: '设定/人物.md', content: '不禁、忽然都是禁用词。\n' })),
        asks(call('edit', { path: '正文/002-来信.md', old: '哭了', new: '笑了' })),
        says('好。'),
      ],
      async (bench) => {
        await bench.turn('写');
        const [edit, write, notes, clean] = receipts(bench);
        expect(edit?.['files']).toEqual([expect.objectContaining({ path: chapter, forbidden: [{ word: '忽然', line: 4 }, { word: '宛如', line: 5 }] })]);
        expect(write).toMatchObject({ done: 'created', forbidden: [{ word: '不禁', line: 3 }] });
        expect(notes).not.toHaveProperty('forbidden');
        expect(JSON.stringify(clean)).not.toContain('forbidden');
      },
    ));

  it('are not looked for when they are not used', () =>
    trusting([asks(call('write', { path: '正文/002.md', content: '不禁\n' })), says('好。')], async (bench, client) => {
      must(await bench.engine.rules.use('forbidden', false));
      await bench.turn('写');
      expect(receipts(bench)[0]).not.toHaveProperty('forbidden');
      expect(system(client)).not.toContain('作者不要这些词');
    }));

  it('are found in the changes of a turn, for who shows them', () =>
    trusting([asks(call('edit', { path: chapter, old: '三天', new: '三天，忽然停了' }), call('write', { path: '正文/002.md', content: '晴。\n' })), says('好。')], async ({ turn, engine }) => {
      const events = await turn('写');
      const changes = events.find((event) => event.type === 'changes');
      expect([...(await engine.rules.forbiddenIn(changes?.changes.files ?? []))]).toEqual([[chapter, [{ word: '忽然', line: 4 }]]]);
    }));
});
