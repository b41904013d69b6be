import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listModels } from '../../../src/engine/model/connection';
import { hideSecrets, secretsOf, withoutSecrets } from '../../../src/engine/model/hidden';
import { createOpenAIClient } from '../../../src/engine/model/openai-client';
import type { ModelProfileInput } from '../../../src/engine/model/profile';
import { modelProfile } from '../../../src/engine/model/profile';
import { createFakeClock } from '../../fakes/clock';
import { withEngine } from '../../fakes/engine-bench';
import { createMemoryLog } from '../../fakes/log';

const profile: ModelProfileInput = {
  baseUrl: 'https://model.example/v1?api-key=query-secret&api-version=2024-02-01',
  model: 'm',
  apiKey: 'sk-verysecretkey',
  headers: { 'X-Gateway': 'Bearer header-secret', 'X-Title': 'Book' },
  extraBody: { enable_thinking: true, note: 'plain words', auth: { token: 'body-secret', list: ['other-secret'] } },
};
const SECRETS = ['sk-verysecretkey', 'header-secret', 'query-secret', 'body-secret', 'other-secret'];

/** Everything below a folder of the project's records, as one text. */
async function recorded(root: string, folder: string): Promise<string> {
  const path = join(root, '.liyuan', folder);
  return (await Promise.all((await readdir(path)).map((name) => readFile(join(path, name), 'utf8')))).join('');
}

const saying = (status: number, body: string): typeof globalThis.fetch => async () => Promise.resolve(new Response(body, { status }));

describe('the secrets of a profile', () => {
  it('are cut out wherever they are quoted, and nothing else is', () => {
    const secrets = secretsOf(modelProfile.parse(profile));
    for (const secret of SECRETS) expect(withoutSecrets(`a ${secret} b`, secrets)).toBe('a *** b');
    expect(withoutSecrets('Incorrect API key (Bearer header-secret)', secrets)).toBe('Incorrect API key (***)');
    expect(withoutSecrets('Book, plain words, 2024-02-01, thinking', secrets)).toBe('Book, plain words, 2024-02-01, thinking');
  });

  it('a key too short to be one garbles no words', () => {
    expect(withoutSecrets('no such key', secretsOf(modelProfile.parse({ baseUrl: 'localhost', model: 'm', apiKey: 'key' })))).toBe('no such key');
  });

  it('are cut out of what is logged too, also as JSON or a query writes them', () => {
    const secrets = secretsOf(modelProfile.parse({ ...profile, apiKey: 'a "quoted" key/+' }));
    const failed = { error: { code: 'internal' as const, args: { detail: 'key=a+%22quoted%22+key%2F%2B', status: 1 }, cause: '{"key":"a \\"quoted\\" key/+"}' }, retryable: false };
    expect(hideSecrets(failed, secrets).error).toEqual({ code: 'internal', args: { detail: 'key=***', status: 1 }, cause: '{"key":"***"}' });
  });
});

describe('a refusal that quotes the key', () => {
  // The quote lies across the place where a long detail is cut.
  const body = JSON.stringify({ error: { message: `${'x'.repeat(280)} Incorrect API key provided: ${SECRETS.join(' ')}` } });

  it.each([
    ['as JSON', body],
    ['as text', `Incorrect API key provided: ${SECRETS.join(' ')}`],
  ])('%s leaves no trace of it in the records or the log', async (_, answer) => {
    const log = createMemoryLog();
    const client = createOpenAIClient(profile, { fetch: saying(401, answer), clock: createFakeClock(), log });
    await withEngine({ '正文/1.md': '一' }, client, async (bench) => {
      await bench.turn('写');
      const sessions = await recorded(bench.root, 'sessions');
      expect(sessions).toContain('model.auth');
      const all = sessions + (await recorded(bench.root, 'traces')) + JSON.stringify([log, bench.log]);
      for (const secret of SECRETS) expect(all).not.toContain(secret.slice(0, 6));
    });
  });

  it('does not show it among the models either', async () => {
    const found = await listModels(modelProfile.parse(profile), { fetch: saying(401, body), clock: createFakeClock(), log: createMemoryLog() });
    expect(found).toMatchObject({ ok: false, error: { code: 'model.auth' } });
    for (const secret of SECRETS) expect(JSON.stringify(found)).not.toContain(secret.slice(0, 6));
  });
});

it('the further fields of a profile stand in traces by name and hash', async () => {
  const answer = 'data: {"choices":[{"index":0,"delta":{"content":"好"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  const fetch = saying(200, answer);
  const client = createOpenAIClient({ ...profile, extraBody: { ...profile.extraBody, temperature: 0.123 }, temperature: 1 }, { fetch, clock: createFakeClock(), log: createMemoryLog() });
  await withEngine({ '正文/1.md': '一' }, client, async (bench) => {
    await bench.turn('写');
    const traces = await recorded(bench.root, 'traces');
    expect(traces).toMatch(/"extraBody":\{"enable_thinking":"sha256:[0-9a-f]{64}","note":"sha256:[0-9a-f]{64}","auth":"sha256:[0-9a-f]{64}","temperature":"sha256:[0-9a-f]{64}"\}/);
    // A further field replaces the one of the same name, so that one was not sent.
    expect(traces).not.toMatch(/body-secret|other-secret|plain words|0\.123|"temperature":1/);
  });
});
