import { afterEach, describe, expect, it } from 'vitest';
import type { ProbeStep } from '../../src/engine/model/probe';
import { probeEndpoint } from '../../src/engine/model/probe';
import type { ModelProfile } from '../../src/engine/model/profile';
import { modelProfile } from '../../src/engine/model/profile';
import { createFakeClock } from '../fakes/clock';
import { createMemoryLog } from '../fakes/log';
import type { Answer, ServedRequest } from '../fakes/model-server/script';
import type { ModelServer, ModelServerOptions } from '../fakes/model-server/server';
import { startModelServer } from '../fakes/model-server/server';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const now = { now: () => Date.now(), after: createFakeClock().after };
const deps = { fetch: globalThis.fetch, clock: now, log: createMemoryLog() };

async function probe(options: ModelServerOptions, { path = '', signal = new AbortController().signal, ...rest }: Partial<ModelProfile> & { readonly path?: string; readonly signal?: AbortSignal } = {}): Promise<readonly ProbeStep[]> {
  server = await startModelServer(options);
  const steps: ProbeStep[] = [];
  for await (const step of probeEndpoint(modelProfile.parse({ baseUrl: server.origin + path, model: 'fake', ...rest }), deps, signal)) steps.push(step);
  return steps;
}

const verdicts = (steps: readonly ProbeStep[]): readonly string[] => steps.map((step) => [step.subject, step.verdict, 'reason' in step ? step.reason : ''].join(' ').trim());

/** Calls the tool when one is offered. */
const capable = ({ body }: ServedRequest): Answer =>
  body?.tools !== undefined && body.messages?.at(-1)?.role === 'user' ? { calls: [{ name: 'ping', args: { word: 'pong' } }] } : { text: '你好', usage: { prompt_tokens: 9, completion_tokens: 2 } };

describe('what an endpoint can do', () => {
  it('is told step by step, after three small requests', async () => {
    const steps = await probe({ script: capable });
    expect(verdicts(steps)).toEqual(['address ok', 'answer ok', 'streaming ok', 'usage ok', 'reasoning unknown unseen', 'tools ok']);
    expect(steps[0]).toMatchObject({ url: `${server?.origin ?? ''}/v1/chat/completions` });
    expect(steps[3]).toMatchObject({ usage: { input: 9, output: 2 } });
    expect(server?.requests.map(({ body }) => body?.['max_tokens'])).toEqual([64, 512, 64]);
    expect(server?.requests[2]?.body?.messages?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('keeps to the output limit of the profile', async () => {
    await probe({ script: capable }, { maxOutput: 32 });
    expect(server?.requests.map(({ body }) => body?.['max_tokens'])).toEqual([32, 32, 32]);
  });

  it('without tools and usage: both are refused, and that is said', async () => {
    const steps = await probe({
      script: ({ body }) => {
        if (body?.['stream_options'] !== undefined) return { status: 400, body: { error: { message: 'Unrecognized request argument: stream_options' } } };
        if (body?.tools !== undefined) return { status: 400, body: { error: { message: 'this model does not support tools' } } };
        return { raw: ['data: {"choices":[{"index":0,"delta":{"content":"好"},"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n'] };
      },
    });
    expect(verdicts(steps)).toEqual(['address ok', 'answer ok', 'streaming ok', 'usage no refused', 'reasoning unknown unseen', 'tools no refused']);
  });

  it('that thinks: seen in its answer, and taken back beside the call', async () => {
    const steps = await probe({
      script: ({ body }) => {
        const last = body?.messages?.at(-1)?.role;
        if (last === 'tool' && body?.messages?.[1]?.['reasoning_content'] === undefined) return { status: 400, body: { error: { message: 'The reasoning_content in the thinking mode must be passed back' } } };
        return last === 'user' && body?.tools !== undefined ? { reasoning: '要用工具。', calls: [{ name: 'ping', args: {} }] } : { reasoning: '打个招呼。', text: '你好', delayMs: 20 };
      },
    });
    expect(verdicts(steps)).toEqual(['address ok', 'answer ok', 'streaming ok', 'usage ok', 'reasoning ok', 'tools ok']);
    const answer = steps.find((step) => step.subject === 'answer');
    expect(answer?.verdict === 'ok' && answer.firstMs >= 20 && answer.wholeMs > answer.firstMs).toBe(true);
  });

  it('that does not stream: the whole answer in one piece of JSON', async () => {
    const whole = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: '好' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1 } });
    const steps = await probe({ script: () => ({ raw: [whole], headers: { 'content-type': 'application/json' } }) });
    expect(verdicts(steps)).toEqual(['address ok', 'answer ok', 'streaming no whole', 'usage ok', 'reasoning unknown unseen', 'tools unknown uncalled']);
  });

  it('is not asked about tools where the profile offers none, and fails where a result is not taken', async () => {
    expect(verdicts(await probe({ script: capable }, { tools: 'none' })).at(-1)).toBe('tools no off');
    expect(server?.requests).toHaveLength(1);
    await server?.close();
    const steps = await probe({ script: (request) => (request.body?.messages?.at(-1)?.role === 'tool' ? { status: 500, body: 'boom' } : capable(request)) });
    expect(steps.at(-1)).toMatchObject({ subject: 'tools', verdict: 'no', reason: 'failed', error: { code: 'model.server' } });
  });
});

describe('an endpoint that does not answer', () => {
  it('by its other address does, and that is named', async () => {
    const steps = await probe({ script: capable }, { path: '/chat/completions' });
    expect(steps[0]).toMatchObject({ verdict: 'ok', url: `${server?.origin ?? ''}/v1/chat/completions`, baseUrl: `${server?.origin ?? ''}/v1` });
    expect(verdicts(steps).at(-1)).toBe('tools ok');
  });

  it('because of the key, the model or the network, ends there with the reason', async () => {
    expect((await probe({ apiKey: 'other' }, { apiKey: 'mine' })).slice(1)).toMatchObject([{ subject: 'answer', verdict: 'no', error: { code: 'model.auth' } }]);
    await server?.close();
    const gone = server?.origin ?? '';
    const steps: ProbeStep[] = [];
    for await (const step of probeEndpoint(modelProfile.parse({ baseUrl: gone, model: 'm' }), deps, new AbortController().signal)) steps.push(step);
    expect(steps).toMatchObject([{ subject: 'address', verdict: 'no', url: `${gone}/v1/chat/completions`, error: { code: 'model.network' } }]);
  });

  it('is given up when that is asked for', async () => {
    const stop = new AbortController();
    setTimeout(() => { stop.abort(); }, 100);
    expect(await probe({ script: [{ hang: 'request' }] }, { signal: stop.signal })).toMatchObject([{ subject: 'address', verdict: 'no', error: { code: 'turn.aborted' } }]);
  });
});
