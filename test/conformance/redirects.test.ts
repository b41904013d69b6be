import { describe, expect, it } from 'vitest';
import { listModels } from '../../src/engine/model/connection';
import { modelProfile } from '../../src/engine/model/profile';
import { createFakeClock } from '../fakes/clock';
import { createMemoryLog } from '../fakes/log';
import { bench, delta, events, sse, withoutCause } from './harness';

const OK = sse(delta({ content: '好' }, 'stop'));
const HERE = '/v1/chat/completions';

const to = (location: string, status = 307): { readonly status: number; readonly headers: Readonly<Record<string, string>> } => ({ status, headers: { location } });

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i to another origin takes neither words nor keys there', async (status) => {
    const other = await bench([OK]);
    const { client } = await bench([to(`${other.server.origin}${HERE}`, status)], { headers: { 'x-api-key': 'header-secret' } });
    expect((await events(client)).map(withoutCause)).toEqual([{ type: 'error', error: { code: 'model.redirect', args: { address: other.server.origin } }, retryable: false }]);
    expect(other.server.requests).toEqual([]);
  });

  it('to the same host by another name or scheme counts as another origin', async () => {
    const { client, server } = await bench((_, n) => to(n === 1 ? `${server.origin.replace('127.0.0.1', 'localhost')}${HERE}` : `${server.origin.replace('http:', 'https:')}${HERE}`));
    expect(withoutCause((await events(client))[0])).toMatchObject({ error: { code: 'model.redirect', args: { address: server.origin.replace('127.0.0.1', 'localhost') } } });
    expect(withoutCause((await events(client))[0])).toMatchObject({ error: { code: 'model.redirect', args: { address: server.origin.replace('http:', 'https:') } } });
    expect(server.requests).toHaveLength(2);
  });

  it.each([307, 308])('%i within the origin is followed with method, body and headers', async (status) => {
    const { client, server } = await bench([to(`${HERE}?again`, status), OK], { headers: { 'x-api-key': 'header-secret' } });
    expect(await events(client)).toEqual([{ type: 'text', text: '好' }, { type: 'done', reason: 'stop' }]);
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
    expect(server.requests[1]?.raw).toBe(server.requests[0]?.raw);
    expect(server.requests[1]?.headers).toMatchObject({ 'authorization': 'Bearer key', 'x-api-key': 'header-secret' });
  });

  it('302 within the origin becomes a GET without the words, as everywhere', async () => {
    const { client, server } = await bench([to(HERE, 302), OK]);
    await events(client);
    expect(server.requests.map(({ method, raw }) => [method, raw === ''])).toEqual([['POST', false], ['GET', true]]);
  });

  it('that stays here first and leads away later is not followed to the end', async () => {
    const other = await bench([OK]);
    const { client } = await bench([to(HERE), to(`${other.server.origin}${HERE}`)]);
    expect(withoutCause((await events(client))[0])).toMatchObject({ error: { code: 'model.redirect' } });
    expect(other.server.requests).toEqual([]);
  });

  it('is followed five times at most', async () => {
    const { client, server } = await bench({ otherwise: to(HERE) });
    expect(withoutCause((await events(client))[0])).toMatchObject({ error: { code: 'model.not-found', args: { url: `${server.origin}${HERE}` } } });
    expect(server.requests).toHaveLength(6);
  });

  it('where the host hides its target is not followed', async () => {
    const hidden = { fetch: async () => Promise.resolve(Object.defineProperty(new Response(null), 'type', { value: 'opaqueredirect' })), clock: createFakeClock(), log: createMemoryLog() };
    expect(await listModels(modelProfile.parse({ baseUrl: 'http://127.0.0.1:1', model: 'm' }), hidden)).toMatchObject({ ok: false, error: { code: 'model.redirect' } });
  });

  it('of the list of models is bound by the same rule', async () => {
    const asked: string[] = [];
    const deps = {
      fetch: async (input: string | URL | Request) => {
        const url = input instanceof Request ? input.url : String(input);
        asked.push(url);
        return Promise.resolve(url.endsWith('/v1/models') ? new Response(null, to(`${url}/`, 302)) : url.endsWith('/v1/models/') ? new Response(null, to('https://elsewhere.example/models')) : new Response('["m"]'));
      },
      clock: createFakeClock(),
      log: createMemoryLog(),
    };
    const profile = modelProfile.parse({ baseUrl: 'http://127.0.0.1:1', model: 'm', apiKey: 'key' });
    expect(await listModels(profile, deps)).toMatchObject({ ok: false, error: { code: 'model.redirect', args: { address: 'https://elsewhere.example' } } });
    expect(asked).toEqual(['http://127.0.0.1:1/v1/models', 'http://127.0.0.1:1/v1/models/']);
  });
});
