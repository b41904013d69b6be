import type { BrowserContext, Page } from 'playwright-core';
import type { DayNumbers, NumbersSnapshot } from '../../../src/protocol/numbers';
import { openApp, type Bundle, type OpenOptions } from './page';

export type NumbersOptions = Omit<OpenOptions, 'snapshot'> & { readonly snapshot: NumbersSnapshot };

/** The numbers view in a page with the real policy. */
export async function openNumbers(context: BrowserContext, bundle: Bundle, { snapshot, ...options }: NumbersOptions): Promise<Page> {
  return openApp(context, bundle, 'numbers', { height: 900, ...options, ready: { snapshot } });
}

/** Days of two years, the same each time: more towards the end, with rests. */
function sampleDays(today: string): readonly DayNumbers[] {
  const days: DayNumbers[] = [];
  const end = Date.parse(`${today}T00:00:00Z`);
  for (let n = 480; n >= 1; n -= 1) {
    const day = new Date(end - n * 86_400_000).toISOString().slice(0, 10);
    const dice = (n * 7919) % 101;
    if (n > 9 && (dice < 28 || (n > 200 && n < 232))) continue;
    days.push({ day, user: 300 + dice * 24, agent: dice % 3 === 0 ? dice * 11 : 0 });
  }
  return days;
}

export const sample: NumbersSnapshot = {
  project: 'open',
  today: { day: '2026-12-01', user: 1_000, agent: 203 },
  days: [...sampleDays('2026-12-01')],
  target: 2_000,
  lost: 0,
  chapters: [
    { path: '正文/第一卷 退潮/001-雨夜来信.md', title: '雨夜来信', volume: '第一卷 退潮', words: 2_345, target: 3_000 },
    { path: '正文/第一卷 退潮/002-渡口.md', title: '渡口', volume: '第一卷 退潮', words: 3_120, target: 3_000 },
    { path: '正文/第一卷 退潮/003-修表的人.md', title: '修表的人：一个很长很长的题目，长到一行里怎么也放不下去', volume: '第一卷 退潮', words: 1_870 },
    { path: '正文/第二卷 涨潮/004-雾里的钟.md', title: '雾里的钟', volume: '第二卷 涨潮', words: 640 },
    { path: '正文/第二卷 涨潮/005-空章.md', title: '空章', volume: '第二卷 涨潮', words: 0, target: 2_500 },
  ],
};
