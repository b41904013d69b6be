import { describe, expect, it } from 'vitest';
import { createOpenAIClient } from '../../src/engine/model/openai-client';
import type { ModelEvent } from '../../src/engine/ports/models';
import { createFakeClock } from '../fakes/clock';
import { createMemoryLog } from '../fakes/log';
import { bench, delta, events, HELLO, sse, withoutCause } from './harness';

async function refusal(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Extract<ModelEvent, { type: 'error' }>> {
  const { client } = await bench([{ status, body, headers }]);
  const all = await events(client);
  expect(all).toHaveLength(1);
  const [event] = all;
  if (event?.type !== 'error') throw new Error(`no error but ${JSON.stringify(event)}`);
  return event;
}

describe('refusals with a status', () => {
  it('429 with Retry-After in seconds says how long to wait', async () => {
    expect(withoutCause(await refusal(429, { error: { message: 'Slow down' } }, { 'retry-after': '7' }))).toEqual({
      type: 'error',
      error: { code: 'model.rate-limit', args: { status: 429, detail: 'Slow down' } },
      retryable: true,
      retryAfterMs: 7_000,
    });
  });

  it('503 with Retry-After as a date, counted from now', async () => {
    // The clock of these tests stands at 2026-01-01T00:00:00Z.
    expect(await refusal(503, 'busy', { 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' })).toMatchObject({
      error: { code: 'model.overloaded', args: { status: 503, detail: 'busy' } },
      retryable: true,
      retryAfterMs: 30_000,
    });
  });

  it('is not tried again inside the client', async () => {
    const { client, server } = await bench({ otherwise: { status: 503, body: { error: { message: 'down' } } } });
    await events(client);
    expect(server.requests).toHaveLength(1);
  });

  it('a context overflow is told from other bad requests', async () => {
    expect(await refusal(400, { error: { message: "This model's maximum context length is 65536 tokens.", code: 'context_length_exceeded' } })).toMatchObject({
      error: { code: 'model.context-overflow' },
      retryable: false,
    });
  });

  it('401 is a wrong key when one was sent, and a missing one otherwise', async () => {
    expect((await refusal(401, { error: { message: 'no' } })).error.code).toBe('model.auth');
    const { client } = await bench([{ status: 401, body: { error: { message: 'no' } } }], { apiKey: '' });
    expect(await events(client)).toMatchObject([{ type: 'error', error: { code: 'model.no-key' } }]);
  });

  it('an error body that is no JSON is shown by its beginning', async () => {
    expect((await refusal(502, 'Bad gateway')).error).toMatchObject({ code: 'model.server', args: { status: 502, detail: 'Bad gateway' } });
  });
});

describe('errors inside a stream that began well', () => {
  it('an error object ends the answer, after the text that came', async () => {
    const { client } = await bench([sse(delta({ content: '雨' }), { error: { message: 'Provider overloaded', code: 502 } })]);
    const all = await events(client);
    expect(all[0]).toEqual({ type: 'text', text: '雨' });
    expect(withoutCause(all[1])).toEqual({ type: 'error', error: { code: 'model.overloaded', args: { status: 502, detail: 'Provider overloaded' } }, retryable: true });
    expect(all).toHaveLength(2);
  });

  it('an error beside a choice counts, and one that looks like a chunk', async () => {
    const { client } = await bench([
      sse({ choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { message: 'upstream broke', code: 500 } }] }),
      sse({ object: 'error', message: 'prompt too long', code: 400 }),
    ]);
    expect(await events(client)).toMatchObject([{ type: 'error', error: { code: 'model.server' } }]);
    expect(await events(client)).toMatchObject([{ type: 'error', error: { code: 'model.context-overflow' } }]);
  });

  it('usage that came before the error is still told', async () => {
    const { client } = await bench([sse({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 0 } }, { error: { message: 'no' } })]);
    expect((await events(client)).map((event) => event.type)).toEqual(['usage', 'error']);
  });
});

