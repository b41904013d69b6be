import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../../../src/engine/index';
import { findLanguageModel, nameOf } from '../../../../src/extension/models/find-language-model';
import { createLanguageModelClient } from '../../../../src/extension/models/language-model-client';
import type { LanguageModelClientOptions } from '../../../../src/extension/models/language-model-client';
import { languageMessages } from '../../../../src/extension/models/language-model-messages';
import type { LanguageAnswerPart } from '../../../../src/extension/models/language-models';
import { createFakeClock } from '../../../fakes/clock';
import type { FakeClock } from '../../../fakes/clock';
import type { FakeLanguageModel } from '../../../fakes/language-models';
import { createFakeLanguageModel, createFakeLanguageModels, languageModelError } from '../../../fakes/language-models';
import { createMemoryLog } from '../../../fakes/log';

const SAY: ModelRequest = { messages: [{ role: 'system', content: '规则' }, { role: 'user', content: '你好' }] };
const READ = { name: 'read', description: '读', parameters: { type: 'object', properties: { path: { type: 'string' } } } };
const text = (said: string): LanguageAnswerPart => ({ kind: 'text', text: said });

function clientOf(model: FakeLanguageModel, more: Partial<LanguageModelClientOptions> = {}, clock: FakeClock = createFakeClock()): ReturnType<typeof createLanguageModelClient> {
  return createLanguageModelClient({ model, tools: 'native', justification: '写小说', clock, log: createMemoryLog(), ...more });
}

async function eventsOf(model: FakeLanguageModel, request: ModelRequest = SAY, more: Partial<LanguageModelClientOptions> = {}, signal = new AbortController().signal): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of clientOf(model, more).stream(request, signal)) events.push(event);
  return events;
}

const withoutCause = (event: ModelEvent | undefined): unknown => {
  if (event?.type !== 'error') return event;
  const { cause: _, ...error } = event.error;
  return { ...event, error };
};

describe('a conversation for VS Code’s models', () => {
  it('has the system text before the first words of the user, and beginnings that stay the same', () => {
    const first: readonly ModelMessage[] = [{ role: 'system', content: '规则' }, { role: 'user', content: '你好' }];
    const later: readonly ModelMessage[] = [...first, { role: 'assistant', content: '好。' }, { role: 'user', content: '再来' }];
    expect(languageMessages(first)).toEqual([{ role: 'user', parts: [{ kind: 'text', text: '规则\n\n你好' }] }]);
    expect(languageMessages(later).slice(0, 1)).toEqual(languageMessages(first));
    expect(languageMessages(later).slice(1)).toEqual([
      { role: 'assistant', parts: [{ kind: 'text', text: '好。' }] },
      { role: 'user', parts: [{ kind: 'text', text: '再来' }] },
    ]);
  });

  it('has a message of its own for the system text where somebody else speaks first', () => {
    expect(languageMessages([{ role: 'system', content: '规则' }, { role: 'assistant', content: '开场' }])).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: '规则' }] },
      { role: 'assistant', parts: [{ kind: 'text', text: '开场' }] },
    ]);
    expect(languageMessages([{ role: 'system', content: '规则' }])).toEqual([{ role: 'user', parts: [{ kind: 'text', text: '规则' }] }]);
  });

  it('has calls with their arguments as objects, and the results of one batch in one message', () => {
    const messages: readonly ModelMessage[] = [
      { role: 'user', content: '看' },
      { role: 'assistant', content: '', reasoning: '想', calls: [{ callId: 'a', name: 'read', args: '{"path":"正文/1.md"}' }, { callId: 'b', name: 'outline', args: '' }] },
      { role: 'tool', callId: 'a', name: 'read', content: '{"text":"雨"}' },
      { role: 'tool', callId: 'b', name: 'outline', content: '[]' },
      { role: 'user', content: '快些' },
    ];
    expect(languageMessages(messages).slice(1)).toEqual([
      { role: 'assistant', parts: [{ kind: 'call', callId: 'a', name: 'read', input: { path: '正文/1.md' } }, { kind: 'call', callId: 'b', name: 'outline', input: {} }] },
      { role: 'user', parts: [{ kind: 'result', callId: 'a', text: '{"text":"雨"}' }, { kind: 'result', callId: 'b', text: '[]' }] },
      { role: 'user', parts: [{ kind: 'text', text: '快些' }] },
    ]);
  });
});

