import { createUsageStore, type UsageStore } from '../../../src/engine/usage/store';
import type { UsageCall } from '../../../src/engine/usage/call';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFakeClock, type FakeClock } from '../../fakes/clock';
import { createMemoryLog } from '../../fakes/log';

/** 2026-12-01, noon in Shanghai. */
export const NOON = Date.parse('2026-12-01T12:00:00+08:00');
export const HOUR = 60 * 60 * 1_000;
export const DAY = 24 * HOUR;

export const clockAtNoon = (): FakeClock => createFakeClock(NOON);

/** A window of its own over the same folder. */
export function storeIn(folder: string, clock: FakeClock): UsageStore {
  return createUsageStore({ files: createNodeFiles(folder), clock, log: createMemoryLog() });
}

export function callAt(at: number, more: Partial<UsageCall> = {}): UsageCall {
  return { at, profile: '', model: 'm', host: 'a.example', use: 'writing', input: 100, output: 10, ms: 1_000, outcome: 'stop', retries: 0, ...more };
}
