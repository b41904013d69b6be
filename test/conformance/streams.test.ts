import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelMessage } from '../../src/engine/ports/models';
import { readCalls } from '../../src/engine/turn/tool-batch';
import type { Answer } from '../fakes/model-server/script';
import { bench, events, withoutCause } from './harness';
import { awkwardCuts, pieces } from './streams/cuts';
import { streams } from './streams/all';
import { START } from './streams/stream';

/** How the bytes arrive. */
const cuttings = {
  'in one piece': () => [],
  'cut at every awkward place': awkwardCuts,
  'byte by byte': (bytes: Buffer) => Array.from({ length: bytes.length - 1 }, (_, at) => at + 1),
} as const;

describe.each(streams.map((stream) => [stream.name, stream] as const))('an endpoint that %s', (_name, stream) => {
  it.each(Object.entries(cuttings))('%s', async (_how, cuts) => {
    const bytes = Buffer.from(stream.body, 'utf8');
    const answer: Answer = {
      raw: pieces(bytes, cuts(bytes)),
      ...(stream.headers === undefined ? {} : { headers: stream.headers }),
      ...(stream.hangs === true ? { end: 'hang' as const } : {}),
    };
    const before = stream.before ?? [];
    const { client, server } = await bench([...before, answer, { text: '好。' }], stream.profile);
    const request = { messages: START, ...stream.request };
    const all = await events(client, request);
    const here = JSON.parse(JSON.stringify(stream.events).replaceAll('<base>', server.baseUrl).replaceAll('<host>', new URL(server.baseUrl).host)) as unknown;
    expect(all.map(withoutCause)).toEqual(here);

    expect(server.requests).toHaveLength(before.length + 1);
    const body = server.requests.at(-1)?.body;
    for (const [field, value] of Object.entries(stream.asked ?? {})) expect([field, body?.[field]]).toEqual([field, value]);

    if (stream.next === undefined) return;
    await events(client, { ...request, messages: [...request.messages, ...afterwards(all)] });
    const messages = server.requests.at(-1)?.body?.messages ?? [];
    expect(server.requests).toHaveLength(before.length + 2);
    expect(messages.slice(-stream.next.length)).toEqual(stream.next);
    // What was sent before is the beginning of what is sent now.
    const sent = JSON.stringify(body?.messages).slice(0, -1);
    expect(JSON.stringify(messages).startsWith(sent)).toBe(true);
  });
});

/** What a turn adds to its messages after an answer. */
function afterwards(all: readonly ModelEvent[]): readonly ModelMessage[] {
  let content = '';
  let reasoning = '';
  for (const event of all) {
    if (event.type === 'text') content += event.text;
    if (event.type === 'reasoning') reasoning += event.text;
    if (event.type === 'textWasReasoning') [content, reasoning] = ['', reasoning + content];
  }
  const calls = readCalls(all.flatMap((event) => (event.type === 'toolCall' ? [event] : [])), false).map(({ call }) => call);
  const said: ModelMessage = { role: 'assistant', content, ...(reasoning === '' ? {} : { reasoning }), ...(calls.length === 0 ? {} : { calls }) };
  const results = calls.map(({ callId, name }): ModelMessage => ({ role: 'tool', callId, name, content: '{"ok":true}' }));
  return [said, ...(results.length === 0 ? [{ role: 'user' as const, content: '继续' }] : results)];
}

describe('the suite itself', () => {
  it('has at least 45 streams that differ in their bytes or in what came before', () => {
    const different = new Set(streams.map(({ body, hangs, before, request, profile }) => JSON.stringify([body, hangs, before, request, profile])));
    expect(different.size).toBe(streams.length);
    expect(new Set(streams.map(({ name }) => name)).size).toBe(streams.length);
    expect(different.size).toBeGreaterThanOrEqual(45);
  });

  it('cuts inside characters, `data:` and escapes', () => {
    expect(awkwardCuts(Buffer.from('data: "雨\\n\\u96e8"\r\n\r\n'))).toEqual([1, 2, 3, 4, 5, 8, 9, 11, 13, 14, 15, 16, 17, 20, 21, 22]);
  });
});
