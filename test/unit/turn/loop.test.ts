import { describe, expect, it } from 'vitest';
import type { TurnEvent } from '../../../src/engine/turn/events';
import { inShort, withEngine } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const book = {
  '正文/001-雨夜.md': '# 雨夜\n\n雨下了三天。\n',
  '正文/002-来信.md': '# 来信\n\n信到了。\n',
  '正文/003-渡口.md': '# 渡口\n\n船没有来。\n',
};

const kinds = (events: readonly TurnEvent[]): readonly string[] => events.map(({ type }) => type);
const last = (events: readonly TurnEvent[]): TurnEvent | undefined => events.at(-1);

describe('a turn', () => {
  it('reads three chapters, edits two places, talks, and ends in the agent’s checkpoint', () => {
    const client = createScriptedClient([
      asks(call('read', { path: '正文/001-雨夜.md' }), call('read', { path: '正文/002-来信.md' }), call('read', { path: '正文/003-渡口.md' })),
      asks(
        call('edit', {
          edits: [
            { path: '正文/001-雨夜.md', old: '三天', new: '五天' },
            { path: '正文/003-渡口.md', old: '没有来', new: '终于来了' },
          ],
        }),
      ),
      says('改好了：', '雨下了五天，船来了。'),
    ]);
    return withEngine(book, client, async ({ turn, branch, disk }) => {
      const events = await turn('把雨改成五天，让船来');
      expect(inShort(branch())).toEqual([
        'user 把雨改成五天，让船来',
        'context',
        'step read read read',
        'tool ok',
        'tool ok',
        'tool ok',
        'step edit',
        'tool ok',
        'reply sealed 改好了：雨下了五天，船来了。',
        'checkpoint agent 把雨改成五天，让船来',
        'end done',
      ]);
      expect(await disk('正文/001-雨夜.md')).toBe('# 雨夜\n\n雨下了五天。\n');
      expect(await disk('正文/003-渡口.md')).toBe('# 渡口\n\n船终于来了。\n');
      const changes = events.find((event) => event.type === 'changes');
      expect(changes?.changes.files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
        ['正文/001-雨夜.md', 1, 1],
        ['正文/003-渡口.md', 3, 2],
      ]);
      expect(last(events)).toEqual({ type: 'ended', turnId: branch()[0]?.id, status: 'done' });
    });
  });

  it('has the user’s words on disk before the model is asked', () => {
    const seen: string[] = [];
    let read: () => Promise<string> = () => Promise.resolve('');
    const client = createScriptedClient([
      async function* () {
        seen.push(await read());
        yield* says('好。');
      },
    ]);
    return withEngine(book, client, async ({ turn, disk, session }) => {
      read = () => disk(`.liyuan/sessions/${session.header.id}.jsonl`);
      await turn('你好');
      expect(seen[0]).toContain('"type":"user","data":{"text":"你好"}');
    });
  });

  it('tells its events in order: started, words, deltas of each round, entries that replace them, the end', () => {
    const client = createScriptedClient([
      [{ type: 'reasoning', text: '想想' }, { type: 'text', text: '先看。' }, ...asks(call('read', { path: '正文/001-雨夜.md' }, 'r1'))],
      says('好。'),
    ]);
    return withEngine(book, client, async ({ turn }) => {
      const events = await turn('看看');
      expect(kinds(events)).toEqual([
        'started',
        'entry',
        'phase',
        'checkpoint',
        'entry',
        'phase',
        'reasoning',
        'text',
        'toolStart',
        'entry',
        'phase',
        'toolRun',
        'entry',
        'toolDone',
        'phase',
        'text',
        'usage',
        'phase',
        'entry',
        'entry',
        'ended',
      ]);
      expect(events.flatMap((event) => (event.type === 'phase' ? [event.phase] : []))).toEqual([
        'preparing',
        'generating',
        'tools',
        'generating',
        'finalising',
      ]);
      expect(events.find(({ type }) => type === 'started')).toMatchObject({ model: 'scripted', rehearsal: false });
      expect(events.find(({ type }) => type === 'toolRun')).toMatchObject({ callId: 'r1', args: { path: '正文/001-雨夜.md' } });
    });
  });

  it('keeps as thinking what only a closing tag told to be that, in a step and in a reply', () => {
    const client = createScriptedClient([
      [{ type: 'text', text: '先想' }, { type: 'textWasReasoning' }, { type: 'text', text: '先看。' }, ...asks(call('read', { path: '正文/001-雨夜.md' }, 'r1'))],
      [{ type: 'text', text: '再想' }, { type: 'textWasReasoning' }, ...says('好。')],
    ]);
    return withEngine(book, client, async ({ turn, branch }) => {
      const events = await turn('看看');
      expect(events.flatMap((event) => (event.type === 'textWasReasoning' ? [event.round] : []))).toEqual([1, 2]);
      expect(branch().find(({ type }) => type === 'step')).toMatchObject({ data: { text: '先看。', reasoning: '先想' } });
      expect(branch().find(({ type }) => type === 'reply')).toMatchObject({ data: { text: '好。', reasoning: '再想' } });
      // The thinking goes with the call it led to, and is no word of the answer to the model either.
      expect(client.requests[1]?.messages.find(({ role }) => role === 'assistant')).toMatchObject({ content: '先看。', reasoning: '先想' });
    });
  });

  it('streams what a write is writing, as deltas that join to its content', () => {
    const content = `# 新章\n\n${'雨一直下。😀'.repeat(60)}\n`;
    const text = JSON.stringify({ path: '正文/004-新章.md', content });
    const fragments = text.match(/[\s\S]{1,17}/g) ?? [];
    const client = createScriptedClient([
      [
        { type: 'toolCallStart', callId: 'w', name: 'write' },
        ...fragments.map((args) => ({ type: 'toolCallDelta', callId: 'w', args }) as const),
        { type: 'toolCall', callId: 'w', name: 'write', args: text },
        { type: 'done', reason: 'tool_calls' },
      ],
      says('写好了。'),
    ]);
    return withEngine(book, client, async ({ turn, disk }) => {
      const events = await turn('写新的一章');
      const previews = events.flatMap((event) => (event.type === 'toolPreview' ? [event] : []));
      expect(previews.length).toBeGreaterThan(3);
      expect(new Set(previews.map(({ path }) => path))).toEqual(new Set(['正文/004-新章.md']));
      expect(previews.map(({ contentDelta }) => contentDelta).join('')).toBe(content);
      expect(await disk('正文/004-新章.md')).toBe(content);
    });
  });

  it('stops after 20 rounds with tools, then asks once more with tools offered but not allowed', () => {
    const client = createScriptedClient([
      ...Array.from({ length: 20 }, (_, i) => asks(call('list', {}, `l${i}`))),
      [{ type: 'text', text: '到此为止。' }, ...asks(call('list', {}, 'too-late'))],
    ]);
    return withEngine(book, client, async ({ turn, branch }) => {
      const events = await turn('一直看');
      expect(client.requests.map(({ toolChoice }) => toolChoice)).toEqual([...Array.from({ length: 20 }, () => 'auto'), 'none']);
      expect(client.requests[20]?.tools).toEqual(client.requests[0]?.tools);
      expect(inShort(branch()).filter((entry) => entry.startsWith('step'))).toHaveLength(20);
      expect(inShort(branch()).slice(-2)).toEqual(['reply sealed 到此为止。', 'end done']);
      expect(events.find((event) => event.type === 'toolDone' && event.callId === 'too-late')).toMatchObject({
        ok: false,
        result: '{"error":"not_run"}',
      });
    });
  });

  it('repairs broken JSON, runs it, keeps what was executed and says so in the receipt', () => {
    const client = createScriptedClient([asks(call('read', "{path: '正文/001-雨夜.md',}", 'r')), says('好。')]);
    return withEngine(book, client, async ({ turn, branch }) => {
      await turn('看');
      expect(branch()[2]).toMatchObject({ data: { calls: [{ callId: 'r', args: '{"path":"正文/001-雨夜.md"}' }] } });
      expect(JSON.parse((branch()[3]?.data as { result: string }).result)).toMatchObject({ start: 1, argumentsRepaired: true });
    });
  });

  it('refuses arguments that were cut off at the output limit: half a chapter is none', () => {
    const client = createScriptedClient([
      [...call('write', '{"path":"正文/004.md","content":"半', 'w'), { type: 'done', reason: 'length' }],
      says('算了。'),
    ]);
    return withEngine(book, client, async ({ turn, branch, documents }) => {
      await turn('写');
      expect(inShort(branch())[3]).toBe('tool {"error":"bad_args","field":"","message":"the arguments were cut off"}');
      expect(await documents.bytes('正文/004.md')).toBeUndefined();
    });
  });

  it('answers an unknown tool and hopeless arguments, and goes on', () => {
    const client = createScriptedClient([asks(call('shell', { cmd: 'ls' }, 'a'), call('read', '"""', 'b')), says('好。')]);
    return withEngine(book, client, async ({ turn, branch }) => {
      await turn('看');
      expect(inShort(branch()).slice(2, 5)).toEqual([
        'step shell read',
        'tool {"error":"unknown_tool","name":"shell","tools":["list","read","grep","outline","edit","write","rename","delete","ask"]}',
        expect.stringContaining('"error":"bad_args"'),
      ]);
      expect(last(await turn('再来'))).toMatchObject({ status: 'error' });
    });
  });

  it('gives a call a new id when the endpoint uses one twice', () => {
    const client = createScriptedClient([asks(call('list', {}, 'call_0')), asks(call('list', {}, 'call_0')), says('好。')]);
    return withEngine(book, client, async ({ turn, branch }) => {
      await turn('看');
      const ids = branch().flatMap((entry) => (entry.type === 'step' ? entry.data.calls.map(({ callId }) => callId) : []));
      expect(new Set(ids).size).toBe(2);
      expect(branch().flatMap((entry) => (entry.type === 'tool' ? [entry.data.callId] : []))).toEqual(ids);
    });
  });

  it('tells when the model said nothing, and when it was cut off', () => {
    const client = createScriptedClient([
      [{ type: 'done', reason: 'stop' }],
      [{ type: 'text', text: '说到一半' }, { type: 'done', reason: 'length' }],
    ]);
    return withEngine(book, client, async ({ turn }) => {
      expect(await turn('一')).toContainEqual({ type: 'notice', error: { code: 'turn.no-answer' } });
      expect(await turn('二')).toContainEqual({ type: 'notice', error: { code: 'model.output-limit', args: { limit: 8_192 } } });
    });
  });
});