describe('a model of VS Code', () => {
  it('streams words and thinking, with a usage that is marked as an estimate', async () => {
    const model = createFakeLanguageModel([[{ kind: 'reasoning', text: '想一想' }, text('雨下'), text('了三天。')]]);
    expect(await eventsOf(model)).toEqual([
      { type: 'reasoning', text: '想一想' },
      { type: 'text', text: '雨下' },
      { type: 'text', text: '了三天。' },
      { type: 'usage', usage: { input: 11, output: 9, estimated: true } },
      { type: 'done', reason: 'stop' },
    ]);
    expect(model.requests).toEqual([{ messages: [{ role: 'user', parts: [{ kind: 'text', text: '规则\n\n你好' }] }], tools: [], justification: '写小说' }]);
  });

  it('calls tools, several at once, words before them', async () => {
    const model = createFakeLanguageModel([[text('我看看。'), { kind: 'call', callId: 'c1', name: 'read', input: { path: '一' } }, { kind: 'call', callId: 'c2', name: 'read', input: {} }]]);
    const events = await eventsOf(model, { ...SAY, tools: [READ] });
    expect(events.filter(({ type }) => type === 'toolCall')).toEqual([
      { type: 'toolCall', callId: 'c1', name: 'read', args: '{"path":"一"}' },
      { type: 'toolCall', callId: 'c2', name: 'read', args: '{}' },
    ]);
    expect(events.at(-1)).toEqual({ type: 'done', reason: 'tool_calls' });
    expect(model.requests[0]?.tools).toEqual([{ name: 'read', description: '读', inputSchema: READ.parameters }]);
  });

  it('is offered no tools where the profile says so', async () => {
    const model = createFakeLanguageModel([[text('好。')]]);
    await eventsOf(model, { ...SAY, tools: [READ] }, { tools: 'none' });
    expect(model.requests[0]?.tools).toEqual([]);
  });

  it('that takes no tools is asked once more without them, and says so', async () => {
    const model = createFakeLanguageModel([languageModelError('Unknown', 'This model does not support tools.'), [text('好。')]]);
    const client = clientOf(model);
    const events: ModelEvent[] = [];
    for await (const event of client.stream({ ...SAY, tools: [READ] }, new AbortController().signal)) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(['text', 'usage', 'done']);
    expect(model.requests.map(({ tools }) => tools.length)).toEqual([1, 0]);
    expect(client.params).toMatchObject({ toolsRefused: true });
  });

  it('is neither asked nor has anything counted before a turn sends something', async () => {
    const model = createFakeLanguageModel([[text('好。')]]);
    const found = await findLanguageModel(createFakeLanguageModels([model]), 'gpt-x');
    const client = clientOf(model);
    expect(found).toEqual({ ok: true, value: model });
    expect(client).toMatchObject({ name: 'GPT X', id: 'vscode:copilot gpt-x', rehearsal: false, window: 64_000, maxOutput: 7_680 });
    expect(client.params).toEqual({ model: 'gpt-x', provider: 'vscode', vendor: 'copilot', family: 'gpt', version: '1' });
    expect([model.requests, model.counted]).toEqual([[], []]);
  });

  it('has the window VS Code says, or a smaller one that is set', () => {
    const model = createFakeLanguageModel();
    expect(clientOf(model, { window: 200_000 }).window).toBe(64_000);
    expect(clientOf(model, { window: 32_000, maxOutput: 2_000 })).toMatchObject({ window: 32_000, maxOutput: 2_000 });
  });

  it('stops when it is told to, at once and before it begins, and VS Code is told', async () => {
    const stop = new AbortController();
    const model = createFakeLanguageModel([
      async function* (): AsyncGenerator<LanguageAnswerPart> {
        yield text('雨');
        await new Promise(() => undefined);
      },
    ]);
    const events: ModelEvent[] = [];
    for await (const event of clientOf(model).stream(SAY, stop.signal)) {
      events.push(event);
      stop.abort();
    }
    expect(events).toEqual([{ type: 'text', text: '雨' }, { type: 'error', error: { code: 'turn.aborted' }, retryable: false }]);
    expect(model.signal()?.aborted).toBe(true);
    const early = createFakeLanguageModel([[text('好。')]]);
    expect(await eventsOf(early, SAY, {}, AbortSignal.abort())).toEqual([{ type: 'error', error: { code: 'turn.aborted' }, retryable: false }]);
    expect(early.requests).toEqual([]);
  });

  it('that goes silent is given up after two minutes, what it said kept', async () => {
    const clock = createFakeClock();
    const model = createFakeLanguageModel([
      async function* (): AsyncGenerator<LanguageAnswerPart> {
        yield text('雨');
        setTimeout(() => { clock.advance(120_000); }, 0);
        await new Promise(() => undefined);
      },
    ]);
    const events: ModelEvent[] = [];
    for await (const event of clientOf(model, {}, clock).stream(SAY, new AbortController().signal)) events.push(event);
    expect(events).toEqual([{ type: 'text', text: '雨' }, { type: 'error', error: { code: 'model.idle-timeout', args: { seconds: 120 } }, retryable: true }]);
  });

  it('whose tokens cannot be counted has no usage, and the answer does not wait for it', async () => {
    expect((await eventsOf(createFakeLanguageModel([[text('好。')]], { count: () => Promise.reject(new Error('no')) }))).map(({ type }) => type)).toEqual(['text', 'done']);
    const clock = createFakeClock();
    const model = createFakeLanguageModel([[text('好。')]], { count: () => { setTimeout(() => { clock.advance(3_000); }, 0); return new Promise(() => undefined); } });
    const events: ModelEvent[] = [];
    for await (const event of clientOf(model, {}, clock).stream(SAY, new AbortController().signal)) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(['text', 'done']);
  });

  it.each([
    ['no permission', languageModelError('NoPermissions', "Language model 'gpt-x' cannot be used by 'liyuan'."), { code: 'model.vscode-consent', args: { model: 'GPT X' } }, false],
    ['a model that is gone', languageModelError('NotFound', 'Language model not found'), { code: 'model.vscode-missing', args: { model: 'GPT X' } }, false],
    ['a provider that blocks us', languageModelError('Blocked', 'The extension has been temporarily blocked due to making too many requests.'), { code: 'model.vscode-blocked', args: { model: 'GPT X', detail: 'The extension has been temporarily blocked due to making too many requests.' } }, false],
    ['a block that is a quota', languageModelError('Blocked', 'Quota limit reached'), { code: 'model.quota', args: { detail: 'Quota limit reached' } }, false],
    ['a quota by its name', languageModelError('', 'You are out of luck this month.', 'ChatQuotaExceeded'), { code: 'model.quota', args: { detail: 'You are out of luck this month.' } }, false],
    ['a quota by its words', new Error('You have exceeded your premium request allowance.'), { code: 'model.quota', args: { detail: 'You have exceeded your premium request allowance.' } }, false],
    ['too many requests', languageModelError('', 'Slow down.', 'ChatRateLimited'), { code: 'model.rate-limit', args: { detail: 'Slow down.' } }, true],
    ['a text that is too long', new Error('Message exceeds token limit.'), { code: 'model.context-overflow', args: { detail: 'Message exceeds token limit.' } }, false],
    ['a filter', new Error('Sorry, the response was filtered by the Responsible AI Service.'), { code: 'model.content-filter', args: { detail: 'Sorry, the response was filtered by the Responsible AI Service.' } }, false],
    ['an unknown failure with its cause', Object.assign(new Error('', { cause: new Error('server is busy') }), { code: 'Unknown' }), { code: 'model.overloaded', args: { detail: 'server is busy' } }, true],
    ['a cancellation', Object.assign(new Error('Canceled'), { name: 'Canceled' }), { code: 'turn.aborted', args: {} }, false],
  ])('says what went wrong: %s', async (_, error, expected, retryable) => {
    const [event, ...more] = await eventsOf(createFakeLanguageModel([error]));
    expect(withoutCause(event)).toEqual({ type: 'error', error: expected, retryable });
    expect(more).toEqual([]);
  });

  it('that breaks off has what it had said first, and thinking in tags is thinking', async () => {
    const model = createFakeLanguageModel([
      async function* (): AsyncGenerator<LanguageAnswerPart> {
        yield text('<think>想');
        yield text('</think>雨');
        throw await Promise.resolve(new Error('server is busy'));
      },
    ]);
    const events = await eventsOf(model);
    expect(events.map((event) => (event.type === 'error' ? event.error.code : event))).toEqual([{ type: 'reasoning', text: '想' }, { type: 'text', text: '雨' }, 'model.overloaded']);
  });
});

describe('a model’s name in the settings', () => {
  const mine = createFakeLanguageModel([], { id: 'a/b', vendor: 'one' });
  const twin = createFakeLanguageModel([], { id: 'a/b', vendor: 'two' });
  const other = createFakeLanguageModel([], { id: 'c' });

  it('finds it again, also where two vendors have the same', async () => {
    const all = [mine, twin, other];
    expect(all.map((model) => nameOf(model, all))).toEqual(['one/a/b', 'two/a/b', 'c']);
    const models = createFakeLanguageModels(all);
    for (const model of all) expect(await findLanguageModel(models, nameOf(model, all))).toEqual({ ok: true, value: model });
  });

  it('that is none, or of a model that is gone, is refused', async () => {
    expect(await findLanguageModel(createFakeLanguageModels([other]), ' ')).toEqual({ ok: false, error: { code: 'model.not-configured' } });
    expect(await findLanguageModel(createFakeLanguageModels([other]), 'gone')).toEqual({ ok: false, error: { code: 'model.vscode-missing', args: { model: 'gone' } } });
  });
});
