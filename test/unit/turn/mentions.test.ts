import { describe, expect, it } from 'vitest';
import type { Mention } from '../../../src/engine/session/mentions';
import type { EngineBench } from '../../fakes/engine-bench';
import { collect, must, withEngine } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const rain = '正文/001-雨夜.md';
const book = {
  [rain]: '# 雨夜\n\n雨下了三天。\n',
  '设定/人物.md': '# 人物\n\n阿沅，渡口的船工。\n',
};

const say = (bench: EngineBench, text: string, mentions: readonly Mention[]): ReturnType<typeof collect> =>
  collect(bench.engine.turns.run(bench.session, { text, mentions }, new AbortController().signal));

/** What stands of 【提到的内容】 before the words in the last message sent. */
const block = (message: unknown): string => {
  const { content } = message as { readonly content: string };
  return content.slice(content.search(/【(提到的内容|Mentioned)】/), content.lastIndexOf('\n\n'));
};

describe('what the user points at', () => {
  it('is recorded with the words and told once, frozen: files by path, length and title, no text of theirs', () => {
    const client = createScriptedClient([says('好。'), says('还在。')]);
    return withEngine(book, client, async (bench) => {
      await say(bench, '对照 @设定/人物.md 看', [
        { kind: 'file', ref: '设定/人物.md', title: '人物' },
        { kind: 'file', ref: rain, title: '雨夜' },
        { kind: 'file', ref: rain, title: '雨夜' },
        { kind: 'file', ref: '正文/没有.md' },
        { kind: 'file', ref: '../外面.md' },
        { kind: 'file', ref: '.liyuan/project.json' },
      ]);
      expect(bench.branch()[0]).toMatchObject({ type: 'user', data: { attachments: [{ kind: 'file', ref: '设定/人物.md', title: '人物' }, { ref: rain }, {}, {}, {}, {}] } });
      expect(block(client.requests[0]?.messages.at(-1))).toBe(
        [
          '【提到的内容】',
          '设定/人物.md　11 字　人物',
          `${rain}　8 字　雨夜`,
          '正文/没有.md　（现在读不到这个文件）',
          '../外面.md　（现在读不到这个文件）',
          '.liyuan/project.json　（现在读不到这个文件）',
        ].join('\n'),
      );
      expect(JSON.stringify(client.requests[0]?.messages)).not.toContain('船工');
      expect(bench.branch()[1]).toMatchObject({ type: 'context', data: { blocks: [{}, { kind: 'mentions', title: '【提到的内容】' }] } });
      await bench.turn('然后');
      expect(client.requests[1]?.messages.slice(0, 2)).toEqual(client.requests[0]?.messages);
      for (const [at, trace] of must(await bench.engine.traces(bench.session.header.id)).entries()) {
        expect(must(await bench.engine.rebuild(trace))).toEqual(client.requests[at]?.messages);
      }
    });
  });

  it('is a selection with its lines and its very words; of a long one the beginning, saying so', () => {
    const client = createScriptedClient([says('好。'), says('好。')]);
    return withEngine(book, client, async (bench) => {
      await say(bench, '改这句', [{ kind: 'selection', ref: rain, start: 3, end: 3, text: '雨下了```三天。' }]);
      expect(block(client.requests[0]?.messages.at(-1))).toBe(['【提到的内容】', `${rain} 第 3 行，作者选中的文字：`, '````', '雨下了```三天。', '````'].join('\n'));
      await say(bench, '改这段', [{ kind: 'selection', ref: rain, start: 1, end: 9, text: '雨'.repeat(4_001) }]);
      expect(block(client.requests[1]?.messages.at(-1))).toBe(
        ['【提到的内容】', `${rain} 第 1–9 行，作者选中的文字：`, '```', '雨'.repeat(4_000), '```', '（选中的文字共 4001 字，这里只是开头）'].join('\n'),
      );
    });
  });

  it('is a checkpoint with what has changed since, file by file', () => {
    const client = createScriptedClient([says('好。')]);
    return withEngine(book, client, async (bench) => {
      const first = must(await bench.engine.checkpoints.take({ author: 'user', message: '第一版' }));
      await bench.documents.put(rain, new TextEncoder().encode('# 雨夜\n\n雨下了五天五夜。\n'));
      await say(bench, '差在哪', [
        { kind: 'checkpoint', ref: first?.id ?? '', title: '第一版' },
        { kind: 'checkpoint', ref: 'gone', title: '没了的' },
      ]);
      expect(block(client.requests[0]?.messages.at(-1))).toMatch(
        /^【提到的内容】\n检查点「第一版」（\d{4}-\d\d-\d\d \d\d:\d\d）到现在的改动：\n正文\/001-雨夜\.md　\+3 字 −1 字\n检查点「没了的」　（已经不在了）$/,
      );
    });
  });

  it('goes along with words that steer, before them in their message, and can be proved', () => {
    let bench: EngineBench | undefined;
    const client = createScriptedClient([
      async function* () {
        if (bench !== undefined) must(await bench.engine.turns.steer(bench.session, { text: '照 @设定/人物.md', mentions: [{ kind: 'file', ref: '设定/人物.md' }] }));
        yield* asks(call('read', { path: rain }));
      },
      says('好。'),
    ]);
    return withEngine(book, client, async (made) => {
      bench = made;
      await made.turn('改');
      expect(client.requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: '【提到的内容】\n设定/人物.md　11 字　人物\n\n照 @设定/人物.md' });
      const traces = must(await made.engine.traces(made.session.header.id));
      expect(must(await made.engine.rebuild(traces[1] ?? expect.fail()))).toEqual(client.requests[1]?.messages);
      const turn = { sessionId: made.session.header.id, userEntryId: made.session.path()[0] ?? '' };
      expect(must(await made.engine.undoTurn(made.session, turn)).mentions).toEqual([{ kind: 'file', ref: '设定/人物.md' }]);
    });
  });

  it('speaks the language of the project', () => {
    const client = createScriptedClient([says('Fine.')]);
    return withEngine(
      book,
      client,
      async (bench) => {
        await say(bench, 'Look', [{ kind: 'file', ref: rain }]);
        expect(block(client.requests[0]?.messages.at(-1))).toBe(`【Mentioned】\n${rain}  8 words  雨夜`);
      },
      { language: 'en' },
    );
  });

  it('costs what is mentioned, however long the book is', async () => {
    const readsWith = async (chapters: number): Promise<number> => {
      const many = Object.fromEntries(Array.from({ length: chapters }, (_, at) => [`正文/${String(at + 10)}-章.md`, '雨。\n']));
      const client = createScriptedClient([says('好。'), says('好。')]);
      return withEngine({ ...book, ...many }, client, async (bench) => {
        await bench.turn('先说一句');
        let reads = 0;
        const { read } = bench.documents;
        Object.assign(bench.documents, { read: (path: string) => { reads += 1; return read(path); } });
        await say(bench, '看', [{ kind: 'file', ref: rain }]);
        return reads;
      });
    };
    expect(await readsWith(120)).toBe(await readsWith(4));
  });
});
