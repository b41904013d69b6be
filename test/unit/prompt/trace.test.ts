import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/engine/ports/models';
import { canonicalMessage, canonicalRequest, canonicalTools, sharedBytes } from '../../../src/engine/prompt/canonical';
import { decodeTrace, wholeCalls } from '../../../src/engine/prompt/trace-fold';
import type { TraceLine } from '../../../src/engine/prompt/trace-schema';
import { sha256Hex } from '../../../src/engine/text/hash';
import { must, withEngine } from '../../fakes/engine-bench';
import { createMemoryLog } from '../../fakes/log';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const book = {
  '正文/001-雨夜.md': `# 雨夜\n\n${'雨下了三天，渡口没有船。\n'.repeat(40)}完。\n`,
  '正文/002-来信.md': '# 来信\n\n信到了。\n',
};

const wire = (request: ModelRequest): string => canonicalRequest(request.messages, canonicalTools(request.tools ?? []));

describe('the canonical form', () => {
  it('of each kind of message is this', () => {
    expect(canonicalMessage({ content: '规则', role: 'system' })).toBe('{"role":"system","content":"规则"}');
    expect(
      canonicalMessage({
        calls: [{ args: '{}', name: 'list', callId: 'c' }],
        reasoning: '想',
        content: '',
        role: 'assistant',
      }),
    ).toBe('{"role":"assistant","content":"","reasoning":"想","calls":[{"callId":"c","name":"list","args":"{}"}]}');
    expect(canonicalMessage({ role: 'assistant', content: '好。' })).toBe('{"role":"assistant","content":"好。"}');
    expect(canonicalMessage({ content: '{}', name: 'list', callId: 'c', role: 'tool' })).toBe(
      '{"role":"tool","callId":"c","name":"list","content":"{}"}',
    );
  });

  it('puts the tools before the messages', () => {
    expect(canonicalRequest([{ role: 'user', content: '你好' }], '[]')).toBe(
      '{"tools":[],"messages":[{"role":"user","content":"你好"}]}',
    );
  });

  it('shares leading bytes', () => {
    const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
    // 夜 is e5 a4 9c, 天 is e5 a4 a9.
    expect(sharedBytes(bytes('雨夜'), bytes('雨天'))).toBe(3 + 2);
    expect(sharedBytes(bytes(''), bytes('雨'))).toBe(0);
    expect(sharedBytes(bytes('雨'), bytes('雨'))).toBe(3);
  });
});

/** A session that meets everything a history can hold. */
const eventful = (): ReturnType<typeof createScriptedClient> =>
  createScriptedClient([
    [{ type: 'reasoning', text: '先看' }, { type: 'text', text: '看看。' }, ...asks(call('read', { path: '正文/001-雨夜.md' }), call('list', {}, 'x'))],
    asks(call('edit', { path: '正文/002-来信.md', old: '到了', new: '没到' }), call('list', {}, 'x')),
    says('改好了。'),
    asks(call('ask', { question: '？', options: ['甲', '乙'] })),
    says('那就甲。'),
    [{ type: 'text', text: '说到一半' }, { type: 'error', error: { code: 'model.network' }, retryable: true }],
    [{ type: 'error', error: { code: 'model.auth' }, retryable: false }],
    says('都好了。'),
  ]);

const play = async (turn: (text: string) => Promise<unknown>): Promise<void> => {
  for (const words of ['改第二章', '选一个', '继续', '再试', '好了吗']) await turn(words);
};