describe('ask', () => {
  const question = { question: '谁开的门？', options: ['阿沅', '风'] };

  it('waits for the author, whose answer goes on in the same turn', () => {
    const client = createScriptedClient([asks(call('ask', question, 'q')), says('是猫。')]);
    return withEngine(book, client, async ({ turn, branch, ui }) => {
      const running = turn('给个选项');
      await ui.waiting();
      ui.answer({ kind: 'answer', text: '是猫', by: 'text' });
      const events = await running;
      expect(events).toContainEqual({ type: 'ask', callId: 'q', ...question });
      expect(inShort(branch())).toEqual([
        'user 给个选项',
        'context',
        'step ask',
        'choice 是猫',
        'tool ok',
        'reply sealed 是猫。',
        'end done',
      ]);
      expect(client.requests[1]?.messages.at(-1)).toEqual({
        role: 'tool',
        callId: 'q',
        name: 'ask',
        content: '{"answer":"是猫","by":"user"}',
      });
    });
  });

  it('ends the turn when the author stops there, and does not run the calls behind it', () => {
    const client = createScriptedClient([asks(call('ask', question, 'q'), call('delete', { path: '正文/001-雨夜.md' }, 'd'))]);
    return withEngine(book, client, async ({ turn, branch, ui, disk }) => {
      ui.answer({ kind: 'stopped' });
      expect(last(await turn('给个选项'))).toMatchObject({ status: 'stopped' });
      expect(inShort(branch()).slice(2)).toEqual([
        'step ask delete',
        'choice stopped',
        'tool ok',
        'tool {"error":"not_run"}',
        'reply stopped ',
        'end stopped',
      ]);
      expect(await disk('正文/001-雨夜.md')).toBe(book['正文/001-雨夜.md']);
    });
  });
});

