import { describe, expect, it } from 'vitest';
import { withEngine } from '../fakes/engine-bench';
import { bench } from './harness';

const overflow = { status: 400, body: { error: { message: "This model's maximum context length is 65536 tokens.", code: 'context_length_exceeded' } } };

interface Sent {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly unknown[];
}

describe('a service that refuses a call as too long', () => {
  it('is asked for a summary of the earlier turns, without tools, then once more with it', async () => {
    const { client, server } = await bench([{ text: '一好' }, { text: '二好' }, { text: '三好' }, overflow, { text: '## 要求\n文风要冷。' }, { text: '四好' }]);
    await withEngine({ '正文/001-雨夜.md': '雨。\n' }, client, async ({ turn, branch }) => {
      for (const words of ['一', '二', '三']) await turn(words);
      expect((await turn('四')).at(-1)).toMatchObject({ type: 'ended', status: 'done' });
      expect(branch().findLast((entry) => entry.type === 'reply')?.data.text).toBe('四好');
      const [refused, side, again] = server.requests.slice(3).map(({ body }) => body as unknown as Sent);
      expect(server.requests).toHaveLength(6);
      expect(refused?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user']);
      expect(side?.tools).toBeUndefined();
      expect(side?.messages[1]?.content).toContain('第 1 轮\n作者：一\n你：一好');
      expect(again?.messages[1]?.content).toContain('【前情提要】\n## 要求\n文风要冷。');
      expect(again?.messages.length).toBeLessThan(refused?.messages.length ?? 0);
      expect(again?.messages.at(-1)?.content).toMatch(/四$/);
    });
  });
});
