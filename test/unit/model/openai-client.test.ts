import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLessonBook } from '../../../src/engine/model/lessons';
import { createOpenAIClient } from '../../../src/engine/model/openai-client';
import type { ModelEvent } from '../../../src/engine/ports/models';
import { createFakeClock } from '../../fakes/clock';
import { createMemoryLog } from '../../fakes/log';

const deps = { clock: createFakeClock(), log: createMemoryLog() };
const profile = { baseUrl: 'https://model.example', model: 'm' };
const request = { messages: [{ role: 'user' as const, content: '你好' }], tools: [{ name: 'read', description: '', parameters: {} }] };

const STREAM = Buffer.from(
  [
    ': keep-alive\r\n\r\n',
    'data: {"choices":[{"index":0,"delta":{"content":"<think>想🌧</think>雨"}}]}\r\n\r\n',
    'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","function":{"name":"read","arguments":"{\\"path\\":"}}]}}]}\n\n',
    'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"正文\\"}"}}]}}]}\n\n',
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n',
    'data: [DONE]\n\n',
  ].join(''),
);

async function events(pieces: readonly Uint8Array[]): Promise<readonly ModelEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const client = createOpenAIClient(profile, { ...deps, fetch: async () => Promise.resolve(new Response(body)) });
  const found: ModelEvent[] = [];
  for await (const event of client.stream(request, new AbortController().signal)) found.push(event);
  return found;
}

it('yields the same events wherever the bytes of a stream are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: STREAM.length - 1 }), { maxLength: 30 }), async (cuts) => {
      const at = [...new Set([0, ...cuts, STREAM.length])].sort((a, b) => a - b);
      expect(await events(at.slice(1).map((end, i) => STREAM.subarray(at[i], end)))).toEqual([
        { type: 'reasoning', text: '想🌧' },
        { type: 'text', text: '雨' },
        { type: 'toolCallStart', callId: 'call_a', name: 'read' },
        { type: 'toolCallDelta', callId: 'call_a', args: '{"path":' },
        { type: 'toolCallDelta', callId: 'call_a', args: '"正文"}' },
        { type: 'toolCall', callId: 'call_a', name: 'read', args: '{"path":"正文"}' },
        { type: 'done', reason: 'tool_calls' },
      ]);
    }),
    { numRuns: 60 },
  );
});

it('yields an error, and never throws, whatever bytes come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 80 }), fc.json().map((json) => Buffer.from(`data: ${json}\n\n`)), fc.json().map((json) => Buffer.from(json))), async (bytes) => {
      const found = await events([bytes]);
      expect(['done', 'error']).toContain(found.at(-1)?.type);
      expect(found.filter((event) => event.type === 'done' || event.type === 'error')).toHaveLength(1);
    }),
    { numRuns: 200 },
  );
});

it('reads nothing from the environment: no key, organisation or address of another service', async () => {
  const before = { ...process.env };
  Object.assign(process.env, { OPENAI_API_KEY: 'secret', OPENAI_ORG_ID: 'org', OPENAI_PROJECT_ID: 'project', OPENAI_BASE_URL: 'https://other.example' });
  try {
    let asked: { readonly url: string; readonly headers: Headers } | undefined;
    const client = createOpenAIClient(profile, {
      ...deps,
      fetch: async (input, init) => {
        asked = { url: input instanceof Request ? input.url : input.toString(), headers: new Headers(init?.headers) };
        return Promise.resolve(new Response('{"choices":[{"message":{"content":"好"},"finish_reason":"stop"}]}'));
      },
    });
    for await (const event of client.stream(request, new AbortController().signal)) expect(event.type).not.toBe('error');
    expect(asked?.url).toBe('https://model.example/v1/chat/completions');
    expect([...(asked?.headers.keys() ?? [])].sort()).toEqual(['accept', 'content-type', 'user-agent']);
  } finally {
    process.env = before;
  }
});

it('an unusable key is an error event before anything is sent', async () => {
  const client = createOpenAIClient({ ...profile, apiKey: '密钥' }, { ...deps, fetch: async () => Promise.reject(new Error('sent')) });
  const found: ModelEvent[] = [];
  for await (const event of client.stream(request, new AbortController().signal)) found.push(event);
  expect(found).toEqual([{ type: 'error', error: { code: 'model.bad-settings', args: { field: 'apiKey', value: '***' } }, retryable: false }]);
});

it('what one client has learned another that shares its book knows', () => {
  const lessons = createLessonBook({ noStreamOptions: true });
  const client = createOpenAIClient(profile, { ...deps, fetch: globalThis.fetch, lessons });
  expect(client.params).toEqual({ model: 'm', stream: true });
  expect(client).toMatchObject({ name: 'm', rehearsal: false, window: 65_536, maxOutput: 8_192 });
});

it('keeps a quarter of a small window free when no output limit is set', () => {
  expect(createOpenAIClient({ ...profile, window: 8_000 }, { ...deps, fetch: globalThis.fetch }).maxOutput).toBe(2_000);
});
