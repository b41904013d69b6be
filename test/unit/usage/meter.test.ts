import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelRequest } from '../../../src/engine/ports/models';
import { createUsageMeter, type MeasuredAs, type UsageMeter } from '../../../src/engine/usage/meter';
import type { DayLimits } from '../../../src/engine/usage/limits';
import type { UsageStore } from '../../../src/engine/usage/store';
import type { FakeClock } from '../../fakes/clock';
import { createMemoryLog } from '../../fakes/log';
import { createScriptedClient, says, type ScriptedAnswer, type ScriptedClient } from '../../fakes/models';
import { withTempFolder } from '../../fakes/temp-folder';
import { callAt, clockAtNoon, HOUR, NOON, storeIn } from './support';

const price = { input: 2, cached: 0.2, output: 8, currency: 'CNY' };
const deepseek: MeasuredAs = { use: 'writing', title: 'DeepSeek', base: 'https://key@api.example.com:8443/v1?key=secret', price };
const request: ModelRequest = { messages: [{ role: 'user', content: '把那句话改一下' }], about: { sessionId: 's1', turnId: 't1' } };
const never = new AbortController().signal;

interface Bench {
  readonly folder: string;
  readonly clock: FakeClock;
  readonly store: UsageStore;
  readonly meter: UsageMeter;
  limits: DayLimits;
}

/** A character is a token. */
const withMeter = (f: (bench: Bench) => Promise<void>): Promise<void> =>
  withTempFolder(async (folder) => {
    const clock = clockAtNoon();
    const store = storeIn(folder, clock);
    const bench: Bench = { folder, clock, store, limits: {}, meter: createUsageMeter({ store, clock, log: createMemoryLog(), countTokens: (text) => Promise.resolve(text.length), limits: () => bench.limits }) };
    await f(bench);
    await bench.meter.settled();
  });

async function all(meter: UsageMeter, script: readonly ScriptedAnswer[] | ScriptedClient, as = deepseek, { sent = request, signal = never } = {}): Promise<readonly ModelEvent[]> {
  const client = 'stream' in script ? script : createScriptedClient(script);
  const events: ModelEvent[] = [];
  for await (const event of meter.measured(client, as).stream(sent, signal)) events.push(event);
  await meter.settled();
  return events;
}

const usageEvent = (more: object = {}): ModelEvent => ({ type: 'usage', usage: { input: 1_000, output: 100, cached: 600, reasoning: 30, ...more } });

describe('a measured call', () => {
  it('is noted with its tokens, its times, where it went, what for, and what it cost; no text, no key', () =>
    withMeter(async ({ meter, clock, store, folder }) => {
      const answer = async function* (): AsyncGenerator<ModelEvent> {
        await Promise.resolve();
        clock.set(NOON + 400);
        yield { type: 'reasoning', text: '想一想' };
        clock.set(NOON + 2_400);
        yield { type: 'text', text: '改好了' };
        yield usageEvent();
        yield { type: 'done', reason: 'stop' };
      };
      const cost = (400 * 2 + 600 * 0.2 + 100 * 8) / 1_000_000;
      expect((await all(meter, [answer])).find(({ type }) => type === 'usage')).toEqual(usageEvent({ cost, currency: 'CNY' }));
      expect(await store.calls()).toEqual([
        { at: NOON, profile: 'DeepSeek', model: 'scripted', host: 'api.example.com:8443', use: 'writing', session: 's1', turn: 't1', input: 1_000, output: 100, cached: 600, reasoning: 30, firstMs: 400, ms: 2_400, outcome: 'stop', retries: 0, cost, currency: 'CNY' },
      ]);
      const written = await fs.readFile(path.join(folder, 'usage/2026-12-01.jsonl'), 'utf8');
      for (const secret of ['那句话', '改好了', '想一想', 'key', 'secret', '/v1']) expect(written).not.toContain(secret);
    }));

  it('leaves the client what it is', () =>
    withMeter(async ({ meter }) => {
      const client = createScriptedClient([says('好')], { name: 'm', window: 9_000 });
      let refused = false;
      Object.defineProperty(client, 'params', { get: () => ({ toolsRefused: refused }) });
      const measured = meter.measured(client, deepseek);
      refused = true;
      expect([measured.name, measured.window, measured.rehearsal, measured.params, measured.price]).toEqual(['m', 9_000, false, { toolsRefused: true }, price]);
      await all(meter, client);
      expect(client.requests).toEqual([request]);
    }));

  it('without figures from the service is counted here, and says so', () =>
    withMeter(async ({ meter, store }) => {
      await all(meter, [[{ type: 'text', text: '改好了' }, { type: 'done', reason: 'stop' }]]);
      const [call] = await store.calls();
      expect(call).toMatchObject({ input: 7 + 4, output: 3, estimated: true });
      expect(call?.cost).toBeCloseTo((11 * 2 + 3 * 8) / 1_000_000);
    }));

  it('that was refused takes nothing; one that broke off takes what had come', () =>
    withMeter(async ({ meter, store }) => {
      await all(meter, [[{ type: 'error', error: { code: 'model.auth' }, retryable: false }]]);
      await all(meter, [[{ type: 'text', text: '半句' }, { type: 'error', error: { code: 'model.network' }, retryable: true }]]);
      const [broken, refused] = await store.calls();
      expect(refused).toMatchObject({ input: 0, output: 0, outcome: 'model.auth' });
      expect([refused?.estimated, refused?.cost]).toEqual([undefined, undefined]);
      expect(broken).toMatchObject({ input: 11, output: 2, outcome: 'model.network', estimated: true });
    }));

  it('that is stopped is noted as stopped, also when nobody reads its end', () =>
    withMeter(async ({ meter, store }) => {
      const stop = new AbortController();
      const client = createScriptedClient([says('一', '二'), says('三', '四')]);
      await all(meter, client, deepseek, { signal: AbortSignal.abort() });
      for await (const event of meter.measured(client, deepseek).stream(request, stop.signal)) {
        expect(event.type).toBe('text');
        stop.abort();
        break;
      }
      await meter.settled();
      expect((await store.calls()).map(({ outcome, input, output }) => [outcome, input, output])).toEqual([['turn.aborted', 11, 1], ['turn.aborted', 0, 0]]);
    }));

  it('of the same messages is one more try', () =>
    withMeter(async ({ meter, store }) => {
      const overloaded: ModelEvent = { type: 'error', error: { code: 'model.overloaded' }, retryable: true };
      const client = createScriptedClient([[overloaded], [overloaded], says('好'), says('好')]);
      for (let n = 0; n < 3; n += 1) await all(meter, client, deepseek, { sent: { ...request } });
      await all(meter, client, deepseek, { sent: { messages: [...request.messages] } });
      expect((await store.calls()).map(({ retries, outcome, session }) => [retries, outcome, session])).toEqual([
        [0, 'stop', undefined],
        [2, 'stop', 's1'],
        [1, 'model.overloaded', 's1'],
        [0, 'model.overloaded', 's1'],
      ]);
    }));
});

