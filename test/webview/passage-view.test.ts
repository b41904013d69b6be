import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PassageState } from '../../src/protocol/passage';
import { passageStrings } from '../../src/protocol/passage-strings';
import { asked, chineseStrings, openApp, overflowing, settle, shot, type OpenOptions } from './support/page';
import { usePages } from './support/use-pages';

const pages = usePages('passage');
let chinese: Record<string, string>;

beforeAll(async () => {
  chinese = await chineseStrings(passageStrings);
});

const original = '雨停了。他推开门，院子里没有人。';
const offer = (text: string, fresh: string): PassageState['offers'][number] => {
  const at = text.indexOf(fresh);
  return { text, words: text.length, runs: [{ text: text.slice(0, at), fresh: false }, { text: fresh, fresh: true }, { text: text.slice(at + fresh.length), fresh: false }].filter((run) => run.text !== '') };
};
const done: PassageState = {
  task: 'alternatives',
  path: '正文/第一卷 退潮/001-雨夜来信.md',
  lines: [12, 14],
  original: { text: original, words: 16 },
  wish: '更冷一点，多写她听见的',
  phase: 'done',
  offers: [offer('雨停了。门轴响了一声，院子里没有人。', '门轴响了一声'), offer('雨声断了。他把门推开一道缝，院子空着。', '雨声断了'), offer('门外已经没有雨。他推开门，没有人在院子里等他。', '门外已经没有雨')],
  remark: '第二种最静，第三种把「等」说破了。',
  turnId: 't1',
};
const running: PassageState = { ...done, phase: 'running', offers: [{ text: '雨停了。门轴响了一声，', words: 10 }], remark: '' };

const open = (state: PassageState, options: Omit<OpenOptions, 'snapshot'> = {}): Promise<Page> =>
  pages((context, bundle) => openApp(context, bundle, 'passage', { width: 1000, height: 760, ...options, ready: { state } }));

describe('the panel for a passage', () => {
  it('shows the texts side by side with what is new in them, and takes one', async () => {
    const view = await open(done);
    expect(await view.locator('.offer').count()).toBe(3);
    expect(await view.locator('.offer').nth(1).locator('ins').allTextContents()).toEqual(['雨声断了']);
    const tops = await view.locator('.offer').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await view.locator('.offer').nth(1).locator('vscode-button').click();
    expect((await asked(view, 'accept')).map(({ body }) => body)).toEqual([{ text: '雨声断了。他把门推开一道缝，院子空着。' }]);
  });

  it('lets the author change a text before it is taken, and keeps the change while the panel is hidden', async () => {
    const view = await open(done);
    await view.locator('.offer').first().getByText('Edit').click();
    await view.locator('.offer textarea').fill('雨停了。门开了。');
    await view.reload();
    await settle(view);
    await view.locator('.offer').first().locator('vscode-button').click();
    expect((await asked(view, 'accept')).at(-1)?.body).toEqual({ text: '雨停了。门开了。' });
  });

  it('marks the text that has gone into the chapter, and offers the others still; a single line is one line', async () => {
    const view = await open({ ...done, lines: [12, 12] });
    expect(await view.locator('.place').textContent()).toBe('正文/第一卷 退潮/001-雨夜来信.md, line 12');
    expect(await view.locator('.taken').count()).toBe(0);
    await view.locator('.offer').nth(1).locator('vscode-button').click();
    await settle(view);
    await view.evaluate((state) => { window.liyuanHost.event('state', 'e', 9, state); }, { ...done, phase: 'accepted' as const });
    await settle(view);
    expect(await view.locator('.offer-taken h2').allTextContents()).toEqual([expect.stringContaining('Version 2')]);
    expect(await view.locator('.offer vscode-button').evaluateAll((all) => all.map((one) => one.hasAttribute('disabled')))).toEqual([false, true, false]);
  });

  it('mixes sentences of several texts', async () => {
    const view = await open(done);
    await view.getByText('Mix', { exact: true }).click();
    await view.locator('.offer').nth(1).locator('.sentence').first().click();
    await view.locator('.offer').nth(0).locator('.sentence').nth(1).click();
    await view.locator('.mix vscode-button').click();
    expect((await asked(view, 'accept')).at(-1)?.body).toEqual({ text: '雨声断了。门轴响了一声，院子里没有人。' });
  });

  it('takes nothing while a text is still arriving, and can be stopped', async () => {
    const view = await open(running);
    await view.locator('.offer vscode-button').click({ force: true });
    expect(await asked(view, 'accept')).toEqual([]);
    await view.getByText('Stop', { exact: true }).click();
    expect(await asked(view, 'stop')).toHaveLength(1);
  });

  it('shows newer states only', async () => {
    const view = await open(running);
    await view.evaluate((state) => { window.liyuanHost.event('state', 'e', 2, state); }, done as unknown as Record<string, unknown>);
    await view.evaluate((state) => { window.liyuanHost.event('state', 'e', 1, state); }, running as unknown as Record<string, unknown>);
    await settle(view);
    expect(await view.locator('.offer').count()).toBe(3);
  });

  it('asks once more on Enter, but not on the Enter that ends a composition', async () => {
    const view = await open(done);
    const box = view.locator('.wish-box');
    await box.fill('再短些');
    await box.dispatchEvent('compositionstart');
    await box.press('Enter');
    expect(await asked(view, 'again')).toEqual([]);
    await box.dispatchEvent('compositionend');
    await view.waitForTimeout(50);
    await box.press('Enter');
    expect((await asked(view, 'again')).map(({ body }) => body)).toEqual([{ wish: '再短些' }]);
  });

  it('says why a text could not be taken', async () => {
    const view = await open(done);
    await view.evaluate(() => { window.liyuanHost.refusals['accept'] = 'The place you chose has changed since.'; });
    await view.locator('.offer vscode-button').first().click();
    await settle(view);
    expect(await view.locator('[role=alert]').textContent()).toContain('has changed since');
  });

  it.each([
    ['passage-zh-dark', { locale: 'zh-cn', theme: 'dark' }, done],
    ['passage-zh-light', { locale: 'zh-cn', theme: 'light' }, done],
    ['passage-en-dark', { theme: 'dark' }, done],
    ['passage-zh-narrow', { locale: 'zh-cn', theme: 'light', width: 300, height: 1200 }, done],
    ['passage-zh-running', { locale: 'zh-cn', theme: 'dark' }, running],
    ['passage-zh-contrast', { locale: 'zh-cn', theme: 'hc' }, done],
  ] as const)('fits: %s', async (name, options, state) => {
    const view = await open(state, { ...options, ...('locale' in options ? { strings: chinese } : {}) });
    expect(await overflowing(view)).toEqual([]);
    expect(await view.evaluate(() => window.liyuanHost.violations)).toEqual([]);
    await shot(view, name);
  });
});
