import { describe, expect, it } from 'vitest';
import { listModels } from '../../src/engine/model/connection';
import { createOpenAIClient } from '../../src/engine/model/openai-client';
import { modelProfile } from '../../src/engine/model/profile';
import { createFakeClock } from '../fakes/clock';
import { createMemoryLog } from '../fakes/log';
import { bench, delta, events, sse, withoutCause } from './harness';

const MB = 1024 * 1024;
const TOO_LARGE = { type: 'error', error: { code: 'model.too-large', args: { mb: 8 } }, retryable: false };

/** An answer whose body never ends, and how much of it was taken. */
function endless(status: number, head: string): { readonly fetch: typeof globalThis.fetch; taken(): number; cancelled(): boolean } {
  let taken = 0;
  let cancelled = false;
  const piece = new Uint8Array(16 * 1024).fill(0x61);
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(head));
      },
      pull(controller) {
        taken += piece.length;
        controller.enqueue(piece);
      },
      cancel() {
        cancelled = true;
      },
    });
  return { fetch: async () => Promise.resolve(new Response(body(), { status })), taken: () => taken, cancelled: () => cancelled };
}

const depsOf = (fetch: typeof globalThis.fetch): Parameters<typeof createOpenAIClient>[1] => ({ fetch, clock: createFakeClock(), log: createMemoryLog() });
const profile = modelProfile.parse({ baseUrl: 'http://127.0.0.1:1', model: 'm', apiKey: 'key' });

describe('what is read of an endless answer', () => {
  it('a refusal: 64 KB, then the rest is left', async () => {
    const bomb = endless(500, 'no');
    expect(await events(createOpenAIClient(profile, depsOf(bomb.fetch)))).toMatchObject([{ error: { code: 'model.server' } }]);
    expect(bomb.taken()).toBeLessThan(128 * 1024);
    expect(bomb.cancelled()).toBe(true);
  });

  it('a refusal of the list of models: the same', async () => {
    const bomb = endless(401, 'no');
    expect(await listModels(profile, depsOf(bomb.fetch))).toMatchObject({ ok: false, error: { code: 'model.auth' } });
    expect(bomb.taken()).toBeLessThan(128 * 1024);
    expect(bomb.cancelled()).toBe(true);
  });

  it.each([
    ['a list of models', '["'],
    ['one event', 'data: {"choices":[{"delta":{"content":"'],
    ['an answer that is no stream', '{"choices":[{"message":{"content":"'],
  ])('%s: 8 MB, then it is refused', async (what, head) => {
    const bomb = endless(200, head);
    if (what === 'a list of models') expect(await listModels(profile, depsOf(bomb.fetch))).toMatchObject({ ok: false, error: { code: 'model.too-large' } });
    else expect((await events(createOpenAIClient(profile, depsOf(bomb.fetch)))).map(withoutCause)).toEqual([TOO_LARGE]);
    expect(bomb.taken()).toBeLessThan(8.1 * MB);
    expect(bomb.cancelled()).toBe(true);
  });

  it('words before an event that is refused are kept', async () => {
    const bomb = endless(200, `data: ${JSON.stringify(delta({ content: '雨' }))}\n\ndata: "`);
    expect((await events(createOpenAIClient(profile, depsOf(bomb.fetch)))).map(withoutCause)).toEqual([{ type: 'text', text: '雨' }, TOO_LARGE]);
  });
});

describe('an event in many pieces', () => {
  it('takes time by its length, not by its square', async () => {
    const content = 'a'.repeat(6 * MB);
    const bytes = Buffer.from(`data: ${JSON.stringify(delta({ content }, 'stop'))}\n\ndata: [DONE]\n\n`);
    let copied = 0;
    const set = Uint8Array.prototype.set;
    // What the work is, however fast the machine: the bytes that are copied from one array into another.
    Uint8Array.prototype.set = function (this: Uint8Array, from: ArrayLike<number>, at?: number) {
      copied += from.length;
      set.call(this, from, at);
    };
    try {
      let at = 0;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (at >= bytes.length) controller.close();
          else controller.enqueue(new Uint8Array(bytes.subarray(at, (at += 4096))));
        },
      });
      const all = await events(createOpenAIClient(profile, depsOf(async () => Promise.resolve(new Response(body)))));
      expect(all.map((event) => (event.type === 'text' ? event.text.length : event.type))).toEqual([6 * MB, 'done']);
    } finally {
      Uint8Array.prototype.set = set;
    }
    expect(copied).toBeLessThan(8 * bytes.length);
  });

  it('is the same with every kind of line end, cut anywhere', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = [delta({ content: '雨' }), delta({ content: '夜' }, 'stop')].map((chunk) => `data: ${JSON.stringify(chunk)}${end}${end}`).join('');
      const { client } = await bench([{ raw: [...`${text}data: [DONE]${end}${end}`].map((letter) => letter) }]);
      expect(await events(client)).toEqual([{ type: 'text', text: '雨' }, { type: 'text', text: '夜' }, { type: 'done', reason: 'stop' }]);
    }
  });

  it('does not hold back an event that is whole', async () => {
    const { client } = await bench([{ ...sse(delta({ content: '雨' })), raw: [`data: ${JSON.stringify(delta({ content: '雨' }))}\n\ndata: {"cho`], end: 'hang' }]);
    for await (const event of client.stream({ messages: [{ role: 'user', content: 'x' }] }, new AbortController().signal)) {
      expect(event).toEqual({ type: 'text', text: '雨' });
      break;
    }
  });
});