describe('the limit of the day', () => {
  const over = { type: 'error', error: { code: 'usage.over-budget' }, retryable: false };

  it('is held before anything is sent: what just reaches it is sent', () =>
    withMeter(async (bench) => {
      const { meter, store } = bench;
      bench.limits = { tokens: 121 };
      await store.add(callAt(NOON));
      const client = createScriptedClient([says('好')]);
      expect((await all(meter, client)).at(-1)).toEqual({ type: 'done', reason: 'stop' });
      expect(await all(meter, client)).toMatchObject([over]);
      expect(client.requests.length).toBe(1);
      // A call that was not made is in no list, and is no try.
      expect((await store.calls()).length).toBe(2);
    }));

  it('counts what other windows and other calls of this moment take', () =>
    withMeter(async (bench) => {
      const { meter, folder, clock } = bench;
      bench.limits = { tokens: 134 };
      const short: readonly ModelEvent[] = [{ type: 'text', text: '好' }, { type: 'done', reason: 'stop' }];
      await storeIn(folder, clock).add(callAt(NOON));
      const client = createScriptedClient([short, short, short]);
      const three = await Promise.all([0, 1, 2].map(() => all(meter, client, deepseek, { sent: { ...request } })));
      expect(three.map((events) => events.at(-1)?.type).sort()).toEqual(['done', 'done', 'error']);
    }));

  it('of money is held where there is a price, and only there', () =>
    withMeter(async (bench) => {
      const { meter } = bench;
      bench.limits = { cost: 0.00001 };
      const free: MeasuredAs = { use: 'side', title: 'local' };
      expect(await all(meter, [says('好')])).toMatchObject([over]);
      expect((await all(meter, [says('好')], free)).at(-1)).toMatchObject({ type: 'done' });
    }));

  it('is gone over in a turn that may, and in no other', () =>
    withMeter(async (bench) => {
      const { meter } = bench;
      bench.limits = { tokens: 0 };
      await meter.allow({ kind: 'turn', turnId: 't1' });
      expect((await all(meter, [says('好')])).at(-1)).toMatchObject({ type: 'done' });
      expect(await all(meter, [says('好')], deepseek, { sent: { ...request, about: { sessionId: 's1', turnId: 't2' } } })).toMatchObject([over]);
      expect(await all(meter, [says('好')], deepseek, { sent: { messages: request.messages } })).toMatchObject([over]);
    }));

  it('is gone over until midnight in all windows once that is said, and holds again after it', () =>
    withMeter(async (bench) => {
      const { meter, clock, folder } = bench;
      bench.limits = { tokens: 0 };
      const other = createUsageMeter({ store: storeIn(folder, clock), clock, log: createMemoryLog(), countTokens: (text) => Promise.resolve(text.length), limits: () => bench.limits });
      await meter.allow({ kind: 'today' });
      expect((await all(other, [says('好')])).at(-1)).toMatchObject({ type: 'done' });
      clock.set(NOON + 12 * HOUR);
      expect(await all(other, [says('好')])).toMatchObject([over]);
      await meter.allow({ kind: 'turn', turnId: 't1' });
      clock.set(NOON + 36 * HOUR);
      expect(await all(meter, [says('好')])).toMatchObject([over]);
    }));
});