describe('stopping', () => {
  it('in the middle of the words keeps what was said', () => {
    const stop = new AbortController();
    const client = createScriptedClient([
      function* () {
        yield { type: 'text', text: '雨一直' } as const;
        stop.abort();
        yield { type: 'text', text: '没说的话' } as const;
      },
      says('接着说。'),
    ]);
    return withEngine(book, client, async ({ turn, branch }) => {
      expect(last(await turn('说说', stop.signal))).toMatchObject({ status: 'stopped' });
      expect(inShort(branch()).slice(2)).toEqual(['reply stopped 雨一直', 'end stopped']);
      await turn('接着');
      expect(client.requests[1]?.messages.map(({ role, content }) => [role, content.split('\n').at(-1)])).toEqual([
        ['system', expect.anything()],
        ['user', '说说'],
        ['assistant', '雨一直'],
        ['user', '接着'],
      ]);
    });
  });

  it('between the calls of a batch runs none of the rest, keeps the edit made, and marks the checkpoint', () => {
    const stop = new AbortController();
    const client = createScriptedClient([
      asks(
        call('edit', { path: '正文/001-雨夜.md', old: '三天', new: '五天' }, 'a'),
        call('edit', { path: '正文/002-来信.md', old: '到了', new: '没到' }, 'b'),
      ),
    ]);
    return withEngine(book, client, async ({ turn, branch, documents, disk }) => {
      documents.before('apply', () => stop.abort());
      await turn('改', stop.signal);
      expect(inShort(branch()).slice(2)).toEqual([
        'step edit edit',
        'tool ok',
        'tool {"error":"not_run"}',
        'reply stopped ',
        'checkpoint agent 改（已中止）',
        'end stopped',
      ]);
      expect(await disk('正文/001-雨夜.md')).toContain('五天');
      expect(await disk('正文/002-来信.md')).toContain('到了');
    });
  });

  it('before anything has been said still leaves a turn with an end', () =>
    withEngine(book, createScriptedClient([says('不该说')]), async ({ turn, branch }) => {
      expect(last(await turn('停', AbortSignal.abort()))).toMatchObject({ status: 'stopped' });
      expect(inShort(branch())).toEqual(['user 停', 'context', 'reply stopped ', 'end stopped']);
    }));
});

