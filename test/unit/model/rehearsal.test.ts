import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../../src/engine/ports/models';
import { createRehearsalClient } from '../../../src/engine/model/rehearsal';
import type { ModelEvent, ModelRequest } from '../../../src/engine/ports/models';
import { createFakeClock } from '../../fakes/clock';
import { play } from './rehearsal-stage';

const NOVEL = {
  '正文/001-雨夜.md': '# 第一章 雨夜\n\n雨下了一夜。沈砚秋没有睡。\n\n「你听。」陆怀舟说，「雨停了。」\n',
  '正文/002-渡口.md': '# 第二章 渡口\n\n沈砚秋在七里沙等船。\n\n陆怀舟没有来，雨又下了。\n',
  '设定/人物.md': '# 人物\n\n## 沈砚秋\n信差。\n\n## 陆怀舟\n修表匠。\n',
  '世界书/盐渡.json': '{\n  "entries": {\n    "0": {\n      "comment": "七里沙",\n      "content": "滩。"\n    }\n  }\n}\n',
};
const CLOSING = '（我是排练模型：不联网，按固定规则办事，只照做字面上的要求。设好真正的模型以后，这里就换成它。）';

describe('changing words', () => {
  it('finds the one place by grep, edits it and reports from the receipt', async () => {
    await play({ files: NOVEL, words: '把「雨下了一夜」改成「雪下了一夜」' }, async ({ calls, texts, text }) => {
      expect(calls).toEqual([
        'grep {"pattern":"雨下了一夜","limit":200}',
        'edit {"edits":[{"path":"正文/001-雨夜.md","old":"雨下了一夜","new":"雪下了一夜"}]}',
      ]);
      expect(texts).toEqual([
        '【排练】先找「雨下了一夜」在哪里。',
        '【排练】改 1 处。',
        `【排练】已把「雨下了一夜」改成「雪下了一夜」：\n- 正文/001-雨夜.md，第 3 行\n\n${CLOSING}`,
      ]);
      expect(await text('正文/001-雨夜.md')).toBe('# 第一章 雨夜\n\n雪下了一夜。沈砚秋没有睡。\n\n「你听。」陆怀舟说，「雨停了。」\n');
    });
  });

  it('in a named chapter it changes every place, quoting more of a line where the words alone occur twice', async () => {
    await play({ files: NOVEL, words: '在第一章里把「雨」都改成「雪」。' }, async ({ calls, text }) => {
      expect(calls).toEqual([
        'outline {}',
        'grep {"pattern":"雨","path":"正文/001-雨夜.md","limit":200}',
        'edit {"edits":[{"path":"正文/001-雨夜.md","old":" 雨夜","new":" 雪夜"},{"path":"正文/001-雨夜.md","old":"雨下","new":"雪下"},{"path":"正文/001-雨夜.md","old":"「雨停","new":"「雪停"}]}',
      ]);
      expect(await text('正文/001-雨夜.md')).toBe('# 第一章 雪夜\n\n雪下了一夜。沈砚秋没有睡。\n\n「你听。」陆怀舟说，「雪停了。」\n');
      expect(await text('正文/002-渡口.md')).toBe(NOVEL['正文/002-渡口.md']);
    });
  });

  it('changes the whole book when told to, in one atomic call', async () => {
    await play({ files: NOVEL, words: '全书把「陆怀舟」改成「陆远」' }, async ({ calls, text, reply }) => {
      expect(calls.map((call) => call.split(' ')[0])).toEqual(['grep', 'edit']);
      expect(await text('正文/001-雨夜.md')).toContain('陆远说');
      expect(await text('正文/002-渡口.md')).toContain('陆远没有来');
      expect(await text('设定/人物.md')).toContain('## 陆远\n');
      expect(reply).toContain('- 正文/002-渡口.md，第 5 行');
    });
  });

  it('asks which place is meant when there are several and nobody said, and changes that one', async () => {
    const asked: string[] = [];
    await play(
      {
        files: NOVEL,
        words: '把「沈砚秋」改成「沈秋」',
        answer: (question, options) => {
          asked.push(question, ...options);
          return options[1];
        },
      },
      async ({ calls, text }) => {
        expect(asked).toEqual(['「沈砚秋」有 3 处，改哪里？', '3 处都改', '只改 正文/001-雨夜.md 第 3 行', '只改 正文/002-渡口.md 第 3 行', '先不改']);
        expect(calls.at(-1)).toBe('edit {"edits":[{"path":"正文/001-雨夜.md","old":"沈砚秋","new":"沈秋"}]}');
        expect(await text('正文/002-渡口.md')).toContain('沈砚秋');
      },
    );
  });

  it.each([
    ['先不改', '【排练】好，没有改。'],
    [undefined, '【排练】好，先放着。'],
  ])('changes nothing when the answer is %j', async (answer, start) => {
    await play({ files: NOVEL, words: '把「沈砚秋」改成「沈秋」', answer: () => answer }, async ({ calls, reply, text }) => {
      expect(calls.map((call) => call.split(' ')[0])).toEqual(['grep', 'ask']);
      expect(reply.startsWith(start)).toBe(true);
      expect(await text('正文/001-雨夜.md')).toBe(NOVEL['正文/001-雨夜.md']);
    });
  });

  it('reads the text when lines are alike, and quotes them together', async () => {
    const files = { '正文/001-钟.md': '# 钟\n\n当。\n当。\n当。\n' };
    await play({ files, words: '把第一章的「当」改成「咚」' }, async ({ calls, text }) => {
      expect(calls.slice(2)).toEqual(['read {"path":"正文/001-钟.md","start":1}', 'edit {"edits":[{"path":"正文/001-钟.md","old":"当。\\n当。\\n当。","new":"咚。\\n咚。\\n咚。"}]}']);
      expect(await text('正文/001-钟.md')).toBe('# 钟\n\n咚。\n咚。\n咚。\n');
    });
  });

  it('of alike lines changes the one chosen, told by its neighbours', async () => {
    const files = { '正文/001-钟.md': '# 钟\n\n当。\n甲\n当。\n乙\n' };
    await play({ files, words: '把「当」改成「咚」', answer: (_, options) => options[2] }, async ({ text }) => {
      expect(await text('正文/001-钟.md')).toBe('# 钟\n\n当。\n甲\n咚。\n乙\n');
    });
  });

  it('adds after a sentence, and takes a sentence out', async () => {
    await play({ files: NOVEL, words: '在「沈砚秋没有睡。」后面加上「她在听钟。」，再删掉「雨又下了」' }, async ({ text }) => {
      expect(await text('正文/001-雨夜.md')).toContain('沈砚秋没有睡。她在听钟。\n');
      expect(await text('正文/002-渡口.md')).toContain('陆怀舟没有来，。');
    });
  });

  it('takes $ and quotes in the new words literally', async () => {
    await play({ files: NOVEL, words: '把「雨下了一夜」改成「他说『$& 走』」' }, async ({ text }) => {
      expect(await text('正文/001-雨夜.md')).toContain('他说『$& 走』。沈砚秋');
    });
  });

  it('says so when the words are not there, and changes nothing', async () => {
    await play({ files: NOVEL, words: '把「不存在」改成「存在」' }, async ({ calls, reply }) => {
      expect(calls).toHaveLength(1);
      expect(reply).toBe(`【排练】没有找到「不存在」，什么也没有改。\n\n${CLOSING}`);
      return Promise.resolve();
    });
  });

  it('says in full what it is once in a conversation, and by its mark each time', async () => {
    const client = createRehearsalClient({ language: 'zh', clock: createFakeClock(), pieceMs: 0 });
    const messages: ModelMessage[] = [];
    const replies: string[] = [];
    for (const content of ['你好', '再见']) {
      messages.push({ role: 'user', content });
      let reply = '';
      for await (const event of client.stream({ messages }, new AbortController().signal)) if (event.type === 'text') reply += event.text;
      messages.push({ role: 'assistant', content: reply });
      replies.push(reply);
    }
    expect(replies.map((reply) => [reply.startsWith('【排练】'), reply.includes(CLOSING)])).toEqual([[true, true], [true, false]]);
  });

  it('understands English and answers in it when that is its language', async () => {
    const files = { '正文/001-rain.md': '# Rain\n\nIt rained all night. Ada did not sleep.\n' };
    await play({ files, words: 'Please change "rained" to "snowed" in chapter 1.', language: 'en' }, async ({ text, reply }) => {
      expect(await text('正文/001-rain.md')).toBe('# Rain\n\nIt snowed all night. Ada did not sleep.\n');
      expect(reply).toBe(
        '[Rehearsal] Changed "rained" to "snowed":\n- 正文/001-rain.md, line 3\n\n(I am the rehearsal model: no network, fixed rules, literal requests only. Set up a real model and it takes my place.)',
      );
    });
  });
});

