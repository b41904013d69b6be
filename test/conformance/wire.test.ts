import { describe, expect, it } from 'vitest';
import { bench, callDelta, delta, events, sse, TOOLS, withoutCause } from './harness';

const OK = [{ type: 'text', text: '雨' }, { type: 'done', reason: 'stop' }];

describe('bytes of the stream', () => {
  it('reads CRLF line ends and comments', async () => {
    const { client } = await bench([
      {
        raw: [
          ': OPENROUTER PROCESSING\r\n\r\n',
          `data: ${JSON.stringify(delta({ content: '雨' }))}\r\n\r\n`,
          ': keep-alive\r\n',
          '\r\n',
          `data: ${JSON.stringify(delta({}, 'stop'))}\r\n\r\ndata: [DONE]\r\n\r\n`,
        ],
      },
    ]);
    expect(await events(client)).toEqual(OK);
  });

  it('joins characters that were split between two writes', async () => {
    const bytes = Buffer.from(`data: ${JSON.stringify(delta({ content: '雨🌧' }))}\n\ndata: ${JSON.stringify(delta({}, 'stop'))}\n\ndata: [DONE]\n\n`);
    const { client } = await bench([{ raw: [...bytes].map((byte) => ({ base64: Buffer.from([byte]).toString('base64') })) }]);
    expect(await events(client)).toEqual([
      { type: 'text', text: '雨🌧' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('passes over empty deltas and empty choices', async () => {
    const { client } = await bench([sse({ choices: [] }, delta({}), delta({ content: '' }), delta({ content: null }), delta({ content: '雨' }), { choices: [{ index: 0 }] }, delta({}, 'stop'))]);
    expect(await events(client)).toEqual(OK);
  });

  it('ends without [DONE]', async () => {
    const { client } = await bench([{ raw: [`data: ${JSON.stringify(delta({ content: '雨' }, 'stop'))}\n\n`] }]);
    expect(await events(client)).toEqual(OK);
  });

  it('ends at [DONE] even when the connection stays open', async () => {
    const { client } = await bench([{ ...sse(delta({ content: '雨' }, 'stop')), end: 'hang' }]);
    expect(await events(client)).toEqual(OK);
  });

  it('ignores what comes after [DONE]', async () => {
    const { client } = await bench([{ raw: [`data: ${JSON.stringify(delta({ content: '雨' }, 'stop'))}\n\ndata: [DONE]\n\ndata: ${JSON.stringify(delta({ content: '多' }))}\n\n`] }]);
    expect(await events(client)).toEqual(OK);
  });

  it('takes a whole JSON answer for a stream of one piece', async () => {
    const { client } = await bench([
      {
        raw: ['{\n "choices": [{"index": 0, "message": {"role": "assistant", "content": "雨"}, ', '"finish_reason": "stop"}]}\n'],
        headers: { 'content-type': 'application/json' },
      },
    ]);
    expect(await events(client)).toEqual(OK);
  });
});

describe('endings', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['sensitive', 'content_filter'],
    ['tool_calls', 'stop'],
    ['', 'stop'],
    [null, 'stop'],
    ['something_new', 'unknown'],
  ])('reads finish_reason %j after text as %s', async (finish, reason) => {
    const { client } = await bench([sse(delta({ content: '雨' }, finish))]);
    expect((await events(client)).at(-1)).toEqual({ type: 'done', reason });
  });

  it('says `unknown` when neither a reason nor [DONE] came', async () => {
    const { client } = await bench([{ raw: [`data: ${JSON.stringify(delta({ content: '雨' }))}\n\n`] }]);
    expect((await events(client)).at(-1)).toEqual({ type: 'done', reason: 'unknown' });
  });

  it.each([
    ['insufficient_system_resource', 'model.overloaded'],
    ['error', 'model.server'],
  ])('takes finish_reason %s for a failure, after keeping the text', async (finish, code) => {
    const { client } = await bench([sse(delta({ content: '雨' }, finish))]);
    const all = await events(client);
    expect(all[0]).toEqual({ type: 'text', text: '雨' });
    expect(withoutCause(all[1])).toEqual({ type: 'error', error: { code, args: { detail: finish } }, retryable: true });
  });

  it('an answer with nothing in it is a broken stream', async () => {
    const { client } = await bench([{ raw: ['data: [DONE]\n\n'] }]);
    expect((await events(client)).map(withoutCause)).toEqual([{ type: 'error', error: { code: 'model.bad-stream', args: { detail: 'empty' } }, retryable: true }]);
  });

  it('an event that is no JSON is a broken stream, after keeping the text', async () => {
    const { client } = await bench([{ raw: [`data: ${JSON.stringify(delta({ content: '雨' }))}\n\n`, 'data: {"choices": [\n\n'] }]);
    const all = await events(client);
    expect(all[0]).toEqual({ type: 'text', text: '雨' });
    expect(withoutCause(all[1])).toEqual({ type: 'error', error: { code: 'model.bad-stream' }, retryable: true });
  });

  it('a connection cut in the middle is a failure of its own, after keeping the text', async () => {
    const { client, server } = await bench([{ raw: [`data: ${JSON.stringify(delta({ content: '雨 <' }))}\n\n`], delayMs: 5, end: 'cut' }]);
    const all = await events(client);
    expect(all.slice(0, 2)).toEqual([
      { type: 'text', text: '雨 ' },
      { type: 'text', text: '<' },
    ]);
    expect(withoutCause(all[2])).toEqual({ type: 'error', error: { code: 'model.network', args: { reason: 'broke-off', host: new URL(server.baseUrl).host } }, retryable: true });
    expect(all).toHaveLength(3);
  });

  it('a call cut off by a closed connection is not run', async () => {
    const { client } = await bench([{ raw: [`data: ${JSON.stringify(callDelta({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"正' } }))}\n\n`] }]);
    const all = await events(client, { tools: TOOLS });
    expect(all.map((event) => event.type)).toEqual(['toolCallStart', 'toolCallDelta', 'error']);
    expect(withoutCause(all[2])).toEqual({ type: 'error', error: { code: 'model.bad-stream', args: { detail: 'cut in a call' } }, retryable: true });
  });

  it('of calls cut off by the output limit only the whole ones are passed on', async () => {
    const { client } = await bench([
      sse(
        callDelta({ index: 0, id: 'a', function: { name: 'outline', arguments: '{}' } }),
        callDelta({ index: 1, id: 'b', function: { name: 'read', arguments: '{"path":"正' } }),
        delta({}, 'length'),
      ),
    ]);
    expect((await events(client, { tools: TOOLS })).filter((event) => event.type === 'toolCall' || event.type === 'done')).toEqual([
      { type: 'toolCall', callId: 'a', name: 'outline', args: '{}' },
      { type: 'done', reason: 'length' },
    ]);
  });
});