describe('failures', () => {
  const overloaded = { type: 'error', error: { code: 'model.overloaded' }, retryable: true } as const;

  it('before the first event are tried again, twice, with growing patience', () => {
    const client = createScriptedClient([[overloaded], [overloaded], says('好。')]);
    return withEngine(book, client, async ({ turn, clock, branch }) => {
      const running = turn('试试');
      await passing(clock, running);
      const events = await running;
      expect(events.flatMap((event) => (event.type === 'retry' ? [[event.attempt, event.afterMs]] : []))).toEqual([
        [1, 1_000],
        [2, 4_000],
      ]);
      expect(inShort(branch()).at(-2)).toBe('reply sealed 好。');
    });
  });

  it('wait as long as the endpoint asks, but not for ever', () => {
    const client = createScriptedClient([
      [{ ...overloaded, retryAfterMs: 300_000 }],
      [{ ...overloaded, retryAfterMs: 300_001 }],
    ]);
    return withEngine(book, client, async ({ turn, clock }) => {
      const running = turn('试试');
      await passing(clock, running);
      const events = await running;
      expect(events.flatMap((event) => (event.type === 'retry' ? [event.afterMs] : []))).toEqual([300_000]);
      expect(last(events)).toMatchObject({ status: 'error', error: { code: 'model.overloaded' } });
    });
  });

  it('after the first event are not tried again; what was said is kept', () => {
    const client = createScriptedClient([[{ type: 'text', text: '雨' }, overloaded], says('不该问')]);
    return withEngine(book, client, async ({ turn, branch }) => {
      const events = await turn('说');
      expect(last(events)).toMatchObject({ status: 'error', error: { code: 'model.overloaded' } });
      expect(branch()[2]).toMatchObject({ type: 'reply', data: { text: '雨', status: 'error', error: { code: 'model.overloaded' } } });
      expect(client.left()).toBe(1);
    });
  });

  it('after a tool ran do not run it again', () => {
    const client = createScriptedClient([
      asks(call('edit', { path: '正文/001-雨夜.md', old: '三天', new: '五天' })),
      [overloaded],
      says('改好了。'),
    ]);
    return withEngine(book, client, async ({ turn, clock, branch, disk }) => {
      const running = turn('改');
      await passing(clock, running);
      await running;
      expect(inShort(branch()).slice(2)).toEqual(['step edit', 'tool ok', 'reply sealed 改好了。', 'checkpoint agent 改', 'end done']);
      expect(await disk('正文/001-雨夜.md')).toBe('# 雨夜\n\n雨下了五天。\n');
    });
  });

  it('of a client that throws are an error of the turn', () => {
    const client = createScriptedClient([
      () => {
        throw new Error('bug');
      },
    ]);
    return withEngine(book, client, async ({ turn, log }) => {
      expect(last(await turn('说'))).toMatchObject({ status: 'error', error: { code: 'internal' } });
      expect(log.of('error')).toHaveLength(1);
    });
  });

  it('of a window that is too small are told in words, after the words are safe', () =>
    withEngine(book, createScriptedClient([], { window: 7_999 }), async ({ turn, branch }) => {
      expect(last(await turn('说'))).toMatchObject({
        status: 'error',
        error: { code: 'model.window-too-small', args: { window: 7_999, least: 8_000 } },
      });
      expect(inShort(branch())).toEqual(['user 说', 'reply error ', 'checkpoint user 打开项目时的样子', 'end error']);
    }));

  it('of an overflowing context end the turn with that error', () => {
    const client = createScriptedClient([[{ type: 'error', error: { code: 'model.context-overflow' }, retryable: false }]]);
    return withEngine(book, client, async ({ turn }) => {
      expect(last(await turn('说'))).toMatchObject({ status: 'error', error: { code: 'model.context-overflow' } });
    });
  });
});

