import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalService } from '../../../src/engine/model/local-services';
import { discoverLocal } from '../../../src/engine/model/local-services';

type Routes = Readonly<Record<string, unknown>>;
interface Served {
  readonly port: number;
  /** `GET /path`, and the bodies of what was posted. */
  readonly asked: string[];
}

const open: http.Server[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); })));
});

/** A server that answers these paths with JSON (a function of the body where it is one), and nothing else. */
async function serve(routes: Routes | http.RequestListener): Promise<Served> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => { body += chunk.toString(); });
    request.on('end', () => {
      asked.push(`${request.method ?? ''} ${request.url ?? ''}${body === '' ? '' : ` ${body}`}`);
      if (typeof routes === 'function') return void routes(request, response);
      const answer: unknown = routes[request.url ?? ''];
      const value: unknown = typeof answer === 'function' ? (answer as (body: unknown) => unknown)(body === '' ? undefined : JSON.parse(body)) : answer;
      response.writeHead(value === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
      response.end(typeof value === 'string' ? value : JSON.stringify(value ?? { error: 'not found' }));
    });
  });
  open.push(server);
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return { port: (server.address() as AddressInfo).port, asked };
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = http.createServer();
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

async function discover(ports: Partial<Record<'ollama' | 'lmstudio' | 'llamacpp', number>>, more: { readonly signal?: AbortSignal; readonly fetch?: typeof fetch } = {}): Promise<readonly LocalService[]> {
  const none = await closedPort();
  return discoverLocal({ fetch: more.fetch ?? globalThis.fetch, signal: more.signal ?? new AbortController().signal, ports: { ollama: none, lmstudio: none, llamacpp: none, ...ports } });
}

