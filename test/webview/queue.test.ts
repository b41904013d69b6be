import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chatStrings } from '../../src/protocol/chat-strings';
import type { QueuedRow } from '../../src/protocol/chat';
import { asked, chineseStrings, overflowing, settle, shot, type OpenOptions } from './support/page';
import { idle, snapshotOf, writing } from './support/samples';
import { useChat } from './support/use-chat';

const pages = useChat();

const busy = { ...idle, phase: 'generating' as const };
const rows: readonly QueuedRow[] = [
  { id: 'q1', text: '结尾那句钟声留着，别动。', steer: true },
  { id: 'q2', text: '然后看看第二章还对不对得上，把对不上的地方列出来，先不要改。', steer: false },
  { id: 'q3', text: '最后把大纲更新一下', steer: false },
];

const open = (status: typeof idle, change: Partial<OpenOptions> = {}): Promise<Page> =>
  pages.open(writing, { snapshot: snapshotOf(writing, { status, queue: [...rows] }), ...change });

const row = (view: Page, id: string): ReturnType<Page['locator']> => view.locator(`.queue-row[data-id="${id}"]`);
const acts = async (view: Page): Promise<readonly unknown[]> => (await asked(view, 'queue')).map((one) => one.body);
const inQueue = (view: Page): Promise<readonly string[]> => view.locator('.queue-text').allInnerTexts();

describe('words that wait', () => {
  it('stand above the box in order, marked where they go into the running turn', async () => {
    const view = await open(busy);
    expect(await inQueue(view)).toEqual(rows.map(({ text }) => text));
    expect(await row(view, 'q1').locator('.badge').innerText()).toBe('Into this turn');
    expect(await view.locator('.queue-head').innerText()).toBe('1 message goes into this turn. 2 messages wait. Sent when this turn has ended.');
    expect(await view.locator('.queue-send').count()).toBe(0);
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'queue', queue: [] }); });
    await settle(view);
    expect(await view.locator('.queue').count()).toBe(0);
  });

  it('are put in front, into the turn, out of it, or removed, each by its button', async () => {
    const view = await open(busy);
    await row(view, 'q1').locator('[data-how="wait"]').click();
    await row(view, 'q2').locator('[data-how="steer"]').click();
    await row(view, 'q3').locator('[data-how="front"]').click();
    await row(view, 'q3').locator('[data-how="remove"]').click();
    expect(await acts(view)).toEqual([
      { how: 'wait', id: 'q1' },
      { how: 'steer', id: 'q2' },
      { how: 'front', id: 'q3' },
      { how: 'remove', id: 'q3' },
    ]);
    // The first that waits is in front already.
    expect(await row(view, 'q2').locator('[data-how="front"]').count()).toBe(0);
  });

  it('are not sent by themselves once no turn runs: each says that it can be', async () => {
    const view = await open(idle);
    expect(await view.locator('.queue-head').innerText()).toBe('3 messages wait. Not sent by itself.');
    await row(view, 'q1').locator('.queue-send').click();
    expect(await acts(view)).toEqual([{ how: 'send', id: 'q1' }]);
  });

  it('are changed in place by keyboard; the host knows before and after, and the focus stays', async () => {
    const view = await open(busy);
    await row(view, 'q3').locator('[data-how="edit"]').focus();
    await view.keyboard.press('Enter');
    await settle(view);
    await view.keyboard.type('，再短些');
    await view.keyboard.press('Enter');
    await settle(view);
    expect(await acts(view)).toEqual([
      { how: 'edit', id: 'q3' },
      { how: 'text', id: 'q3', text: '最后把大纲更新一下，再短些' },
    ]);
    expect(await row(view, 'q3').locator('[data-how="edit"]').evaluate((one) => one === document.activeElement)).toBe(true);
  });

  it('are left as they were on Escape, which does not stop the turn', async () => {
    const view = await open(busy);
    await row(view, 'q3').locator('[data-how="edit"]').click();
    await view.locator('.queue-box').fill('别的');
    await view.locator('.queue-box').press('Escape');
    await settle(view);
    expect(await acts(view)).toEqual([{ how: 'edit', id: 'q3' }, { how: 'leave', id: 'q3' }]);
    expect(await asked(view, 'stop')).toEqual([]);
    expect(await inQueue(view)).toEqual(rows.map(({ text }) => text));
  });

  it('are not saved with half a word: Enter while composing belongs to the input method', async () => {
    const view = await open(busy);
    const cdp = await view.context().newCDPSession(view);
    await row(view, 'q3').locator('[data-how="edit"]').click();
    await settle(view);
    await cdp.send('Input.imeSetComposition', { text: 'yan', selectionStart: 3, selectionEnd: 3 });
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 });
    await settle(view);
    expect((await acts(view)).length).toBe(1);
    await cdp.send('Input.insertText', { text: '砚' });
    await settle(view);
    await view.keyboard.press('Enter');
    await settle(view);
    expect((await acts(view)).at(-1)).toEqual({ how: 'text', id: 'q3', text: '最后把大纲更新一下砚' });
  });

  it('are offered to the box when their row goes away while they are changed', async () => {
    const view = await open(busy);
    await view.locator('textarea.composer-box').fill('自己的话');
    await row(view, 'q3').locator('[data-how="edit"]').click();
    await view.locator('.queue-box').fill('改到一半');
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'queue', queue: [] }); });
    await settle(view);
    expect(await view.locator('.offer-words').innerText()).toBe('改到一半');
  });

  it('are told to a screen reader', async () => {
    const view = await open(busy);
    expect(await view.locator('liyuan-queue [role="status"]').innerText()).toBe('1 message goes into this turn. 2 messages wait. Sent when this turn has ended.');
    expect(await view.getByRole('button', { name: 'Into this turn: 最后把大纲更新一下' }).count()).toBe(1);
    expect(await view.getByRole('region', { name: 'Messages that wait' }).count()).toBe(1);
  });

  it('fit into 300 px, in Chinese and in both colours', async () => {
    const strings = await chineseStrings(chatStrings);
    for (const [theme, status] of [['dark', busy], ['light', idle]] as const) {
      const view = await open(status, { width: 300, theme, strings, locale: 'zh-cn' });
      expect(await overflowing(view)).toEqual([]);
      await shot(view, `queue-${theme}-zh-300`);
      await view.close();
    }
  });
});