describe('one turn at a time', () => {
  it('a second one is refused, the first is not disturbed', () => {
    const client = createScriptedClient([asks(call('ask', { question: '？', options: ['甲', '乙'] })), says('好。')]);
    return withEngine(book, client, async ({ turn, ui, engine, session }) => {
      const first = turn('一');
      await ui.waiting();
      expect(engine.turns.busy(session.header.id)).toBe(true);
      expect(await turn('二')).toEqual([{ type: 'ended', turnId: undefined, status: 'error', error: { code: 'session.busy' } }]);
      expect(await engine.restore('files', 'x')).toMatchObject({ ok: false, error: { code: 'session.busy' } });
      expect(await engine.cleanUp([])).toMatchObject({ ok: false, error: { code: 'session.busy' } });
      ui.answer({ kind: 'answer', text: '甲', by: 'option' });
      expect(last(await first)).toMatchObject({ status: 'done' });
      expect(engine.turns.busy(session.header.id)).toBe(false);
    });
  });

  it('goes on to its end when nobody reads its events', () =>
    withEngine(book, createScriptedClient([says('好。')]), async ({ engine, session, branch }) => {
      for await (const event of engine.turns.run(session, { text: '你好' }, new AbortController().signal)) {
        if (event.type === 'started') break;
      }
      while (engine.turns.busy(session.header.id)) await new Promise((resolve) => setImmediate(resolve));
      expect(inShort(branch()).at(-1)).toBe('end done');
    }));
});