describe('every call', () => {
  it('can be rebuilt from objects and entries, byte for byte as it was sent', () => {
    const client = eventful();
    return withEngine(book, client, async ({ turn, ui, engine, session, documents }) => {
      ui.answer({ kind: 'answer', text: '甲', by: 'option' });
      await turn('改第二章');
      await documents.type('正文/001-雨夜.md', '完。', '未完。');
      for (const words of ['选一个', '继续', '再试', '好了吗']) await turn(words);
      const traces = must(await engine.traces(session.header.id));
      expect(traces).toHaveLength(client.requests.length);
      for (const [at, request] of client.requests.entries()) {
        const trace = traces[at] as TraceLine;
        const messages = must(await engine.rebuild(trace));
        expect(messages.map(canonicalMessage).join('\n'), `call ${at}`).toBe(request.messages.map(canonicalMessage).join('\n'));
        expect(trace.request).toBe(sha256Hex(wire(request)));
        expect(trace.bytes).toBe(Buffer.byteLength(wire(request)));
      }
    });
  });

  it('can be rebuilt after the session has been opened anew, also from a line with all its blocks', () => {
    const client = eventful();
    return withEngine(book, client, async ({ turn, ui, killed, session }) => {
      ui.answer({ kind: 'answer', text: '甲', by: 'option' });
      await play(turn);
      const next = createScriptedClient([says('接着。')]);
      await killed(next, async (later) => {
        await later.turn('新的一天');
        const traces = must(await later.engine.traces(session.header.id));
        expect(traces).toHaveLength(client.requests.length + 1);
        for (const trace of traces) must(await later.engine.rebuild(trace));
        // The first call of a new host still knows how much it shares with the last of the old one.
        const last = client.requests.at(-1);
        const shared = sharedBytes(Buffer.from(wire(last as ModelRequest)), Buffer.from(wire(next.requests[0] as ModelRequest)));
        expect(traces.at(-1)?.shared).toBe(shared);
        expect(shared).toBeGreaterThan(1_000);
      });
    });
  });

  it('names what it is made of, with real token counts', () =>
    withEngine(book, createScriptedClient([asks(call('list', {})), says('好。')]), async ({ turn, engine, session }) => {
      await turn('看看');
      const [, second] = must(await engine.traces(session.header.id));
      expect(second?.blocks.map(({ m, role, kind, title }) => [m, role, kind, title])).toEqual([
        [0, 'system', 'rules', 'rules'],
        [0, 'system', 'facts', 'facts'],
        [1, 'user', 'outline', '【正文目录】'],
        [1, 'user', 'words', 'words'],
        [2, 'assistant', 'history', 'step'],
        [3, 'tool', 'history', 'list'],
      ]);
      // 看看 is one token of o200k_base.
      expect(second?.blocks[3]?.tokens).toBe(1);
      expect(second?.blocks.every(({ tokens }) => tokens > 0)).toBe(true);
      expect(second).toMatchObject({ use: 'turn', round: 2, model: 'scripted', toolChoice: 'auto', tools: { names: expect.any(Array) } });
    }));

  it('leaves a line before it and a line with its result after it', () =>
    withEngine(book, createScriptedClient([says('好。')]), async ({ turn, session, disk }) => {
      await turn('看看');
      const lines = (await disk(`.liyuan/traces/${session.header.id}.jsonl`)).trim().split('\n').map((line) => JSON.parse(line) as unknown);
      expect(lines).toEqual([
        expect.objectContaining({ v: 1, type: 'call', round: 1, shared: 0 }),
        expect.objectContaining({ v: 1, type: 'result', outcome: 'stop', usage: { input: 100, output: 10 }, totalMs: 0, firstTokenMs: 0 }),
      ]);
    }));

  it('whose object is damaged is refused by name, never made up', () =>
    withEngine(book, createScriptedClient([says('好。')]), async ({ turn, engine, session, root }) => {
      await turn('看看');
      const [trace] = must(await engine.traces(session.header.id));
      const sha = trace?.blocks[0]?.object ?? '';
      await writeFile(join(root, '.liyuan/objects', sha.slice(0, 2), sha), 'x');
      expect(await engine.rebuild(trace as TraceLine)).toMatchObject({ ok: false, error: { args: { sha } } });
      expect(await engine.rebuild({ ...(trace as TraceLine), request: '0'.repeat(64), blocks: trace?.blocks.slice(2) ?? [] })).toMatchObject({
        error: { code: 'trace.mismatch' },
      });
    }));
});

