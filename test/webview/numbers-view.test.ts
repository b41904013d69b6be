import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { numbersStrings } from '../../src/protocol/numbers-strings';
import { blocksOf, monthsAbove, weekOf, weekStart, weeksOf } from '../../webview/numbers/calendar';
import { dayTable, levelOf, levelsOf, sumsOf } from '../../webview/numbers/sums';
import { openNumbers, sample, type NumbersOptions } from './support/numbers-page';
import { asked, chineseStrings, overflowing, settle, shot } from './support/page';
import { usePages } from './support/use-pages';

const pages = usePages('numbers');
let chinese: Record<string, string>;

beforeAll(async () => {
  chinese = await chineseStrings(numbersStrings);
});

const open = (options: Partial<NumbersOptions> = {}): Promise<Page> => pages((context, bundle) => openNumbers(context, bundle, { snapshot: sample, ...options }));

describe('the calendar', () => {
  it('has every day of a year once, in weeks from the day the language begins with', () => {
    for (const [year, days] of [[2024, 366], [2026, 365]] as const) {
      for (const start of [0, 1, 6]) {
        const weeks = weeksOf(year, start);
        const flat = weeks.flat().filter((day) => day !== undefined);
        expect([flat.length, flat[0], flat.at(-1)]).toEqual([days, `${year}-01-01`, `${year}-12-31`]);
        expect(weeks.every((week) => week.length === 7)).toBe(true);
      }
    }
    expect(weeksOf(2026, 1)[0]).toEqual([undefined, undefined, undefined, '2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04']);
    expect(weeksOf(2026, 0)[0]?.[4]).toBe('2026-01-01');
    expect([weekOf('2026-12-01', 1), weekOf('2026-12-01', 0), weekOf('2026-11-30', 1)]).toEqual(['2026-11-30', '2026-11-29', '2026-11-30']);
  });

  it('falls into blocks for narrow views, and names each month once', () => {
    const weeks = weeksOf(2026, 1);
    expect(blocksOf(weeks, 60).map((block) => block.length)).toEqual([53]);
    expect(blocksOf(weeks, 27).map((block) => block.length)).toEqual([27, 26]);
    expect(blocksOf(weeks, 20).map((block) => block.length)).toEqual([18, 18, 17]);
    expect(monthsAbove(weeks).filter((month) => month > 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  it('knows where weeks begin', () => {
    // Chromium's answer is in the pictures; here it is Node's.
    expect([weekStart('en-US'), weekStart('en-GB'), weekStart('de')]).toEqual([0, 1, 1]);
  });
});

describe('sums', () => {
  const table = dayTable(
    [
      { day: '2025-12-31', user: 5, agent: 0 },
      { day: '2026-11-28', user: 10, agent: 0 },
      { day: '2026-11-29', user: 20, agent: 1 },
      { day: '2026-11-30', user: 40, agent: 0 },
      { day: '2026-12-01', user: 1, agent: 0 },
    ],
    { day: '2026-12-01', user: 80, agent: 2 },
  );
  it('are of the week, the month, the year and all, with today as it stands now', () => {
    expect(sumsOf(table, '2026-12-01', 'both', 1)).toEqual({ week: 122, month: 82, year: 153, all: 158, streak: 4, longest: 4 });
    expect(sumsOf(table, '2026-12-01', 'user', 0)).toEqual({ week: 140, month: 80, year: 150, all: 155, streak: 4, longest: 4 });
    expect(sumsOf(table, '2026-12-01', 'agent', 1)).toEqual({ week: 2, month: 2, year: 3, all: 3, streak: 1, longest: 1 });
  });

  it('a row of days holds while today is still to be written, and not longer', () => {
    expect(sumsOf(table, '2026-12-02', 'both', 1).streak).toBe(4);
    expect(sumsOf(table, '2026-12-03', 'both', 1)).toMatchObject({ streak: 0, longest: 4 });
  });

  it('levels rise, with a target or by quarters', () => {
    expect(levelsOf([], 2_000)).toEqual([1, 1_000, 2_000, 3_000]);
    expect(levelsOf([], 1)).toEqual([1, 2, 3, 4]);
    expect(levelsOf([400, 100, 300, 200], 0)).toEqual([1, 200, 300, 400]);
    expect(levelsOf([], 0)).toEqual([1, 500, 1_000, 1_500]);
    expect([0, 1, 199, 200, 5_000].map((words) => levelOf(words, [1, 200, 300, 400]))).toEqual([0, 1, 1, 2, 4]);
  });
});

describe('the view', () => {
  it('shows today against the target, and what is typed since, without a new snapshot', async () => {
    const view = await open();
    expect(await view.locator('.today-words').innerText()).toBe('1,203 of 2,000 words');
    await view.evaluate(() => { window.liyuanHost.event('today', 'e', 1, { day: '2026-12-01', user: 1_800, agent: 203 }); });
    await settle(view);
    expect(await view.locator('.today-words').innerText()).toBe('2,003 of 2,000 words');
    expect(await view.locator('.reached').innerText()).toContain('Target reached');
    expect(await view.locator('[data-day="2026-12-01"]').getAttribute('aria-label')).toBe('Tuesday, December 1, 2026: 2,003 words (you 1,800, agent 203)');
    expect(await asked(view, 'ready')).toHaveLength(1);
  });

  it('has words for every day, one stop for Tab, and arrows between days', async () => {
    const view = await open();
    const cells = view.locator('.heat [data-day]');
    expect(await cells.count()).toBe(365);
    expect(await view.locator('.heat [data-day][tabindex="0"]').count()).toBe(1);
    expect(await cells.evaluateAll((all) => all.filter((cell) => (cell.getAttribute('aria-label') ?? '') === '' || cell.getAttribute('title') === '').length)).toBe(0);
    await view.locator('[data-day="2026-12-01"]').focus();
    for (const [key, day] of [['ArrowUp', '2026-11-30'], ['ArrowLeft', '2026-11-23'], ['ArrowRight', '2026-11-30'], ['ArrowDown', '2026-12-01'], ['PageUp', '2026-11-03'], ['Home', '2026-01-01'], ['ArrowUp', '2026-01-01'], ['End', '2026-12-31']] as const) {
      await view.keyboard.press(key);
      await settle(view);
      expect(await view.evaluate(() => (document.activeElement as HTMLElement).dataset['day'])).toBe(day);
    }
    expect(await view.locator('.day-words').innerText()).toBe('Thursday, December 31, 2026: to come');
  });

  it('shows the words of one author alone, and remembers which', async () => {
    const view = await open();
    const week = view.locator('.sums dd').first();
    const both = await week.innerText();
    await view.locator('.who input').nth(2).check();
    await settle(view);
    expect(await week.innerText()).not.toBe(both);
    expect(await view.locator('[data-day="2026-12-01"]').getAttribute('aria-label')).toBe('Tuesday, December 1, 2026: 203 words');
    expect(await view.evaluate(() => window.liyuanHost.state())).toBe('agent');
    await view.locator('.who input').nth(1).focus();
    await view.keyboard.press('ArrowLeft');
    expect(await view.evaluate(() => window.liyuanHost.state())).toBe('both');
  });

  it('goes back to the years before, as far as there are words', async () => {
    const view = await open();
    const [before, after] = [view.locator('.year-line .icon-button').first(), view.locator('.year-line .icon-button').nth(1)];
    expect(await after.isDisabled()).toBe(true);
    await before.click();
    expect(await view.locator('.year').innerText()).toBe('2025');
    expect(await view.locator('.heat [data-day^="2025"]').count()).toBe(365);
    expect(await before.isDisabled()).toBe(true);
    await after.click();
    expect(await view.locator('.year').innerText()).toBe('2026');
  });

  it('opens a chapter, the setting of the target and the export', async () => {
    const view = await open();
    await view.locator('.bar').nth(1).click();
    await view.locator('.today .icon-button').click();
    await view.locator('.chapters-line .link-button').click();
    expect((await asked(view, 'openChapter')).map((one) => one.body)).toEqual([{ path: '正文/第一卷 退潮/002-渡口.md' }]);
    expect([(await asked(view, 'setTarget')).length, (await asked(view, 'exportCsv')).length]).toEqual([1, 1]);
    expect(await view.locator('.bar').first().getAttribute('aria-label')).toBe('Open 雨夜来信: 2,345 of 3,000 words');
    expect(await view.locator('.bar.full').count()).toBe(1);
  });

  it('says when there is no project, what went wrong, and how far the counting is', async () => {
    const empty = { ...sample, days: [], chapters: [], today: { day: '2026-12-01', user: 0, agent: 0 } };
    let view = await open({ snapshot: { ...empty, project: 'none' } });
    expect(await view.locator('.note').innerText()).toContain('Once there is a project');
    await view.close();
    view = await open({ snapshot: { ...empty, project: 'failed', message: '磁盘读不了' } });
    expect(await view.locator('[role="alert"]').innerText()).toBe('磁盘读不了');
    await view.close();
    view = await open({ snapshot: { ...empty, counting: { done: 1_200, total: 3_000 }, lost: 2 } });
    expect(await view.locator('[role="status"]').innerText()).toContain('1,200 of 3,000');
    expect(await view.locator('.what').innerText()).toContain('What counts');
    expect(await view.locator('.what p').nth(1).textContent()).toContain('2 checkpoints');
  });

  it('draws three thousand chapters in a moment', async () => {
    const chapters = Array.from({ length: 3_000 }, (_, n) => ({ path: `正文/${n}.md`, title: `第${n}章`, volume: '', words: 2_000 + (n % 70) * 30 }));
    const view = await open({ snapshot: { ...sample, chapters } });
    const ms = await view.evaluate(async () => {
      const began = performance.now();
      window.liyuanHost.event('today', 'e', 1, { day: '2026-12-01', user: 9, agent: 9 });
      await new Promise<void>((resolve) => { setTimeout(() => requestAnimationFrame(() => { resolve(); }), 0); });
      return performance.now() - began;
    });
    console.log(`3,000 chapters: today's words shown after ${ms.toFixed(0)} ms`);
    expect(ms).toBeLessThan(300);
  });
});

describe('pictures', () => {
  const zh = (): Partial<NumbersOptions> => ({ strings: chinese, locale: 'zh-cn' });
  it.each(['light', 'dark', 'hc'] as const)('in %s, 300 px, Chinese', async (theme) => {
    const view = await open({ ...zh(), theme, width: 300, height: 1_050 });
    await view.locator('[data-day="2026-11-25"]').focus();
    await settle(view);
    await shot(view, `numbers-300-${theme}`);
    expect(await overflowing(view)).toEqual([]);
    expect(await view.locator('table.heat').count()).toBeGreaterThan(1);
  });

  it.each([['wide', 900], ['middle', 380]] as const)('%s, English', async (name, width) => {
    const view = await open({ theme: name === 'wide' ? 'light' : 'dark', width });
    await shot(view, `numbers-${name}`);
    expect(await overflowing(view)).toEqual([]);
    expect(await view.locator('table.heat').count()).toBe(name === 'wide' ? 1 : 3);
  });

  it('with forced colours', async () => {
    const view = await open({ ...zh(), theme: 'hc', forcedColors: true, width: 300, height: 1_050 });
    await shot(view, 'numbers-forced-colours');
    const shown = await view.locator('[data-day="2026-11-30"]').evaluate((cell) => getComputedStyle(cell, '::after').content);
    expect(shown).toBe('""');
    expect(await overflowing(view)).toEqual([]);
  });
});
