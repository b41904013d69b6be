import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { moneyWords as hostMoney } from '../../src/extension/l10n/money';
import { usageStrings } from '../../src/protocol/usage-strings';
import { moneyWords } from '../../webview/shared/format';
import { columns, pressed, sorted } from '../../webview/usage/columns';
import { cacheShare, costsOf, firstDay, sumsOf } from '../../webview/usage/sums';
import { asked, chineseStrings, overflowing, settle, shot } from './support/page';
import { openUsage, row, sample, type UsageOptions } from './support/usage-page';
import { usePages } from './support/use-pages';

const pages = usePages('usage');
let chinese: Record<string, string>;

beforeAll(async () => {
  chinese = await chineseStrings(usageStrings);
});

const open = (options: Partial<UsageOptions> = {}): Promise<Page> => pages((context, bundle) => openUsage(context, bundle, { snapshot: sample, ...options }));
const texts = (page: Page, selector: string): Promise<readonly string[]> => page.locator(selector).evaluateAll((all) => all.map((one) => (one as HTMLElement).innerText.replace(/\s+/g, ' ').trim()));

describe('sums of a span', () => {
  it('are of its days, by model, the largest first', () => {
    expect([firstDay('2026-12-01', 1), firstDay('2026-12-01', 7), firstDay('2026-12-01', 30)]).toEqual(['2026-12-01', '2026-11-25', '2026-11-02']);
    expect(sumsOf(sample, 1).map(({ model, calls }) => [model, calls])).toEqual([['deepseek-chat', 4], ['qwen3:8b', 2]]);
    expect(sumsOf(sample, 7)[0]).toMatchObject({ calls: 14, input: 148_000, cached: 86_000 });
    expect(sumsOf(sample, 30)[0]).toMatchObject({ calls: 114 });
    expect(costsOf(sumsOf(sample, 7)).get('CNY')).toBeCloseTo(0.1708);
    expect([cacheShare({ input: 0, cached: 0 }), cacheShare({ input: 48, cached: 36 })]).toEqual(['', '75%']);
  });
});

describe('the order of calls', () => {
  it('is by a column, what has no value last both ways', () => {
    const rows = [row(1, { speed: undefined }), row(2, { speed: 5 }), row(3, { speed: 50 })];
    const at = (descending: boolean): readonly number[] => sorted(rows, { key: 'speed', descending }).map((one) => rows.indexOf(one));
    expect([at(true), at(false)]).toEqual([[2, 1, 0], [1, 2, 0]]);
    const [time, model] = columns;
    if (time === undefined || model === undefined) throw new Error('no columns');
    expect(pressed({ key: 'time', descending: true }, time)).toEqual({ key: 'time', descending: false });
    expect(pressed({ key: 'time', descending: true }, model)).toEqual({ key: 'model', descending: false });
  });
});

describe('sums of money', () => {
  it('are written as the host writes them', () => {
    for (const [amount, currency] of [[0, 'CNY'], [0.00012, 'USD'], [0.5, 'EUR'], [1234.567, 'CNY']] as const) expect(moneyWords(amount, currency)).toBe(hostMoney(amount, currency));
  });
});

describe('the usage page', () => {
  it('shows what the day may take, sums by model and the calls', async () => {
    const page = await open();
    expect(await texts(page, '.limit')).toEqual(['Budget of today: ¥0.0408 of ¥0.10', 'Tokens of today: 50,290 of 100,000']);
    expect(await texts(page, '.sums tbody tr, .sums tfoot tr')).toEqual([
      'DeepSeek · deepseek-chat ¥0.0408 48,000 75% 1,200 4',
      '本机小模型 · qwen3:8b 1,000 0% 90 2',
      'Together ¥0.0408 49,000 73% 1,290 6',
    ]);
    expect(await page.locator('.calls tbody tr').count()).toBe(200);
    expect((await texts(page, '.calls tbody tr:nth-child(2) td')).slice(2, 6)).toEqual(['Side work', 'about 500', '', 'about 45']);
    await page.getByRole('radio', { name: '30 days' }).check();
    await settle(page);
    expect((await texts(page, '.sums tbody tr'))[0]).toContain('114');
  });

  it('sorts by the keyboard and says so to a screen reader', async () => {
    const page = await open();
    const head = page.locator('.calls th', { hasText: 'Sent' });
    expect(await head.getAttribute('aria-sort')).toBe('none');
    await head.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await settle(page);
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect((await texts(page, '.calls tbody tr:first-child td'))[3]).toBe('12,200');
    await page.keyboard.press('Enter');
    await settle(page);
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    expect((await texts(page, '.calls tbody tr:first-child td'))[3]).toBe('0');
    expect(await page.locator('.calls th[scope=col]').count()).toBe(13);
    expect(await page.getByRole('region', { name: 'The last 200 calls' }).count()).toBeGreaterThan(0);
  });

  it('exports, opens the limits, and clears only when asked twice', async () => {
    const page = await open();
    await page.getByText('Export as JSON…').click();
    await page.getByText('Export as CSV…').click();
    await page.getByText('Daily limits…').click();
    expect((await asked(page, 'export')).map(({ body }) => body)).toEqual([{ format: 'json' }, { format: 'csv' }]);
    expect((await asked(page, 'setLimits')).length).toBe(1);
    await page.getByText('Clear…').click();
    await settle(page);
    expect((await asked(page, 'clear')).length).toBe(0);
    await page.locator('.confirm-yes').click();
    expect((await asked(page, 'clear')).length).toBe(1);
  });

  it('says when there is nothing, and why when it cannot be read', async () => {
    const nothing = await open({ snapshot: { day: '2026-12-01', days: [], calls: [], limits: {}, allowed: false } });
    expect(await texts(nothing, '.muted')).toEqual(['No limit of the day is set.', 'No calls in this span', 'No calls yet']);
    const failed = await open({ snapshot: { ...sample, message: 'The disk is full.' } });
    expect(await texts(failed, '[role=alert]')).toEqual(['The disk is full.']);
  });

  it('fits into 300 px, in Chinese, light and high contrast', async () => {
    const narrow = await open({ width: 300, strings: chinese, locale: 'zh-cn' });
    expect(await overflowing(narrow)).toEqual([]);
    await shot(narrow, 'usage-300-zh');
    await shot(await open({ strings: chinese, locale: 'zh-cn', theme: 'light' }), 'usage-zh-light');
    const contrast = await open({ theme: 'hc', forcedColors: true });
    expect(await overflowing(contrast)).toEqual([]);
    await shot(contrast, 'usage-contrast');
  });
});
