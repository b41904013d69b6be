import { describe, expect, it } from 'vitest';
import { bench, delta, events, sse } from './harness';

describe('text and thinking', () => {
  it('streams text piece by piece, with usage from a last chunk without choices', async () => {
    const { client } = await bench([
      sse(
        delta({ role: 'assistant', content: '' }),
        delta({ content: '雨下了' }),
        delta({ content: '一夜。' }),
        delta({}, 'stop'),
        { choices: [], usage: { prompt_tokens: 12, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 8 }, completion_tokens_details: { reasoning_tokens: 2 } } },
      ),
    ]);
    expect(await events(client)).toEqual([
      { type: 'text', text: '雨下了' },
      { type: 'text', text: '一夜。' },
      { type: 'usage', usage: { input: 12, output: 5, cached: 8, reasoning: 2 } },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('takes the last of several usages, and the names DeepSeek and Kimi have for cached tokens', async () => {
    const { client } = await bench([
      sse(
        { ...(delta({ content: '好' }) as object), usage: { prompt_tokens: 9, completion_tokens: 1 } },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 9, completion_tokens: 2, cached_tokens: 4 } }] },
      ),
      sse(delta({ content: '好' }, 'stop'), { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2, prompt_cache_hit_tokens: 6 } }),
    ]);
    expect(await events(client)).toContainEqual({ type: 'usage', usage: { input: 9, output: 2, cached: 4 } });
    expect(await events(client)).toContainEqual({ type: 'usage', usage: { input: 9, output: 2, cached: 6 } });
  });

  it.each(['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'])('tells thinking in `%s` from text', async (field) => {
    const { client } = await bench([sse(delta({ [field]: '先想想' }), delta({ content: '好。' }, 'stop'))]);
    expect(await events(client)).toEqual([
      { type: 'reasoning', text: '先想想' },
      { type: 'text', text: '好。' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('reads thinking from reasoning_details, once when it is sent under two names', async () => {
    const { client } = await bench([
      sse(
        delta({ reasoning: '想', reasoning_details: [{ type: 'reasoning.text', text: '想' }] }),
        delta({ reasoning_details: [{ type: 'reasoning.summary', summary: '一想' }, { type: 'reasoning.encrypted', data: 'xx' }] }),
        delta({ content: '好。' }, 'stop'),
      ),
    ]);
    expect(await events(client)).toEqual([
      { type: 'reasoning', text: '想' },
      { type: 'reasoning', text: '一想' },
      { type: 'text', text: '好。' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('splits <think> at the head of the text even when its tags are cut over chunks', async () => {
    const { client } = await bench([
      sse(delta({ content: '\n<th' }), delta({ content: 'ink>先' }), delta({ content: '想</thi' }), delta({ content: 'nk>\n\n好' }), delta({ content: '。' }, 'stop')),
    ]);
    expect(await events(client)).toEqual([
      { type: 'reasoning', text: '先' },
      { type: 'reasoning', text: '想' },
      { type: 'text', text: '好' },
      { type: 'text', text: '。' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('leaves <think> in the middle of a text alone, and a lone < is not lost', async () => {
    const { client } = await bench([sse(delta({ content: '他说 <think>' }), delta({ content: ' 1 <' }, 'stop'))]);
    expect(await events(client)).toEqual([
      { type: 'text', text: '他说 <think>' },
      { type: 'text', text: ' 1 ' },
      { type: 'text', text: '<' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('learns from a closing tag without an opening one that the next answer begins with thinking', async () => {
    const answer = sse(delta({ content: '先想' }), delta({ content: '</think>好。' }, 'stop'));
    const plain = sse(delta({ content: '这次没有想' }, 'stop'));
    const { client } = await bench([answer, answer, plain, plain]);
    // The first time only the tag tells that what came before it was thinking.
    expect(await events(client)).toEqual([
      { type: 'text', text: '先想' },
      { type: 'textWasReasoning' },
      { type: 'text', text: '好。' },
      { type: 'done', reason: 'stop' },
    ]);
    expect(await events(client)).toEqual([
      { type: 'reasoning', text: '先想' },
      { type: 'text', text: '好。' },
      { type: 'done', reason: 'stop' },
    ]);
    // Without a closing tag the words were the answer after all: shown as thinking while they came, then kept as text.
    expect(await events(client)).toEqual([
      { type: 'reasoning', text: '这次没有想' },
      { type: 'text', text: '这次没有想' },
      { type: 'done', reason: 'stop' },
    ]);
    // And so the lesson no longer holds.
    expect(await events(client)).toEqual([
      { type: 'text', text: '这次没有想' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('takes a lone closing tag after thinking under its own name for no more than a leak', async () => {
    const { client } = await bench([sse(delta({ reasoning_content: '想' }), delta({ content: '写。' }), delta({ content: '</think>好。' }, 'stop'))]);
    expect(await events(client)).toEqual([
      { type: 'reasoning', text: '想' },
      { type: 'text', text: '写。' },
      { type: 'text', text: '好。' },
      { type: 'done', reason: 'stop' },
    ]);
  });

  it('leaves a closing tag that is quoted as code where it is', async () => {
    const { client } = await bench([sse(delta({ content: '标签 `' }), delta({ content: '</think>` 是结束。' }, 'stop'))]);
    expect((await events(client)).map((event) => (event.type === 'text' ? event.text : event.type)).join('')).toBe('标签 `</think>` 是结束。done');
  });

  it('reads content given as parts, thinking among them', async () => {
    const { client } = await bench([
      sse(delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: '想' }] }] }), delta({ content: [{ type: 'text', text: '好' }] }, 'stop')),
    ]);
    expect(await events(client)).toEqual([
      { type: 'reasoning', text: '想' },
      { type: 'text', text: '好' },
      { type: 'done', reason: 'stop' },
    ]);
  });
});
