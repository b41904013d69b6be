import { describe, expect, it } from 'vitest';
import type { ModelMessage } from '../../src/engine/ports/models';
import { sha256Hex } from '../../src/engine/text/hash';
import type { ErrorAnswer } from '../fakes/model-server/script';
import { bench, delta, events, HELLO, sse, TOOLS } from './harness';

const OK = sse(delta({ content: '好' }, 'stop'));
const DONE = [{ type: 'text', text: '好' }, { type: 'done', reason: 'stop' }];
const no = (message: string, status = 400): ErrorAnswer => ({ status, body: { error: { message, type: 'invalid_request_error' } } });

const WITH_CALLS: readonly ModelMessage[] = [
  { role: 'user', content: '看目录' },
  { role: 'assistant', content: '', reasoning: '先看目录', calls: [{ callId: 'a', name: 'outline', args: '{}' }] },
  { role: 'tool', callId: 'a', name: 'outline', content: '{"chapters":[]}' },
  { role: 'assistant', content: '空的。', reasoning: '没有章', calls: [{ callId: 'b', name: 'outline', args: '{}' }] },
  { role: 'tool', callId: 'b', name: 'outline', content: '{"chapters":[]}' },
  { role: 'assistant', content: '真的空。', reasoning: '算了' },
  { role: 'user', content: '好' },
];