describe('reading, then changing, then talking', () => {
  it('carries out several requests of one message in their order', async () => {
    await play({ files: NOVEL, words: '先读前两章，然后把「雨下了一夜」改成「雪下了一夜」，把「等船」改成「等人」。' }, async ({ calls, texts }) => {
      expect(calls.map((call) => call.split(' ')[0])).toEqual(['outline', 'read', 'read', 'grep', 'edit', 'grep', 'edit']);
      expect(texts[2]).toBe(
        '【排练】第一章 雨夜：第 1 到 5 行，共 5 行。头一句「雨下了一夜。」，末一句「陆怀舟说，「雨停了。」」。\n第二章 渡口：第 1 到 5 行，共 5 行。头一句「沈砚秋在七里沙等船。」，末一句「陆怀舟没有来，雨又下了。」。\n先找「雨下了一夜」在哪里。',
      );
      return Promise.resolve();
    });
  });

  it('tells the outline, and where words stand', async () => {
    await play({ files: NOVEL, words: '看看目录；搜索「雨」' }, async ({ calls, reply, texts }) => {
      expect(calls).toEqual(['outline {}', 'grep {"pattern":"雨"}']);
      expect(texts[1]).toContain('- 第一章 雨夜（正文/001-雨夜.md，');
      expect(reply).toContain('「雨」见于 4 行：');
      return Promise.resolve();
    });
  });

  it('without a request it can carry out it calls nothing and says what it can do', async () => {
    await play({ files: NOVEL, words: '你觉得这一章的节奏怎么样？' }, async ({ calls, reply }) => {
      expect(calls).toEqual([]);
      expect(reply).toContain('把「旧字句」改成「新字句」');
      expect(reply.endsWith(CLOSING)).toBe(true);
      return Promise.resolve();
    });
  });
});