describe('no answer', () => {
  it('silence before any byte counts as hung after the idle time, and the connection is dropped', async () => {
    const { client, server, clock } = await bench([{ hang: 'request' }], { idleTimeoutMs: 120_000 });
    const all = events(client);
    await server.request(1);
    clock.advance(119_999);
    expect(clock.pending()).toBe(1);
    clock.advance(1);
    expect(await all).toEqual([{ type: 'error', error: { code: 'model.idle-timeout', args: { seconds: 120 } }, retryable: true }]);
    expect(await server.ended(1)).toBe(false);
    expect(clock.pending()).toBe(0);
  });

  it('silence in the middle keeps what came; time the caller takes for itself does not count', async () => {
    const { client, clock } = await bench([{ raw: [`data: ${JSON.stringify(delta({ content: '雨' }))}\n\n`], end: 'hang' }], { idleTimeoutMs: 1_000 });
    const stream = client.stream({ messages: HELLO }, new AbortController().signal)[Symbol.asyncIterator]();
    expect((await stream.next()).value).toEqual({ type: 'text', text: '雨' });
    // Nobody waits for the model while the caller is busy with an event.
    clock.advance(5_000);
    const next = stream.next();
    await clock.advanceAsync(1_000);
    expect((await next).value).toMatchObject({ type: 'error', error: { code: 'model.idle-timeout' } });
    expect((await stream.next()).done).toBe(true);
  });

  it('an aborted signal ends the stream at once and drops the connection', async () => {
    const { client, server, clock } = await bench([{ raw: [`data: ${JSON.stringify(delta({ content: '雨' }))}\n\n`], end: 'hang' }]);
    const stop = new AbortController();
    const all: ModelEvent[] = [];
    for await (const event of client.stream({ messages: HELLO }, stop.signal)) {
      all.push(event);
      stop.abort();
    }
    expect(all).toEqual([
      { type: 'text', text: '雨' },
      { type: 'error', error: { code: 'turn.aborted' }, retryable: false },
    ]);
    expect(await server.ended(1)).toBe(false);
    expect(clock.pending()).toBe(0);
  });

  it('a signal aborted beforehand sends nothing', async () => {
    const { client, server } = await bench([]);
    expect(await events(client, {}, AbortSignal.abort())).toEqual([{ type: 'error', error: { code: 'turn.aborted' }, retryable: false }]);
    expect(server.requests).toHaveLength(0);
  });

  it('a caller that leaves early drops the connection', async () => {
    const { client, server } = await bench([{ raw: [`data: ${JSON.stringify(delta({ content: '雨' }))}\n\n`], end: 'hang' }]);
    for await (const event of client.stream({ messages: HELLO }, new AbortController().signal)) {
      expect(event.type).toBe('text');
      break;
    }
    expect(await server.ended(1)).toBe(false);
  });

  it('nobody at the address is a network failure that names it', async () => {
    const { client, server } = await bench([]);
    await server.close();
    const all = await events(client);
    expect(all.map(withoutCause)).toEqual([{ type: 'error', error: { code: 'model.network', args: { host: new URL(server.baseUrl).host } }, retryable: true }]);
    expect(all[0]?.type === 'error' ? all[0].error.cause : '').toContain('ECONNREFUSED');
  });

  it('a web page instead of a stream means the address is wrong', async () => {
    const { client, server } = await bench([{ raw: ['<!doctype html><title>Home</title>'], headers: { 'content-type': 'text/html' } }]);
    expect((await events(client)).map(withoutCause)).toEqual([
      { type: 'error', error: { code: 'model.not-found', args: { url: `${server.baseUrl}/chat/completions`, reason: 'page', host: new URL(server.baseUrl).host } }, retryable: false },
    ]);
  });

  it('an address that is none is an error event, not an exception', async () => {
    const client = createOpenAIClient({ baseUrl: 'ftp://x', model: 'm' }, { fetch: globalThis.fetch, clock: createFakeClock(), log: createMemoryLog() });
    expect(await events(client)).toMatchObject([{ type: 'error', error: { code: 'model.bad-settings' } }]);
  });
});