describe('arguments nested without end', () => {
  it('are refused, and the turn goes on', () => {
    const deep = `{"edits":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    return withEngine(book, createScriptedClient([asks(call('edit', deep)), says('好。')]), async ({ turn, branch }) => {
      await turn('改');
      expect(inShort(branch()).find((line) => line.startsWith('tool'))).toContain('nested deeper than 200');
      expect(inShort(branch()).at(-1)).toBe('end done');
    });
  });
});

describe('the author during a turn', () => {
  it('who typed before it gets a checkpoint of their own first', () =>
    withEngine(book, createScriptedClient([says('好。'), says('好。')]), async ({ turn, documents, engine }) => {
      await turn('一');
      await documents.type('正文/001-雨夜.md', '三天', '四天');
      await turn('二');
      const list = await engine.checkpoints.list();
      expect(list.ok && list.value.map(({ author, message }) => [author, message])).toEqual([
        ['user', '作者的改动'],
        ['user', '打开项目时的样子'],
      ]);
    }));

  it('who writes in English gets it named in English', () =>
    withEngine(book, createScriptedClient([says('Well.')]), async ({ turn, engine }) => {
      await turn('one');
      const list = await engine.checkpoints.list();
      expect(list.ok && list.value.map(({ author, message }) => [author, message])).toEqual([['user', 'As it was when the project was opened']]);
    }, { language: 'en' }));

  it('who types meanwhile keeps every word, credited to them and not to the agent', () => {
    const client = createScriptedClient([asks(call('edit', { path: '正文/001-雨夜.md', old: '三天', new: '五天' })), says('好。')]);
    return withEngine(book, client, async ({ turn, documents, engine }) => {
      const stop = documents.before('apply', async (path) => {
        stop();
        await documents.type(path, '# 雨夜', '# 长长的雨夜');
      });
      await turn('改');
      expect(await documents.text('正文/001-雨夜.md')).toBe('# 长长的雨夜\n\n雨下了五天。\n');
      const list = await engine.checkpoints.list();
      if (!list.ok) throw new Error(list.error.code);
      expect(list.value.map(({ author }) => author)).toEqual(['agent', 'user', 'user']);
      const agent = await engine.checkpoints.compare(list.value[1]?.id ?? null, list.value[0]?.id ?? '');
      expect(agent.ok && agent.value.map(({ added, removed }) => [added, removed])).toEqual([[1, 1]]);
      const own = await engine.checkpoints.fileAt(list.value[1]?.id ?? '', '正文/001-雨夜.md');
      expect(own.ok && new TextDecoder().decode(own.value)).toBe('# 长长的雨夜\n\n雨下了三天。\n');
    });
  });

  it('who types meanwhile has it told to the agent in the next turn, once, and without the agent’s own edits', () => {
    const client = createScriptedClient([asks(call('edit', { path: '正文/001-雨夜.md', old: '三天', new: '五天' })), says('好。'), says('好。'), says('好。')]);
    return withEngine(book, client, async ({ turn, documents }) => {
      const stop = documents.before('apply', async (path) => {
        stop();
        await documents.type(path, '# 雨夜', '# 长长的雨夜');
      });
      await turn('改');
      await documents.type('正文/001-雨夜.md', '五天', '六天');
      await turn('再看');
      await turn('还有吗');
      const last = (at: number): string => String(client.requests[at]?.messages.at(-1)?.content);
      expect(last(2)).toContain('- # 雨夜\n+ # 长长的雨夜');
      expect(last(2)).toContain('- 雨下了五天。\n+ 雨下了六天。');
      expect(last(2)).not.toContain('三天');
      expect(last(3)).not.toContain('作者的改动');
    });
  });
});

/** Lets time pass in steps until the turn has ended. */
async function passing(clock: { advance(ms: number): void; pending(): number }, running: Promise<unknown>): Promise<void> {
  let over = false;
  void running.then(() => (over = true));
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    if (clock.pending() > 0) clock.advance(500);
  }
}
