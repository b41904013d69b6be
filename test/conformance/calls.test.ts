import { describe, expect, it } from 'vitest';
import { bench, callDelta, delta, events, sse, TOOLS } from './harness';

const READ_ARGS = '{"path":"正文/001.md"}';

async function calls(...chunks: readonly unknown[]): Promise<readonly unknown[]> {
  const { client } = await bench([sse(...chunks)]);
  const all = await events(client, { tools: TOOLS });
  return all.flatMap((event) => (event.type === 'toolCall' ? [[event.callId, event.name, event.args]] : event.type === 'done' ? [event.reason] : []));
}

describe('tool calls', () => {
  it('streams a call in fragments: start, deltas, then the call whole', async () => {
    const { client } = await bench([
      sse(
        delta({ content: '我先读。' }),
        callDelta({ index: 0, id: 'call_a', type: 'function', function: { name: 'read', arguments: '' } }),
        callDelta({ index: 0, function: { arguments: '{"path":' } }),
        callDelta({ index: 0, function: { arguments: '"正文/001.md"}' } }),
        delta({}, 'tool_calls'),
      ),
    ]);
    expect(await events(client, { tools: TOOLS })).toEqual([
      { type: 'text', text: '我先读。' },
      { type: 'toolCallStart', callId: 'call_a', name: 'read' },
      { type: 'toolCallDelta', callId: 'call_a', args: '{"path":' },
      { type: 'toolCallDelta', callId: 'call_a', args: '"正文/001.md"}' },
      { type: 'toolCall', callId: 'call_a', name: 'read', args: READ_ARGS },
      { type: 'done', reason: 'tool_calls' },
    ]);
  });

  it.each([{}, { index: null }])('puts fragments together by their order when index is %j and only the first has an id', async (mark) => {
    expect(
      await calls(
        callDelta({ ...mark, id: 'call_a', function: { name: 'read', arguments: '{"path":' } }),
        callDelta({ ...mark, function: { arguments: '"正文/001.md"}' } }),
        callDelta({ ...mark, id: 'call_b', function: { name: 'outline', arguments: '{}' } }),
        delta({}, 'tool_calls'),
      ),
    ).toEqual([['call_a', 'read', READ_ARGS], ['call_b', 'outline', '{}'], 'tool_calls']);
  });

  it('makes ids where none were sent: nine letters and digits, all different', async () => {
    const found = await calls(callDelta({ index: 0, function: { name: 'read', arguments: READ_ARGS } }, { index: 1, function: { name: 'outline', arguments: '{}' } }), delta({}, 'tool_calls'));
    const ids = found.slice(0, 2).map((call) => (call as readonly string[])[0] ?? '');
    expect(ids.every((id) => /^[a-z\d]{9}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(2);
  });

  it('makes a new id where the endpoint repeats one that the conversation already has', async () => {
    const { client } = await bench([sse(callDelta({ index: 0, id: 'call_0', function: { name: 'outline', arguments: '{}' } }), delta({}, 'tool_calls'))]);
    const all = await events(client, {
      tools: TOOLS,
      messages: [
        { role: 'user', content: '看目录' },
        { role: 'assistant', content: '', calls: [{ callId: 'call_0', name: 'outline', args: '{}' }] },
        { role: 'tool', callId: 'call_0', name: 'outline', content: '{}' },
      ],
    });
    const call = all.find((event) => event.type === 'toolCall');
    expect(call).toMatchObject({ name: 'outline', args: '{}' });
    expect(call).not.toMatchObject({ callId: 'call_0' });
    expect(all[0]).toMatchObject({ type: 'toolCallStart', callId: call?.type === 'toolCall' ? call.callId : '' });
  });

  it('takes a call that comes whole in one fragment', async () => {
    expect(await calls(callDelta({ index: 0, id: 'a', function: { name: 'read', arguments: READ_ARGS } }), delta({}, 'tool_calls'))).toEqual([['a', 'read', READ_ARGS], 'tool_calls']);
  });

  it('takes arguments sent as an object', async () => {
    expect(await calls(callDelta({ index: 0, id: 'a', function: { name: 'read', arguments: { path: '正文/001.md' } } }), delta({}, 'tool_calls'))).toEqual([['a', 'read', READ_ARGS], 'tool_calls']);
  });

  it('passes empty and padded arguments on as they came', async () => {
    expect(
      await calls(callDelta({ index: 0, id: 'a', function: { name: 'outline', arguments: '' } }), callDelta({ index: 1, id: 'b', function: { name: 'outline', arguments: '{"_":""}' } }), delta({}, 'tool_calls')),
    ).toEqual([['a', 'outline', ''], ['b', 'outline', '{"_":""}'], 'tool_calls']);
  });

  it('does not double a name repeated in each fragment', async () => {
    expect(
      await calls(
        callDelta({ function: { name: 'read', arguments: '{"path":' } }),
        callDelta({ function: { name: 'read', arguments: '"正文/001.md"' } }),
        callDelta({ function: { name: 'read', arguments: '}' } }),
        delta({}, 'tool_calls'),
      ),
    ).toEqual([[expect.any(String), 'read', READ_ARGS], 'tool_calls']);
  });

  it('tells several calls in one delta apart', async () => {
    expect(
      await calls(callDelta({ id: 'a', function: { name: 'read', arguments: READ_ARGS } }, { id: 'b', function: { name: 'read', arguments: '{"path":"正文/002.md"}' } }), delta({}, 'tool_calls')),
    ).toEqual([['a', 'read', READ_ARGS], ['b', 'read', '{"path":"正文/002.md"}'], 'tool_calls']);
    expect(await calls(callDelta({ function: { name: 'outline', arguments: '' } }, { function: { name: 'outline', arguments: '' } }), delta({}, 'tool_calls'))).toEqual([
      [expect.any(String), 'outline', ''],
      [expect.any(String), 'outline', ''],
      'tool_calls',
    ]);
  });

  it('tells whole calls apart that all carry index 0', async () => {
    expect(
      await calls(callDelta({ index: 0, id: 'a', function: { name: 'read', arguments: READ_ARGS } }), callDelta({ index: 0, id: 'b', function: { name: 'outline', arguments: '{}' } }), delta({}, 'tool_calls')),
    ).toEqual([['a', 'read', READ_ARGS], ['b', 'outline', '{}'], 'tool_calls']);
  });

  it('takes fragments of two calls that come interleaved', async () => {
    expect(
      await calls(
        callDelta({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":' } }),
        callDelta({ index: 1, id: 'b', function: { name: 'outline', arguments: '{' } }),
        callDelta({ index: 0, function: { arguments: '"正文/001.md"}' } }),
        callDelta({ index: 1, function: { arguments: '}' } }),
        delta({}, 'tool_calls'),
      ),
    ).toEqual([['a', 'read', READ_ARGS], ['b', 'outline', '{}'], 'tool_calls']);
  });

  it.each(['stop', '', null])('says tool_calls when calls were made, although finish_reason is %j', async (finish) => {
    expect(await calls(callDelta({ index: 0, id: 'a', function: { name: 'outline', arguments: '{}' } }), delta({}, finish))).toEqual([['a', 'outline', '{}'], 'tool_calls']);
  });

  it('takes a call that comes after finish_reason', async () => {
    expect(await calls(delta({ content: '好' }, 'stop'), callDelta({ index: 0, id: 'a', function: { name: 'outline', arguments: '{}' } }))).toEqual([['a', 'outline', '{}'], 'tool_calls']);
  });

  it('takes the old single function_call', async () => {
    expect(await calls(delta({ function_call: { name: 'read', arguments: '{"path":' } }), delta({ function_call: { arguments: '"正文/001.md"}' } }), delta({}, 'function_call'))).toEqual([
      [expect.any(String), 'read', READ_ARGS],
      'tool_calls',
    ]);
  });

  it('takes a call written as text between <tool_call> tags, of an offered tool only', async () => {
    const { client } = await bench([
      sse(
        delta({ content: '我先读。<tool_' }),
        delta({ content: 'call>\n{"name": "read", "arguments": {"path": "正文/001.md"}}\n</tool_call>' }),
        delta({ content: '<tool_call>{"name":"shell"}</tool_call>' }, 'stop'),
      ),
    ]);
    const all = await events(client, { tools: TOOLS });
    expect(all).toEqual([
      { type: 'text', text: '我先读。' },
      { type: 'toolCallStart', callId: expect.any(String), name: 'read' },
      { type: 'toolCallDelta', callId: expect.any(String), args: '{"path": "正文/001.md"}' },
      { type: 'text', text: '<tool_call>{"name":"shell"}</tool_call>' },
      { type: 'toolCall', callId: expect.any(String), name: 'read', args: '{"path": "正文/001.md"}' },
      { type: 'done', reason: 'tool_calls' },
    ]);
  });
});
