import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../src/engine/ports/models';
import { FAKE_START } from '../fakes/clock';
import { collect, inShort, withEngine } from '../fakes/engine-bench';
import { bench, delta, events, sse, withoutCause } from './harness';

const BOOK = { '正文/001-雨夜.md': '雨。\n' };
const slow = (headers: Readonly<Record<string, string>> = { 'retry-after': '20' }): { readonly status: number; readonly body: unknown; readonly headers: Readonly<Record<string, string>> } => ({ status: 429, body: { error: { message: 'slow down' } }, headers });
const asks = { calls: [{ name: 'edit', args: { edits: [{ path: '正文/001-雨夜.md', old: '雨。', new: '雨雨。' }] } }] };

describe('a service that asks for patience', () => {
  it('is asked again in the same bytes, and the tool that had run does not run again', async () => {
    const { client, server } = await bench([asks, slow(), { text: '改好了。' }]);
    await withEngine(BOOK, client, async ({ engine, session, clock, branch, disk }) => {
      const running = collect(engine.turns.run(session, { text: '改' }, new AbortController().signal));
      await server.request(2);
      while (server.requests.length < 3) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (clock.pending() > 0) clock.advance(1_000);
      }
      const all = await running;
      expect(all.filter(({ type }) => type === 'toolRun')).toHaveLength(1);
      expect(await disk('正文/001-雨夜.md')).toBe('雨雨。\n');
      expect(server.requests).toHaveLength(3);
      expect(server.requests[2]?.raw).toBe(server.requests[1]?.raw);
      expect(inShort(branch()).filter((line) => line.startsWith('step') || line.startsWith('reply'))).toEqual(['step edit', 'reply sealed 改好了。']);
    });
  });

  it('is waited for until a moment that is told, and no longer than the person wants', async () => {
    const { client, server } = await bench([slow(), { text: '好。' }]);
    await withEngine(BOOK, client, async ({ engine, session, clock }) => {
      const seen: unknown[] = [];
      for await (const event of engine.turns.run(session, { text: '写' }, new AbortController().signal)) {
        if (event.type === 'retry') {
          seen.push([event.afterMs, event.until - clock.now(), event.attempt]);
          engine.turns.retryNow(session.header.id);
        }
        if (event.type === 'ended') seen.push(event.status);
      }
      expect(seen).toEqual([[20_000, 20_000, 1], 'done']);
      expect(server.requests).toHaveLength(2);
      // Where nobody waits nothing happens.
      engine.turns.retryNow(session.header.id);
    });
  });

  it('is not asked again when the person stops', async () => {
    const { client, server } = await bench([slow(), { text: '不该问' }]);
    await withEngine(BOOK, client, async ({ engine, session }) => {
      const stop = new AbortController();
      const last: unknown[] = [];
      for await (const event of engine.turns.run(session, { text: '写' }, stop.signal)) {
        if (event.type === 'retry') stop.abort();
        last.push(event.type === 'ended' ? event.status : event.type);
      }
      expect(last.at(-1)).toBe('stopped');
      expect(server.requests).toHaveLength(1);
    });
  });

  it.each([
    [{ 'retry-after': '2.5' }, 2_500],
    [{ 'retry-after-ms': '750', 'retry-after': '9' }, 750],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:40 GMT' }, 40_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
  ])('says how long in %j', async (headers, ms) => {
    const { client, clock } = await bench([{ status: 503, body: { error: { message: 'down' } }, headers }]);
    expect(clock.now()).toBe(FAKE_START);
    const [event] = await events(client);
    expect(event?.type === 'error' ? event.retryAfterMs : 'none').toBe(ms);
  });
});

describe('a call that takes longer than it may', () => {
  const late = { type: 'error', error: { code: 'model.total-timeout', args: { seconds: 30 } }, retryable: false };

  it('is ended though words still come, and they are kept', async () => {
    const { client, server, clock } = await bench([{ raw: [`data: ${JSON.stringify(delta({ content: '雨' }))}\n\n`], end: 'hang' }], { idleTimeoutMs: 20_000, totalTimeoutMs: 30_000 });
    const all: ModelEvent[] = [];
    for await (const event of client.stream({ messages: [{ role: 'user', content: '写' }] }, new AbortController().signal)) {
      all.push(event);
      // Time the caller takes counts too.
      clock.advance(30_000);
    }
    expect(all.map(withoutCause)).toEqual([{ type: 'text', text: '雨' }, late]);
    expect(await server.ended(1)).toBe(false);
    expect(clock.pending()).toBe(0);
  });

  it('counts what the client learned on the way as one call', async () => {
    const { client, server, clock } = await bench([{ status: 400, body: { error: { message: 'stream_options is unknown' } } }, { hang: 'request' }], { totalTimeoutMs: 30_000 });
    const all = events(client);
    await server.request(1);
    clock.advance(10_000);
    await server.request(2);
    clock.advance(19_999);
    expect(clock.pending()).toBe(2);
    clock.advance(1);
    expect((await all).map(withoutCause)).toEqual([late]);
  });

  it('that ends in time leaves no timer behind', async () => {
    const { client, clock } = await bench([sse(delta({ content: '雨' }, 'stop'))], { totalTimeoutMs: 30_000 });
    expect((await events(client)).at(-1)).toEqual({ type: 'done', reason: 'stop' });
    expect(clock.pending()).toBe(0);
  });
});