describe('trace lines on disk', () => {
  it('hold only what is new since the call before, and grow evenly', { timeout: 120_000 }, () => {
    const client = createScriptedClient(Array.from({ length: 40 }, (_, i) => says(`第${i}句。`)));
    return withEngine(book, client, async ({ turn, engine, session, disk }) => {
      for (let i = 0; i < 40; i += 1) await turn(`第${i}问`);
      const lines = (await disk(`.liyuan/traces/${session.header.id}.jsonl`)).trim().split('\n').filter((line) => line.includes('"type":"call"'));
      const based = lines.filter((line) => line.includes('"base":'));
      expect(lines.length - based.length).toBe(2);
      expect(Math.max(...based.map((line) => line.length))).toBeLessThan(4_000);
      expect(must(await engine.traces(session.header.id)).at(-1)?.blocks).toHaveLength(2 + 3 * 39 + 2);
    });
  });

  it('whose base is missing are left out and told', () => {
    const line = { v: 1, type: 'call', id: 'b', ts: 0, sessionId: 's', turnId: 't', leaf: 'l', use: 'turn', round: 1, model: 'm', params: {} };
    const record = decodeTrace({ ...line, base: { id: 'a', count: 3 }, blocks: [], tools: { names: [] }, request: '', bytes: 0, shared: 0 });
    const log = createMemoryLog();
    expect(wholeCalls(record === undefined ? [] : [record], log)).toEqual([]);
    expect(log.of('warn')).toHaveLength(1);
  });

  it('that were torn do not spoil the next ones', () =>
    withEngine(book, createScriptedClient([says('一。')]), async ({ turn, session, root, killed }) => {
      await turn('一');
      const path = `.liyuan/traces/${session.header.id}.jsonl`;
      const whole = await readFile(join(root, path), 'utf8');
      await killed(createScriptedClient([says('二。')]), async (later) => {
        await writeFile(join(later.root, path), `${whole}{"v":1,"type":"ca`);
        await later.turn('二');
        expect(must(await later.engine.traces(session.header.id))).toHaveLength(2);
      });
    }));
});

describe('a session of 30 turns', () => {
  it('shares with the request before everything up to the last finished exchange', { timeout: 120_000 }, () => {
    const script = Array.from({ length: 30 }, (_, i) => [
      ...(i % 2 === 0 ? [asks(call('read', { path: '正文/001-雨夜.md', start: 1 + i, end: 10 + i }), call('grep', { pattern: '船' }))] : []),
      ...(i % 3 === 0
        ? [asks(call('edit', { path: '正文/002-来信.md', old: i === 0 ? '信到了。' : `信到了第${i - 3}回。`, new: `信到了第${i}回。` }))]
        : []),
      says(`第${i}轮：`, '都看过了。'.repeat(10 + i)),
    ]).flat();
    const client = createScriptedClient(script);
    return withEngine(book, client, async ({ turn, documents, engine, session }) => {
      const perTurn: number[] = [];
      for (let i = 0; i < 30; i += 1) {
        if (i % 5 === 4) await documents.type('正文/001-雨夜.md', '', `作者写的第${i}句。\n`);
        const before = client.requests.length;
        await turn(`第${i}轮，请看看。`);
        perTurn.push(before);
      }
      const firsts = new Set(perTurn);
      const requests = client.requests;
      const traces = must(await engine.traces(session.header.id));
      for (let at = 1; at < requests.length; at += 1) {
        const [previous, current] = [requests[at - 1] as ModelRequest, requests[at] as ModelRequest];
        const shared = sharedBytes(Buffer.from(wire(previous)), Buffer.from(wire(current)));
        const fresh = Buffer.byteLength(wire(current)) - shared;
        const added = current.messages.slice(previous.messages.length);
        const allowed = Buffer.byteLength(added.map(canonicalMessage).join(',')) + 1_024;
        expect(fresh, `${firsts.has(at) ? 'between' : 'within'} turns, call ${at}`).toBeLessThanOrEqual(allowed);
        // What was sent once is sent again as it was, all of it.
        expect(current.messages.slice(0, previous.messages.length)).toEqual(previous.messages);
        expect(current.tools).toEqual(previous.tools);
        expect(traces[at]?.shared).toBe(shared);
      }
    });
  });

  it('leaves no partial text behind', () =>
    withEngine(book, createScriptedClient([says('一', '二')]), async ({ turn, root }) => {
      await turn('一');
      expect(await readdir(join(root, '.liyuan/local/partial'))).toEqual([]);
    }));
});