describe('the request body', () => {
  it('has its keys in one order and nothing that was not set', async () => {
    const { client, server } = await bench([OK]);
    await events(client);
    expect(server.requests[0]?.raw).toBe('{"model":"fake","messages":[{"role":"user","content":"你好"}],"stream":true,"stream_options":{"include_usage":true}}');
  });

  it('carries the sampling fields, limits and extra fields that are set', async () => {
    const { client, server } = await bench([OK], { maxOutput: 900, temperature: 0, topP: 0.9, stop: ['完'], reasoningEffort: 'low', extraBody: { enable_thinking: true } });
    await events(client);
    expect(server.requests[0]?.raw).toBe(
      '{"model":"fake","messages":[{"role":"user","content":"你好"}],"stream":true,"stream_options":{"include_usage":true},"max_tokens":900,"temperature":0,"top_p":0.9,"stop":["完"],"reasoning_effort":"low","enable_thinking":true}',
    );
    expect(client.params).toEqual({
      model: 'fake',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 900,
      temperature: 0,
      top_p: 0.9,
      stop: ['完'],
      reasoning_effort: 'low',
      // What goes into traces: that the field was there, and what tells its value from another.
      extraBody: { enable_thinking: `sha256:${sha256Hex('true')}` },
    });
  });

  it('writes calls, their results and reasoning beside calls only', async () => {
    const { client, server } = await bench([OK]);
    await events(client, { messages: WITH_CALLS, tools: TOOLS.slice(1), toolChoice: 'none' });
    expect(server.requests[0]?.body).toEqual({
      model: 'fake',
      messages: [
        { role: 'user', content: '看目录' },
        { role: 'assistant', content: null, reasoning_content: '先看目录', tool_calls: [{ id: 'a', type: 'function', function: { name: 'outline', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: '{"chapters":[]}' },
        { role: 'assistant', content: '空的。', reasoning_content: '没有章', tool_calls: [{ id: 'b', type: 'function', function: { name: 'outline', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'b', content: '{"chapters":[]}' },
        { role: 'assistant', content: '真的空。' },
        { role: 'user', content: '好' },
      ],
      tools: [{ type: 'function', function: { name: 'outline', description: 'Lists chapters.', parameters: { type: 'object', properties: {} } } }],
      tool_choice: 'none',
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('shares its bytes with the next request up to the message that was added', async () => {
    const { client, server } = await bench([OK, OK]);
    await events(client, { messages: WITH_CALLS.slice(0, 3) });
    await events(client, { messages: WITH_CALLS });
    const [first, second] = server.requests.map((request) => request.raw);
    const messages = first?.slice(0, first.indexOf(']'.concat(',"stream"')));
    expect(second?.startsWith(messages ?? 'x')).toBe(true);
  });

  it('sends key and own headers and nothing about the runtime; an empty own header removes one', async () => {
    const { client, server } = await bench([OK], { headers: { 'X-Title': 'Novel', 'User-Agent': '' } });
    await events(client);
    const headers = server.requests[0]?.headers ?? {};
    expect(headers['authorization']).toBe('Bearer key');
    expect(headers['x-title']).toBe('Novel');
    expect(headers['user-agent']).not.toBe('Liyuan');
    expect(Object.keys(headers).filter((name) => name.startsWith('x-stainless') || name.startsWith('openai'))).toEqual([]);
  });

  it('sends no authorization without a key', async () => {
    const { client, server } = await bench([OK], { apiKey: '' });
    await events(client);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('sends the query of the address with each request', async () => {
    const { server } = await bench([OK]);
    const { client } = await bench([], { baseUrl: `${server.baseUrl}?api-version=1` });
    expect(client.url).toBe(`${server.baseUrl}/chat/completions?api-version=1`);
    await events(client);
    expect(server.requests).toHaveLength(1);
  });
});

describe('what a refusal teaches', () => {
  it('stream_options refused: sent again without, and never again', async () => {
    const { client, server, log } = await bench([no('Unrecognized request argument supplied: stream_options'), OK, OK]);
    expect(await events(client)).toEqual(DONE);
    expect(await events(client)).toEqual(DONE);
    expect(server.requests.map((request) => 'stream_options' in (request.body ?? {}))).toEqual([true, false, false]);
    expect(log.of('warn')).toHaveLength(1);
  });

  it('tool_choice refused: the last call goes without tools, other calls keep them', async () => {
    const { client, server } = await bench([no("tool_choice 'none' is not supported"), OK, OK]);
    expect(await events(client, { tools: TOOLS, toolChoice: 'none' })).toEqual(DONE);
    expect(await events(client, { tools: TOOLS })).toEqual(DONE);
    expect(server.requests.map((request) => [request.body?.tools?.length, request.body?.['tool_choice']])).toEqual([
      [2, 'none'],
      [undefined, undefined],
      [2, undefined],
    ]);
  });

  it.each([
    ['registry.ollama.ai/library/gemma does not support tools', 400],
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 400],
    ['No endpoints found that support tool use.', 404],
  ])('no tool support (%s): goes on without tools, and the trace can tell', async (message, status) => {
    const { client, server } = await bench([no(message, status), OK]);
    expect(await events(client, { tools: TOOLS })).toEqual(DONE);
    expect(server.requests[1]?.body).not.toHaveProperty('tools');
    expect(client.params).toHaveProperty('toolsRefused', true);
  });

  it('reasoning wanted back: every message with calls carries it from then on, empty where none is known', async () => {
    const { client, server } = await bench([no('The reasoning_content in the thinking mode must be passed back to the API.'), OK, OK]);
    const messages = WITH_CALLS.map((message) => (message.role === 'assistant' && message.content === '' ? { ...message, reasoning: undefined } : message)).map(
      (message) => JSON.parse(JSON.stringify(message)) as ModelMessage,
    );
    expect(await events(client, { messages })).toEqual(DONE);
    await events(client, { messages });
    expect(server.requests.map((request) => request.body?.messages?.filter((message) => message.role === 'assistant').map((message) => message['reasoning_content']))).toEqual([
      [undefined, '没有章', undefined],
      ['', '没有章', undefined],
      ['', '没有章', undefined],
    ]);
  });

  it('reasoning not wanted: left out from then on', async () => {
    const { client, server } = await bench([no("messages.1: property 'reasoning_content' is unsupported"), OK]);
    expect(await events(client, { messages: WITH_CALLS })).toEqual(DONE);
    expect(server.requests.map((request) => request.raw.includes('reasoning_content'))).toEqual([true, false]);
  });

  it('a rule set in the profile is not overruled by an error', async () => {
    const { client, server } = await bench([no("property 'reasoning_content' is unsupported")], { reasoningReplay: 'calls' });
    expect(await events(client, { messages: WITH_CALLS })).toMatchObject([{ type: 'error', error: { code: 'model.bad-request' } }]);
    expect(server.requests).toHaveLength(1);
    const never = await bench([OK], { reasoningReplay: 'never' });
    await events(never.client, { messages: WITH_CALLS });
    expect(never.server.requests[0]?.raw).not.toContain('reasoning_content');
  });

  it('max_tokens refused: max_completion_tokens from then on', async () => {
    const { client, server } = await bench([no("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."), OK], { maxOutput: 50 });
    expect(await events(client)).toEqual(DONE);
    expect(server.requests[1]?.body).toMatchObject({ max_completion_tokens: 50 });
    expect(server.requests[1]?.body).not.toHaveProperty('max_tokens');
  });

  it('a sampling field refused at any value is left out; a bad value is told', async () => {
    const { client, server } = await bench([no("Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported."), OK], { temperature: 0.2, topP: 1 });
    expect(await events(client)).toEqual(DONE);
    expect(server.requests[1]?.body).toMatchObject({ top_p: 1 });
    expect(server.requests[1]?.body).not.toHaveProperty('temperature');
    const bad = await bench([no('temperature must be between 0 and 2')], { temperature: 9 });
    expect(await events(bad.client)).toMatchObject([{ type: 'error', error: { code: 'model.bad-request', args: { detail: 'temperature must be between 0 and 2' } } }]);
  });

  it('empty content beside calls: null, then an empty string, then absent', async () => {
    const { client, server } = await bench([
      no('messages[1]: invalid type: null, expected a string for content'),
      no('messages[1].content must not be empty'),
      OK,
    ]);
    expect(await events(client, { messages: WITH_CALLS })).toEqual(DONE);
    expect(server.requests.map((request) => request.body?.messages?.[1]).map((message) => (message !== undefined && 'content' in message ? message.content : 'absent'))).toEqual([null, '', 'absent']);
  });

  it('learns several things in a row, each once, and gives up when nothing is left to learn', async () => {
    const { client, server } = await bench({ otherwise: no('stream_options and tool_choice are unknown') });
    expect(await events(client, { messages: HELLO, tools: TOOLS, toolChoice: 'none' })).toMatchObject([{ type: 'error', error: { code: 'model.bad-request' } }]);
    expect(server.requests).toHaveLength(3);
  });

  it('learns from an error object inside a stream too, as long as nothing was yielded', async () => {
    const { client, server } = await bench([sse({ error: { message: 'stream_options is unknown', code: 400 } }), OK]);
    expect(await events(client)).toEqual(DONE);
    expect(server.requests).toHaveLength(2);
  });
});
