import { expect, it } from 'vitest';
import { inShort, withEngine } from '../fakes/engine-bench';
import { bench } from './harness';

const BOOK = { '正文/001-雨夜.md': '雨。\n' };
const EDIT = '<tool_call>{"name":"edit","arguments":{"edits":[{"path":"正文/001-雨夜.md","old":"雨。","new":"雨雨。"}]}}</tool_call>';
const RAIN = '「信到了。」他说，雨还在下，灯也没有熄。'.repeat(20);
const WRITE = `<tool_call>{"name":"write","arguments":{"path":"正文/002-来信.md","content":"# 来信\\n\\n${RAIN}\\n"}}</tool_call>`;

it('a turn whose tools are told in words changes the files, shows no call as prose, and keeps its bytes from turn to turn', async () => {
  const { client, server } = await bench([{ text: `我来改。\n${EDIT}` }, { text: '改好了。' }, { text: WRITE, chunkSize: 3 }, { text: '写好了。' }], { tools: 'text' });
  await withEngine(BOOK, client, async ({ turn, branch, disk }) => {
    const first = await turn('改第一章');
    expect(await disk('正文/001-雨夜.md')).toBe('雨雨。\n');
    const shown = first.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
    expect(shown).toBe('我来改。\n改好了。');
    const second = await turn('写第二章');
    expect(await disk('正文/002-来信.md')).toBe(`# 来信\n\n${RAIN}\n`);
    // The chapter is seen while it is written.
    const previews = second.flatMap((event) => (event.type === 'toolPreview' ? [event.contentDelta] : []));
    expect(previews.length).toBeGreaterThan(3);
    expect(previews.join('')).toBe(`# 来信\n\n${RAIN}\n`);
    expect(inShort(branch()).filter((line) => /^(?:step|tool|reply)/.test(line))).toEqual(['step edit', 'tool ok', 'reply sealed 改好了。', 'step write', 'tool ok', 'reply sealed 写好了。']);
  });
  const sent = server.requests.map(({ body }) => JSON.stringify(body?.messages));
  for (const [n, messages] of sent.slice(1).entries()) expect(messages.startsWith(sent[n]?.slice(0, -1) ?? 'x')).toBe(true);
  const roles = server.requests.map(({ body }) => (body?.messages ?? []).map(({ role }) => role).join(' '));
  expect(roles.at(-1)).toBe('system user assistant user assistant user assistant user');
  expect(server.requests.every(({ body }) => body?.tools === undefined && body?.['tool_choice'] === undefined)).toBe(true);
  const system = server.requests[0]?.body?.messages?.[0]?.content;
  expect(typeof system === 'string' && system.includes('\n\n# Tools\n') && system.includes('{"name":"edit","description":')).toBe(true);
});

it('without tools the agent talks, and the turn ends with its words', async () => {
  const { client, server } = await bench([{ text: '只能说。' }], { tools: 'none' });
  await withEngine(BOOK, client, async ({ turn, branch }) => {
    await turn('改');
    expect(inShort(branch()).filter((line) => /^(?:step|reply)/.test(line))).toEqual(['reply sealed 只能说。']);
  });
  expect(server.requests[0]?.body?.tools).toBeUndefined();
  expect(client.params).toMatchObject({ toolProtocol: 'none' });
});

it('an answer that ended at the output limit, or nobody knows why, is never kept as sealed', async () => {
  const { client } = await bench([{ text: '雨下到一半', finish: 'length' }, { raw: ['data: {"choices":[{"index":0,"delta":{"content":"雨又下"}}]}\n\n'] }, { text: '雨停了。' }]);
  await withEngine(BOOK, client, async ({ turn, branch }) => {
    const events = await turn('写');
    expect(events).toContainEqual({ type: 'notice', error: { code: 'model.output-limit', args: { limit: 8192 } } });
    await turn('再写');
    await turn('写完');
    expect(inShort(branch()).filter((line) => line.startsWith('reply'))).toEqual(['reply unsealed 雨下到一半', 'reply unsealed 雨又下', 'reply sealed 雨停了。']);
  });
});