describe('what runs on this machine', () => {
  it('is nothing when nothing answers', async () => {
    expect(await discover({})).toEqual([]);
  });

  it('is Ollama with its models and their windows: as loaded, as set, as trained; those that only embed are left out', async () => {
    const shown: Readonly<Record<string, unknown>> = {
      'qwen3:8b': { capabilities: ['completion', 'tools'], parameters: 'stop "<|im_end|>"\nnum_ctx                        16384', model_info: { 'qwen3.context_length': 40_960 } },
      'glm4:9b': { model_info: { 'general.architecture': 'chatglm', 'chatglm.context_length': 131_072 } },
      'loaded:1b': { model_info: { 'x.context_length': 131_072 } },
      'bge-m3': { capabilities: ['embedding'], model_info: { 'bert.context_length': 8_192 } },
    };
    const { port, asked } = await serve({
      '/api/tags': { models: [...Object.keys(shown), 'strange'].map((name) => ({ name, size: 1 })) },
      '/api/ps': { models: [{ name: 'loaded:1b', context_length: 4_096 }] },
      '/api/show': (body: { readonly model: string }) => shown[body.model],
    });
    expect(await discover({ ollama: port })).toEqual([
      {
        kind: 'ollama',
        title: 'Ollama',
        base: `http://127.0.0.1:${port}/v1`,
        models: [{ name: 'qwen3:8b', window: 16_384 }, { name: 'glm4:9b', window: 131_072, atMost: true }, { name: 'loaded:1b', window: 4_096 }, { name: 'strange' }],
      },
    ]);
    expect(asked).toContain('POST /api/show {"model":"qwen3:8b"}');
  });

  it('is LM Studio, with windows where its own list says them, and without where it has none', async () => {
    const { port } = await serve({
      '/v1/models': { data: [{ id: 'qwen3-14b' }, { id: 'glm-4' }, { id: 'nomic-embed' }] },
      '/api/v0/models': { data: [{ id: 'qwen3-14b', type: 'llm', state: 'loaded', max_context_length: 40_960, loaded_context_length: 8_192 }, { id: 'glm-4', type: 'llm', max_context_length: 32_768 }, { id: 'nomic-embed', type: 'embeddings', max_context_length: 2_048 }] },
    });
    expect((await discover({ lmstudio: port }))[0]).toMatchObject({ kind: 'lmstudio', title: 'LM Studio', models: [{ name: 'qwen3-14b', window: 8_192 }, { name: 'glm-4', window: 32_768, atMost: true }] });
    const older = await serve({ '/v1/models': { data: [{ id: 'a' }] } });
    expect((await discover({ lmstudio: older.port }))[0]?.models).toEqual([{ name: 'a' }]);
  });

  it('is llama.cpp, with the window it runs with', async () => {
    const { port } = await serve({ '/v1/models': { data: [{ id: 'model.gguf', meta: { n_ctx_train: 131_072 } }] }, '/props': { default_generation_settings: { n_ctx: 16_384 } } });
    expect((await discover({ llamacpp: port }))[0]).toMatchObject({ kind: 'llamacpp', models: [{ name: 'model.gguf', window: 16_384 }] });
    const trained = await serve({ '/v1/models': { data: [{ id: 'model.gguf', meta: { n_ctx_train: 131_072 } }] } });
    expect((await discover({ llamacpp: trained.port }))[0]?.models).toEqual([{ name: 'model.gguf', window: 131_072, atMost: true }]);
  });

  it('is found side by side, and told in one order', async () => {
    const list = { '/v1/models': { data: [{ id: 'm' }] }, '/api/tags': { models: [] } };
    const [a, b, c] = await Promise.all([serve(list), serve(list), serve(list)]);
    expect((await discover({ llamacpp: c.port, lmstudio: b.port, ollama: a.port })).map(({ kind }) => kind)).toEqual(['ollama', 'lmstudio', 'llamacpp']);
  });

  it('is nothing that some other program serves on these ports: pages, errors, other JSON, half of it', async () => {
    for (const routes of [{ '/v1/models': '<!doctype html>', '/api/tags': '<!doctype html>' }, {}, { '/v1/models': { hello: 1 }, '/api/tags': [1] }, { '/v1/models': '{"data": [', '/api/tags': '{' }, { '/v1/models': { data: [] } }]) {
      const { port } = await serve(routes);
      const found = await discover({ ollama: port, llamacpp: port });
      expect(found).toEqual([]);
    }
  });

  it('is not waited for when it does not answer', async () => {
    const { port } = await serve(() => undefined);
    const started = performance.now();
    expect(await discover({ ollama: port, lmstudio: port, llamacpp: port })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  it('is no longer asked once nobody looks', async () => {
    const stop = new AbortController();
    const { port, asked } = await serve(() => { stop.abort(); });
    const started = performance.now();
    expect(await discover({ ollama: port }, { signal: stop.signal })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(500);
    expect(asked.some((one) => one.includes('/api/show'))).toBe(false);
  });

  it('is asked at 127.0.0.1 alone, and a redirect is not followed', async () => {
    const elsewhere = await serve({ '/v1/models': { data: [{ id: 'm' }] }, '/api/tags': { models: [] } });
    const { port } = await serve((request, response) => {
      response.writeHead(307, { Location: `http://127.0.0.1:${elsewhere.port}${request.url ?? ''}` });
      response.end();
    });
    expect(await discover({ ollama: port, lmstudio: port, llamacpp: port })).toEqual([]);
    expect(elsewhere.asked).toEqual([]);

    const urls: string[] = [];
    const refusing: typeof fetch = (input) => {
      urls.push(typeof input === 'string' ? input : input instanceof URL ? input.href : input.url);
      return Promise.reject(new TypeError('fetch failed'));
    };
    expect(await discoverLocal({ fetch: refusing, signal: new AbortController().signal })).toEqual([]);
    expect([...new Set(urls.map((url) => new URL(url).host))].sort()).toEqual(['127.0.0.1:11434', '127.0.0.1:1234', '127.0.0.1:8080']);
  });
});