describe('chapters', () => {
  it('writes a new one after the last, with names and places it found in the files', async () => {
    await play({ files: NOVEL, words: '新建一章《雾里的船》，写沈砚秋在码头等到天亮' }, async ({ calls, text, reply }) => {
      expect(calls.map((call) => call.split(' ')[0])).toEqual(['outline', 'list', 'list', 'list', 'list', 'read', 'read', 'grep', 'write']);
      expect(await text('正文/003-雾里的船.md')).toBe(
        '# 第三章 雾里的船\n\n七里沙安静下来的时候，天还没有全黑。\n\n沈砚秋在码头等到天亮。\n\n沈砚秋站了一会儿，把要说的话又想了一遍。\n\n「你来得早。」陆怀舟说。\n\n「睡不着。」沈砚秋把手收进袖子里，「有件事，我想当面问你。」\n\n灯晃了一下。谁也没有先开口。\n',
      );
      expect(reply).toContain('人名地名取自已有的文件：沈砚秋、陆怀舟、七里沙');
    });
  });

  it('does not write over a chapter of that title', async () => {
    await play({ files: NOVEL, words: '新建一章《渡口》' }, async ({ calls, reply }) => {
      expect(calls).toEqual(['outline {}']);
      expect(reply).toContain('已经有《渡口》了：正文/002-渡口.md');
      return Promise.resolve();
    });
  });

  it('writes the first chapter of an empty book into the manuscript folder', async () => {
    await play({ files: { '设定/人物.md': '# 人物\n' }, words: '新建一章《开场》' }, async ({ text }) => {
      expect(await text('正文/001-开场.md')).toMatch(/^# 开场\n\n/);
    });
  });

  it('renames the file and the heading inside, keeping number and 「第…章」', async () => {
    await play({ files: NOVEL, words: '把第二章重命名为《等船》' }, async ({ calls, text }) => {
      expect(calls).toEqual([
        'outline {}',
        'rename {"from":"正文/002-渡口.md","to":"正文/002-等船.md"}',
        'edit {"edits":[{"path":"正文/002-等船.md","old":"# 第二章 渡口","new":"# 第二章 等船"}]}',
      ]);
      expect(await text('正文/002-等船.md')).toMatch(/^# 第二章 等船\n/);
    });
  });

  it.each(['删除《渡口》', '把最后一章删掉', '删除正文/002-渡口.md', '删掉第二章', 'delete chapter 2'])('deletes the one that is named: %s', async (words) => {
    await play({ files: NOVEL, words }, async ({ calls }) => {
      expect(calls).toEqual(['outline {}', 'delete {"path":"正文/002-渡口.md"}']);
      return Promise.resolve();
    });
  });

  it('names the chapters there are when one is not found', async () => {
    await play({ files: NOVEL, words: '读第九章' }, async ({ reply }) => {
      expect(reply).toContain('没有找到「第9章」这一章。现有：第一章 雨夜、第二章 渡口。');
      return Promise.resolve();
    });
  });
});

describe('options', () => {
  it('asks one question with four different answers made from the files, and takes the answer', async () => {
    let offered: readonly string[] = [];
    await play(
      {
        files: NOVEL,
        words: '接下来怎么写？给个选项',
        answer: (_, options) => {
          offered = options;
          return options[1];
        },
      },
      async ({ reply }) => {
        expect(offered).toEqual(['沈砚秋把话问明白', '沈砚秋独自去七里沙', '换到陆怀舟那一边去写', '先不推进，写一场安静的戏']);
        expect(reply).toContain('定了：沈砚秋独自去七里沙。');
        return Promise.resolve();
      },
    );
  });
});

describe('as a model', () => {
  const request: ModelRequest = {
    messages: [{ role: 'user', content: '目录' }],
    tools: [{ name: 'outline', description: '', parameters: {} }],
  };

  it('answers the same messages with the same events', async () => {
    const client = createRehearsalClient({ language: 'zh', clock: createFakeClock(), pieceMs: 0 });
    const once = await all(client.stream(request, new AbortController().signal));
    expect(once).toEqual([
      { type: 'text', text: '【排练' },
      { type: 'text', text: '】先看' },
      { type: 'text', text: '目录。' },
      { type: 'toolCallStart', callId: expect.stringMatching(/^[0-9a-f]{8}0$/), name: 'outline' },
      { type: 'toolCallDelta', callId: expect.any(String), args: '{}' },
      { type: 'toolCall', callId: expect.any(String), name: 'outline', args: '{}' },
      { type: 'done', reason: 'tool_calls' },
    ]);
    expect(await all(client.stream(request, new AbortController().signal))).toEqual(once);
  });

  it('calls nothing when tools are refused for this call', async () => {
    const client = createRehearsalClient({ language: 'zh', clock: createFakeClock(), pieceMs: 0 });
    const events = await all(client.stream({ ...request, toolChoice: 'none' }, new AbortController().signal));
    expect(events.at(-1)).toEqual({ type: 'done', reason: 'stop' });
    expect(textOf(events)).toBe(`【排练】这一次没有工具可用，我什么也没有改。\n\n${CLOSING}`);
  });

  it('takes its time between pieces by the clock', async () => {
    const clock = createFakeClock();
    const client = createRehearsalClient({ language: 'zh', clock, pieceMs: 15 });
    const stream = client.stream(request, new AbortController().signal)[Symbol.asyncIterator]();
    let first: unknown;
    const next = stream.next().then((result) => {
      first = result.value;
    });
    await clock.advanceAsync(14);
    expect(first).toBeUndefined();
    await clock.advanceAsync(1);
    await next;
    expect(first).toEqual({ type: 'text', text: '【排练' });
  });

  it('stops at once when aborted, and leaves no timer behind', async () => {
    const clock = createFakeClock();
    const client = createRehearsalClient({ language: 'zh', clock, pieceMs: 15 });
    const stop = new AbortController();
    const events = all(client.stream(request, stop.signal));
    await clock.advanceAsync(15);
    stop.abort();
    expect(await events).toEqual([
      { type: 'text', text: '【排练' },
      { type: 'error', error: { code: 'turn.aborted' }, retryable: false },
    ]);
    expect(clock.pending()).toBe(0);
  });

  it('takes only what follows the blocks of the program for the author’s words', async () => {
    const client = createRehearsalClient({ language: 'zh', clock: createFakeClock(), pieceMs: 0 });
    const content = '【正文目录】\n正文/ 共 0 个文件\n\n【作者的改动】\n- 把「甲」改成「乙」\n\n你好';
    const events = await all(client.stream({ ...request, messages: [{ role: 'user', content }] }, new AbortController().signal));
    expect(events.some((event) => event.type === 'toolCall')).toBe(false);
  });
});

async function all(stream: AsyncIterable<ModelEvent>): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

describe('asked for a summary of earlier turns', () => {
  it.each([
    ['zh', '【已有提要】\n旧的\n\n【要并入的对话】\n第 3 轮\n作者：改雨\n你：好\n\n第 4 轮\n作者：改雪', '旧的\n- 改雨（第 3 轮）\n- 改雪（第 4 轮）'],
    ['en', '【Conversation to take in】\nTurn 1\nAuthor: snow\nYou: done', '[Rehearsal] I cannot condense; this is what the author said, turn by turn:\n- snow (turn 1)'],
  ] as const)('lists what the author said (%s)', async (language, told, answer) => {
    const client = createRehearsalClient({ language, clock: createFakeClock(), pieceMs: 0 });
    let text = '';
    for await (const event of client.stream({ messages: [{ role: 'system', content: '' }, { role: 'user', content: told }] }, new AbortController().signal)) {
      if (event.type === 'text') text += event.text;
    }
    expect(text).toBe(answer);
  });
});
