import { afterEach, describe, expect, it } from 'vitest';
import { listModels, testConnection } from '../../src/engine/model/connection';
import type { ModelProfile } from '../../src/engine/model/profile';
import { modelProfile } from '../../src/engine/model/profile';
import { createFakeClock } from '../fakes/clock';
import { createMemoryLog } from '../fakes/log';
import type { ModelServer, ModelServerOptions } from '../fakes/model-server/server';
import { startModelServer } from '../fakes/model-server/server';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const deps = { fetch: globalThis.fetch, clock: createFakeClock(), log: createMemoryLog() };

async function profileAt(path: string, options: ModelServerOptions, rest: Partial<ModelProfile> = {}): Promise<ModelProfile> {
  server = await startModelServer(options);
  return modelProfile.parse({ baseUrl: server.origin + path, model: 'fake', apiKey: 'key', ...rest });
}

describe('testing a connection', () => {
  it('says that it works, where it asked, and asks for little', async () => {
    const profile = await profileAt('', { script: [{ text: '好' }] });
    expect(await testConnection(profile, deps)).toEqual({ url: `${server?.origin ?? ''}/v1/chat/completions`, ok: true, latencyMs: 0 });
    expect(server?.requests[0]?.body).toMatchObject({ max_tokens: 16 });
  });

  it('tries the other form on 404 and names the address that works', async () => {
    const profile = await profileAt('/chat/completions', { script: [{ text: '好' }] });
    const origin = server?.origin ?? '';
    expect(await testConnection(profile, deps)).toEqual({ url: `${origin}/v1/chat/completions`, ok: true, latencyMs: 0, baseUrl: `${origin}/v1` });
  });

  it('tells what is wrong with the address that was typed when neither works', async () => {
    const profile = await profileAt('/nowhere', {});
    expect(await testConnection(profile, deps)).toMatchObject({ url: `${server?.origin ?? ''}/nowhere/chat/completions`, ok: false, error: { code: 'model.not-found' } });
  });

  it('tells a wrong key', async () => {
    const profile = await profileAt('', { apiKey: 'other' });
    expect(await testConnection(profile, deps)).toMatchObject({ ok: false, error: { code: 'model.auth' } });
  });
});

describe('listing models', () => {
  it('gives the names, sorted', async () => {
    expect(await listModels(await profileAt('', { models: ['b', 'a'], apiKey: 'key' }), deps)).toEqual({ ok: true, value: ['a', 'b'] });
  });

  it('refuses with what the endpoint says', async () => {
    expect(await listModels(await profileAt('', { apiKey: 'other' }), deps)).toMatchObject({ ok: false, error: { code: 'model.auth' } });
    expect(await listModels(await profileAt('/nowhere', {}), deps)).toMatchObject({ ok: false, error: { code: 'model.not-found' } });
  });

  it('reads the other shapes of the list, and refuses what is none', async () => {
    const answer = (body: string): Parameters<typeof listModels>[1] => ({ ...deps, fetch: async () => Promise.resolve(new Response(body)) });
    const profile = modelProfile.parse({ baseUrl: 'http://127.0.0.1:1', model: 'm' });
    expect(await listModels(profile, answer('{"models":[{"name":"x:7b"}]}'))).toEqual({ ok: true, value: ['x:7b'] });
    expect(await listModels(profile, answer('["y"]'))).toEqual({ ok: true, value: ['y'] });
    expect(await listModels(profile, answer('<html>'))).toMatchObject({ ok: false, error: { code: 'model.not-found' } });
  });

  it('a broken network and an abort are refusals, not exceptions', async () => {
    const profile = await profileAt('', {});
    await server?.close();
    expect(await listModels(profile, deps)).toMatchObject({ ok: false, error: { code: 'model.network' } });
    expect(await listModels(profile, deps, AbortSignal.abort())).toMatchObject({ ok: false, error: { code: 'turn.aborted' } });
  });
});
