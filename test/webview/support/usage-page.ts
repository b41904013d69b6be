import type { BrowserContext, Page } from 'playwright-core';
import type { UsageRow, UsageSnapshot, UsageSum } from '../../../src/protocol/usage';
import { openApp, type Bundle, type OpenOptions } from './page';

export type UsageOptions = Omit<OpenOptions, 'snapshot'> & { readonly snapshot: UsageSnapshot };

/** The usage page with the real policy. */
export async function openUsage(context: BrowserContext, bundle: Bundle, { snapshot, ...options }: UsageOptions): Promise<Page> {
  return openApp(context, bundle, 'usage', { width: 900, height: 800, ...options, ready: { snapshot } });
}

const noon = Date.parse('2026-12-01T12:00:00+08:00');

export const row = (n: number, more: Partial<UsageRow> = {}): UsageRow => ({
  at: noon - n * 60_000,
  profile: 'DeepSeek',
  model: 'deepseek-chat',
  host: 'api.deepseek.com',
  use: 'writing',
  input: 12_000 + n,
  output: 300 + n,
  cached: 11_000,
  firstMs: 640,
  ms: 5_200 + n,
  speed: 65.8,
  ended: true,
  outcome: 'whole',
  retries: 0,
  cost: 0.0066,
  currency: 'CNY',
  ...more,
});

const sum = (more: Partial<UsageSum>): UsageSum => ({ profile: 'DeepSeek', model: 'deepseek-chat', host: 'api.deepseek.com', currency: 'CNY', calls: 4, failed: 0, estimated: 0, input: 48_000, cached: 36_000, output: 1_200, reasoning: 0, cost: 0.0408, ...more });
const local: Partial<UsageSum> & { readonly model: string } = { profile: '本机小模型', model: 'qwen3:8b', host: '127.0.0.1:11434', currency: undefined, cost: 0 };

export const sample: UsageSnapshot = {
  day: '2026-12-01',
  days: [
    { day: '2026-11-02', models: [sum({ calls: 100, input: 1_000_000, cached: 0, cost: 2 })] },
    { day: '2026-11-25', models: [sum({ calls: 10, input: 100_000, cached: 50_000, output: 2_000, cost: 0.13 })] },
    { day: '2026-12-01', models: [sum({ failed: 1 }), sum({ ...local, calls: 2, input: 1_000, cached: 0, output: 90, estimated: 2 })] },
  ],
  calls: [
    row(1),
    row(2, { profile: '本机小模型', model: 'qwen3:8b', host: '127.0.0.1:11434', use: 'side', input: 500, output: 45, cached: undefined, estimated: true, cost: undefined, currency: undefined, firstMs: undefined, speed: undefined }),
    row(3, { ended: false, outcome: 'The service is overloaded. Try again in a moment.', input: 0, output: 0, retries: 2, cost: undefined, firstMs: undefined, speed: undefined }),
    ...Array.from({ length: 197 }, (_, n) => row(n + 4)),
  ],
  limits: { cost: 0.1, tokens: 100_000 },
  allowed: false,
};
