import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createUsageStore, MOST_DAYS } from '../../../src/engine/usage/store';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';
import { callAt, clockAtNoon, DAY, HOUR, NOON, storeIn } from './support';

const today = 'usage/2026-12-01.jsonl';

describe('figures of calls', () => {
  it('are kept in full and summed by model and day', () =>
    withTempFolder(async (folder) => {
      const clock = clockAtNoon();
      const store = storeIn(folder, clock);
      await store.add(callAt(NOON, { cached: 40, reasoning: 4, cost: 0.5, currency: 'CNY' }));
      await store.add(callAt(NOON + 1, { outcome: 'model.network', input: 0, output: 0, currency: 'CNY', cost: 0 }));
      await store.add(callAt(NOON + 2, { model: 'other', estimated: true }));
      expect((await store.calls()).map(({ at }) => at)).toEqual([NOON + 2, NOON + 1, NOON]);
      expect(await store.days()).toEqual([
        {
          day: '2026-12-01',
          models: [
            { profile: '', model: 'm', host: 'a.example', currency: 'CNY', calls: 2, failed: 1, estimated: 0, input: 100, cached: 40, output: 10, reasoning: 4, cost: 0.5 },
            { profile: '', model: 'other', host: 'a.example', calls: 1, failed: 0, estimated: 1, input: 100, cached: 0, output: 10, reasoning: 0, cost: 0 },
          ],
        },
      ]);
      expect(await storeIn(folder, clock).days()).toEqual(await store.days());
    }));

  it('of two windows that append at once are all there, seen by both', () =>
    withTempFolder(async (folder) => {
      const clock = clockAtNoon();
      const windows = [storeIn(folder, clock), storeIn(folder, clock)];
      await Promise.all(Array.from({ length: 150 }, (_, n) => (windows[n % 2] as (typeof windows)[number]).add(callAt(NOON + n))));
      for (const store of windows) {
        expect((await store.today()).sums[0]?.calls).toBe(150);
        expect(new Set((await store.calls()).map(({ at }) => at)).size).toBe(150);
      }
      await windows[0]?.add(callAt(NOON + 999));
      expect((await windows[1]?.today())?.sums[0]?.calls).toBe(151);
    }));

  it('behind a line that was torn by a crash are read; the torn one is passed over', () =>
    withTempFolder(async (folder) => {
      const clock = clockAtNoon();
      const store = storeIn(folder, clock);
      await store.add(callAt(NOON));
      await fs.appendFile(path.join(folder, today), '\n{"type":"call","at":17,"prof');
      expect((await store.today()).sums[0]?.calls).toBe(1);
      await store.add(callAt(NOON + 2));
      expect((await store.calls()).map(({ at }) => at)).toEqual([NOON + 2, NOON]);
      expect((await storeIn(folder, clock).calls()).length).toBe(2);
    }));

  it('of a line that is still being written are read once it is whole', () =>
    withTempFolder(async (folder) => {
      const clock = clockAtNoon();
      const store = storeIn(folder, clock);
      await store.add(callAt(NOON));
      const line = `\n${JSON.stringify({ type: 'call', ...callAt(NOON + 5, { model: '模型' }) })}\n`;
      const bytes = Buffer.from(line);
      for (const part of [bytes.subarray(0, 60), bytes.subarray(60)]) {
        await fs.appendFile(path.join(folder, today), part);
        await store.today();
      }
      expect((await store.calls()).map(({ at }) => at)).toEqual([NOON + 5, NOON]);
    }));

  it('are of the day on which the call ended: at midnight a new one begins', () =>
    withTempFolder(async (folder) => {
      const clock = clockAtNoon();
      const store = storeIn(folder, clock);
      await store.add(callAt(NOON));
      await store.allowToday();
      clock.set(NOON + 12 * HOUR - 1);
      expect(await store.today()).toMatchObject({ allowed: true, sums: [{ calls: 1 }] });
      clock.set(NOON + 12 * HOUR);
      expect(await store.today()).toEqual({ allowed: false, sums: [], calls: [] });
      await store.add(callAt(NOON + 12 * HOUR));
      expect((await store.days()).map(({ day, models }) => [day, models[0]?.calls])).toEqual([['2026-12-01', 1], ['2026-12-02', 1]]);
    }));

  it('stay bounded: 200 calls, 400 days, and days that are summed lose nothing of their sums', () =>
    withTempFolder(async (folder) => {
      const clock = clockAtNoon();
      const store = storeIn(folder, clock);
      await fs.mkdir(path.join(folder, 'usage'));
      for (let n = 409; n >= 0; n -= 1) {
        const day = new Date(NOON - n * DAY).toISOString().slice(0, 10);
        const lines = Array.from({ length: n < 3 ? 90 : 1 }, (_, at) => `\n${JSON.stringify({ type: 'call', ...callAt(NOON - n * DAY + at) })}\n`);
        await fs.writeFile(path.join(folder, 'usage', `${day}.jsonl`), lines.join(''));
      }
      await store.tidy();
      const before = (await fs.readdir(path.join(folder, 'usage'))).filter((name) => name.endsWith('.jsonl'));
      expect(before.sort()).toEqual(['2026-11-29.jsonl', '2026-11-30.jsonl', '2026-12-01.jsonl']);
      const days = await store.days();
      expect(days.length).toBe(MOST_DAYS);
      expect(days.reduce((all, { models }) => all + (models[0]?.calls ?? 0), 0)).toBe(3 * 90 + 397);
      expect((await store.calls()).length).toBe(200);
      const calls = await storeIn(folder, clock).calls();
      expect(calls.map(({ at }) => at)).toEqual([...calls.map(({ at }) => at)].sort((a, b) => b - a));
      // A second time nothing is counted twice.
      await store.tidy();
      expect(await storeIn(folder, clock).days()).toEqual(days);
    }));

  it('can be cleared while another window goes on', () =>
    withTempFolder(async (folder) => {
      const clock = clockAtNoon();
      const [one, two] = [storeIn(folder, clock), storeIn(folder, clock)];
      clock.set(NOON - DAY);
      await one.add(callAt(NOON - DAY));
      clock.set(NOON);
      await one.add(callAt(NOON));
      await two.today();
      await one.clear();
      expect([await two.calls(), await two.days(), (await two.today()).sums]).toEqual([[], [], []]);
      await two.add(callAt(NOON + 1));
      expect((await one.calls()).map(({ at }) => at)).toEqual([NOON + 1]);
    }));

  it('that cannot be written count in their window all the same', () =>
    withTempFolder(async (folder) => {
      const clock = clockAtNoon();
      const log = createMemoryLog();
      await fs.writeFile(path.join(folder, 'usage'), 'a file where the folder would be');
      const store = createUsageStore({ files: createNodeFiles(folder), clock, log });
      await store.add(callAt(NOON));
      expect((await store.today()).sums[0]?.calls).toBe(1);
    }));

  it('of earlier days in a file that cannot be read are left alone', () =>
    withTempFolder(async (folder) => {
      const clock = clockAtNoon();
      const store = storeIn(folder, clock);
      await store.add(callAt(NOON));
      await fs.writeFile(path.join(folder, 'usage/days.json'), '{"version":2,"days":"other"}');
      await store.tidy();
      expect(await fs.readFile(path.join(folder, 'usage/days.json'), 'utf8')).toBe('{"version":2,"days":"other"}');
      expect((await store.days()).length).toBe(1);
    }));
});
