import { describe, expect, it } from 'vitest';
import type { LocalService } from '../../../../src/engine/index';
import { createLocalModels, localRows, windowWords, withLocalRows } from '../../../../src/extension/models/local-models';
import { createMemoryLog } from '../../../fakes/log';

const t = (message: string, args: Readonly<Record<string, string | number>> = {}): string => message.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));
const ollama: LocalService = { kind: 'ollama', title: 'Ollama', base: 'http://127.0.0.1:11434/v1', models: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ name })) };
const studio: LocalService = { kind: 'lmstudio', title: 'LM Studio', base: 'http://127.0.0.1:1234/v1', models: [] };

describe('what runs on this machine', () => {
  it('is offered with its models', () => {
    expect(localRows([ollama, studio], t)).toEqual([
      { label: 'Ollama', description: 'running on this machine', detail: 'http://127.0.0.1:11434/v1 · a, b, c, d and 2 more', address: ollama.base },
      { label: 'LM Studio', description: 'running on this machine', detail: 'http://127.0.0.1:1234/v1 · no model is installed there yet', address: studio.base },
    ]);
  });

  it('comes above the other services and under what is in use, and stands there once', () => {
    const rows = ['http://127.0.0.1:1234', 'https://a.example', 'http://localhost:11434/v1', ''].map((address) => ({ address }));
    const found = [{ address: ollama.base }];
    expect(withLocalRows(rows, found, (row) => row === rows[0]).map(({ address }) => address)).toEqual(['http://127.0.0.1:1234', ollama.base, 'https://a.example', '']);
    expect(withLocalRows(rows, found, () => false).map(({ address }) => address)).toEqual([ollama.base, 'http://127.0.0.1:1234', 'https://a.example', '']);
    expect(withLocalRows(rows, [], () => false)).toEqual(rows);
  });

  it('is looked for when that is asked for and not before, and its models are then known by address and name', async () => {
    const asked: string[] = [];
    const answers: typeof fetch = (input) => {
      const url = String(input);
      asked.push(url);
      return Promise.resolve(url.startsWith('http://127.0.0.1:1234') && url.endsWith('models') ? Response.json({ data: [{ id: 'qwen', loaded_context_length: 8_192 }] }) : new Response('', { status: 404 }));
    };
    const local = createLocalModels({ fetch: answers, log: createMemoryLog() });
    expect(local.model('http://127.0.0.1:1234/v1', 'qwen')).toBeUndefined();
    expect(asked).toEqual([]);
    expect((await local.find(new AbortController().signal)).map(({ kind }) => kind)).toEqual(['lmstudio']);
    expect(local.model('localhost:1234', 'qwen')).toEqual({ name: 'qwen', window: 8_192 });
    expect(local.model('http://127.0.0.1:1234/v1', 'other')).toBeUndefined();
    expect(local.model('https://a.example/v1', 'qwen')).toBeUndefined();
  });

  it('says what a model takes, and where that is a promise of the model alone', () => {
    const words = (model: LocalService['models'][number]): string | undefined => windowWords(model, t, String);
    expect(words({ name: 'm', window: 8_192 })).toBe('takes 8192 tokens');
    expect(words({ name: 'm', window: 8_192, atMost: true })).toBe('takes up to 8192 tokens, if the service lets it');
    expect(words({ name: 'm' })).toBeUndefined();
  });
});
