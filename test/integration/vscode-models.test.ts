import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ModelClient, ModelEvent, ModelMessage, ModelRequest } from '../../src/engine/index';
import { createVscodeModelClient } from '../../src/extension/models/vscode-model-client';
import { vscodeLanguageModels } from '../../src/extension/models/vscode-language-models';
import { internal } from './liyuan-host';

/** What the fixture's provider has seen (test/fixtures/language-models). */
interface Seen {
  readonly requests: { readonly messages: readonly { readonly role: number; readonly parts: readonly unknown[] }[]; readonly tools: readonly unknown[] }[];
  readonly cancelled: number;
}

const READ = { name: 'read', description: 'Reads a file.', parameters: { type: 'object', properties: { path: { type: 'string' } } } };
const say = (content: string): ModelRequest => ({ messages: [{ role: 'system', content: '规则' }, { role: 'user', content }] });

suite('models of VS Code itself', () => {
  let seen: Seen;
  let client: ModelClient;

  const events = async (request: ModelRequest, signal = new AbortController().signal): Promise<readonly ModelEvent[]> => {
    const all: ModelEvent[] = [];
    for await (const event of client.stream(request, signal)) all.push(event);
    return all;
  };

  suiteSetup(async () => {
    const provider = vscode.extensions.getExtension<Seen>('liyuan-test.language-models');
    assert.ok(provider, 'the fixture is installed');
    seen = await provider.activate();
    const { clock, log } = await internal();
    const made = await createVscodeModelClient({ title: '', name: 'rain', tools: 'native', clock, log });
    assert.ok(made.ok, 'VS Code offers the model');
    client = made.value;
  });

  test('are listed and looked up without sending anything to them', async () => {
    const all = await vscodeLanguageModels.select();
    const rain = all.find(({ id }) => id === 'rain');
    assert.deepEqual([rain?.name, rain?.vendor, rain?.maxInputTokens], ['Rain', 'liyuan-test', 32_000]);
    assert.deepEqual([client.name, client.window], ['Rain', 32_000]);
    assert.equal(seen.requests.length, 0);
    const { clock, log } = await internal();
    const gone = await createVscodeModelClient({ title: '', name: 'gone', tools: 'native', clock, log });
    assert.equal(gone.ok ? '' : gone.error.code, 'model.vscode-missing');
  });

  test('answer in a stream, call tools and take their results', async () => {
    const first = { ...say('看第一章'), tools: [READ] };
    const asked = await events(first);
    assert.deepEqual(asked.find(({ type }) => type === 'toolCall'), { type: 'toolCall', callId: 'call-1', name: 'read', args: '{"path":"正文/001.md"}' });
    assert.deepEqual(asked.at(-1), { type: 'done', reason: 'tool_calls' });
    const messages: readonly ModelMessage[] = [
      ...first.messages,
      { role: 'assistant', content: '我看看。', calls: [{ callId: 'call-1', name: 'read', args: '{"path":"正文/001.md"}' }] },
      { role: 'tool', callId: 'call-1', name: 'read', content: '{"text":"雨"}' },
    ];
    const answered = await events({ ...first, messages });
    assert.equal(answered.map((event) => (event.type === 'text' ? event.text : '')).join(''), '雨下了三天。');
    assert.deepEqual(answered.at(-1), { type: 'done', reason: 'stop' });
    const usage = answered.find(({ type }) => type === 'usage');
    assert.ok(usage?.type === 'usage' && usage.usage.estimated === true && usage.usage.output === 6);
    assert.deepEqual(seen.requests.at(-1)?.messages, [
      { role: 1, parts: [{ text: '规则\n\n看第一章' }] },
      { role: 2, parts: [{ text: '我看看。' }, { call: 'call-1', name: 'read', input: { path: '正文/001.md' } }] },
      { role: 1, parts: [{ result: 'call-1', content: ['{"text":"雨"}'] }] },
    ]);
    assert.deepEqual(seen.requests.at(-1)?.tools, [{ name: 'read', inputSchema: READ.parameters }]);
  });

  test('stop when they are told to', async () => {
    const stop = new AbortController();
    const all: ModelEvent[] = [];
    for await (const event of client.stream(say('write for ever'), stop.signal)) {
      all.push(event);
      stop.abort();
    }
    assert.deepEqual(all, [{ type: 'text', text: '雨' }, { type: 'error', error: { code: 'turn.aborted' }, retryable: false }]);
    for (let tries = 0; seen.cancelled === 0 && tries < 100; tries += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(seen.cancelled, 1);
  });

  test('refuse in words that are understood', async () => {
    const code = async (words: string): Promise<string> => {
      const last = (await events(say(words))).at(-1);
      return last?.type === 'error' ? last.error.code : (last?.type ?? '');
    };
    assert.equal(await code('be blocked'), 'model.vscode-blocked');
    assert.equal(await code('over the quota'), 'model.quota');
  });
});
