import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createUsageMeter } from '../../../src/engine/usage/meter';
import type { UsageMeter } from '../../../src/engine/usage/meter';
import { sessionUsage } from '../../../src/engine/session/usage';
import { withEngine, type EngineBench } from '../../fakes/engine-bench';
import { createMemoryLog } from '../../fakes/log';
import { asks, call, createScriptedClient, says, type ScriptedClient } from '../../fakes/models';
import { withTempFolder } from '../../fakes/temp-folder';
import { clockAtNoon, storeIn } from '../usage/support';

const rain = '正文/001-雨夜.md';
const book = { [rain]: '# 雨夜\n\n雨下了三天。\n' };
const edits = (): ScriptedClient => createScriptedClient([asks(call('edit', { path: rain, old: '三天', new: '五天' })), says('改好了')]);
const price = { input: 2, output: 8, currency: 'CNY' };

/** A project whose model may take so many tokens a day. */
const withLimit = (client: ScriptedClient, tokens: () => number, f: (bench: EngineBench, meter: UsageMeter) => Promise<void>): Promise<void> =>
  withTempFolder(async (folder) => {
    const clock = clockAtNoon();
    const meter = createUsageMeter({ store: storeIn(folder, clock), clock, log: createMemoryLog(), countTokens: (text) => Promise.resolve(text.length), limits: () => ({ tokens: tokens() }) });
    await withEngine(book, meter.measured(client, { use: 'writing', title: '', price }), (bench) => f(bench, meter), { budget: meter });
    await meter.settled();
  });

describe('a turn that would go over the limit of the day', () => {
  it('asks, and goes on for this turn, for all its calls; the next one asks again', () => {
    const client = edits();
    client.then(says('好'));
    return withLimit(client, () => 0, async ({ turn, ui, disk }) => {
      ui.goOver('turn');
      const events = await turn('把三天改成五天');
      expect(ui.overBudgetAsked.map(({ code }) => code)).toEqual(['usage.over-budget']);
      const told = events.filter(({ type }) => type === 'overBudget' || type === 'overBudgetAnswered');
      expect(told).toMatchObject([{ type: 'overBudget', error: { args: { limit: 0, unit: 'tokens' } } }, { type: 'overBudgetAnswered', answer: 'turn' }]);
      expect(await disk(rain)).toContain('五天');
      expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'done' });
      await turn('再看看');
      expect(ui.overBudgetAsked.length).toBe(2);
    });
  });

  it('asks once for a day', () => {
    const client = edits();
    client.then(says('好'));
    return withLimit(client, () => 0, async ({ turn, ui }) => {
      ui.goOver('today');
      await turn('把三天改成五天');
      await turn('再看看');
      expect(ui.overBudgetAsked.length).toBe(1);
      expect(client.left()).toBe(0);
    });
  });

  it('stops when the person would rather, and nothing is sent', () => {
    const client = edits();
    return withLimit(client, () => 0, async ({ turn, ui, disk }) => {
      const events = await turn('把三天改成五天');
      expect(ui.overBudgetAsked.length).toBe(1);
      expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'stopped' });
      expect(client.requests).toEqual([]);
      expect(await disk(rain)).toContain('三天');
    });
  });

  it('in the middle keeps what it has done', () => {
    const client = edits();
    let limit = 1_000_000;
    return withLimit(client, () => limit, async ({ turn, ui, disk }) => {
      client.then(says('没有说到这里'));
      const before = client.stream.bind(client);
      Object.assign(client, {
        stream: (...args: Parameters<typeof before>) => {
          limit = 0;
          return before(...args);
        },
      });
      const events = await turn('把三天改成五天');
      expect(ui.overBudgetAsked.length).toBe(1);
      expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'stopped' });
      expect(await disk(rain)).toContain('五天');
    });
  });

  it('in a long job pauses it: nobody is asked, the chapter waits, and it goes on once it may', () => {
    const client = createScriptedClient([asks(call('edit', { path: rain, old: '三天', new: '五天' })), says('改好了')]);
    return withLimit(client, () => 0, async ({ engine, ui, disk, root }, meter) => {
      const reached = (state: 'paused' | 'finished'): Promise<void> =>
        new Promise((resolve) => {
          const stop = engine.jobs.onChange((job) => {
            if (job?.state !== state) return;
            stop();
            resolve();
          });
        });
      const first = reached('paused');
      expect((await engine.jobs.start({ instruction: '三天改成五天', paths: [rain] })).ok).toBe(true);
      await first;
      const paused = await engine.jobs.current();
      expect(paused).toMatchObject({ ok: true, value: { state: 'paused', reason: 'usage.over-budget', chapters: [{ state: 'waiting' }] } });
      expect([ui.overBudgetAsked, client.requests]).toEqual([[], []]);
      await meter.allow({ kind: 'today' });
      const second = reached('finished');
      // The pause is told a moment before its run lets go.
      await expect.poll(async () => (await readdir(join(root, '.liyuan/locks'))).filter((name) => name.startsWith('jobs'))).toEqual([]);
      expect((await engine.jobs.resume()).ok).toBe(true);
      await second;
      expect(await engine.jobs.current()).toMatchObject({ ok: true, value: { state: 'finished' } });
      expect(await disk(rain)).toContain('五天');
    });
  });
});

describe('what a turn cost', () => {
  it('stands with its calls, so that its session can add it up', () =>
    withLimit(edits(), () => 1_000_000, async ({ turn, session }) => {
      await turn('把三天改成五天');
      // `says` tells of 100 tokens in and 10 out, the call of a tool of none.
      expect(sessionUsage(session).total).toEqual({ input: 100, cached: 0, output: 10, calls: 1, costs: [{ currency: 'CNY', amount: (100 * 2 + 10 * 8) / 1_000_000 }] });
    }));
});
