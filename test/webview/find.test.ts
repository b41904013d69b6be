import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ChatItem } from '../../src/protocol/chat';
import { settle } from './support/page';
import { assistant, fullTurn, snapshotOf, tool, user } from './support/samples';
import { useChat } from './support/use-chat';

const { open, pictures } = useChat();

const count = (view: Page): Promise<string | null> => view.locator('.find-count > [aria-hidden]').textContent();
const spoken = (view: Page): Promise<string | null> => view.locator('.find-count > .sr-only').textContent();
const type = async (view: Page, words: string): Promise<void> => {
  await view.keyboard.press('Control+f');
  await view.locator('.find-box').fill(words);
};
/** The words marked as the current place, and whether they are in view. */
const current = (view: Page): Promise<{ readonly text: string; readonly seen: boolean }> =>
  view.evaluate(() => {
    const [range] = [...(CSS.highlights.get('liyuan-find-current') ?? [])] as unknown as readonly Range[];
    const box = range?.getBoundingClientRect();
    const log = document.querySelector('.log')?.getBoundingClientRect();
    return { text: range?.toString() ?? '', seen: box !== undefined && log !== undefined && box.top >= log.top && box.bottom <= log.bottom };
  });

/** 5,000 rows; the wanted words in three of them. */
const long: readonly ChatItem[] = Array.from({ length: 5_000 }, (_, n) =>
  n % 2 === 0 ? user(`u${n}`, `第 ${n} 问`) : assistant(`a${n}`, [7, 2_501, 4_999].includes(n) ? `第 ${n} 答：她听见**铜**哨。` : `第 ${n} 答。`, { turnId: `u${n - 1}` }));

describe('finding in the conversation', () => {
  it('goes over 5,000 rows that are not all drawn, round and round, and says where it is', async () => {
    const view = await open(long);
    await type(view, '铜哨');
    // From where one reads: here the end.
    await expect.poll(() => count(view)).toBe('3/3');
    expect(await spoken(view)).toBe('3 of 3');
    await expect.poll(() => current(view)).toEqual({ text: '铜哨', seen: true });
    for (const [key, place] of [['Enter', '1/3'], ['Enter', '2/3'], ['Shift+Enter', '1/3'], ['Shift+F3', '3/3']] as const) {
      await view.locator('.find-box').press(key);
      await expect.poll(() => count(view)).toBe(place);
      await expect.poll(() => current(view)).toEqual({ text: '铜哨', seen: true });
    }
  }, 40_000);

  it('unfolds what hides a place: thinking, and the details of a step', async () => {
    const view = await open(fullTurn);
    await type(view, '约定里说比喻');
    await expect.poll(() => current(view)).toEqual({ text: '约定里说比喻', seen: true });
    await view.locator('.find-box').fill('灯照不了多远。');
    await expect.poll(() => count(view)).toBe('1/2');
    await expect.poll(() => current(view)).toEqual({ text: '灯照不了多远。', seen: true });
    expect(await view.locator('[data-id="c3"] .edit-new').first().isVisible()).toBe(true);
  });

  it('finds words behind “Show all” of a long value', async () => {
    const view = await open([user('t1', '读'), tool('c1', 'read', '读了', { result: JSON.stringify({ text: `${'潮水。'.repeat(1_500)}终于到岸` }) })]);
    await type(view, '终于到岸');
    await expect.poll(() => current(view)).toEqual({ text: '终于到岸', seen: true });
  });

  it('says that nothing was found, and closes on Escape with the focus where it was', async () => {
    const view = await open(fullTurn);
    await view.locator('textarea.composer-box').focus();
    await type(view, '没有这几个字');
    await expect.poll(() => view.locator('.find-count').textContent()).toBe('Not found');
    await view.locator('.find-box').press('Escape');
    await settle(view);
    expect(await view.locator('.find').count()).toBe(0);
    expect(await view.locator('textarea.composer-box').evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await view.evaluate(() => CSS.highlights.get('liyuan-find')?.size)).toBe(0);
  });

  it('finds what comes while it is open, and stays where it is', async () => {
    const view = await open([user('t1', '雨'), assistant('a1', '好')]);
    await type(view, '雨');
    await expect.poll(() => count(view)).toBe('1/1');
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'put', item: { kind: 'user', id: 't2', turnId: 't2', text: '又是雨', ts: 0 } }); });
    await expect.poll(() => count(view)).toBe('1/2');
  });

  it('does not look for half a word of an input method', async () => {
    const view = await open([user('t1', 'yu 雨')]);
    await view.keyboard.press('Control+f');
    const cdp = await view.context().newCDPSession(view);
    await cdp.send('Input.imeSetComposition', { text: 'yu', selectionStart: 2, selectionEnd: 2 });
    await view.waitForTimeout(250);
    expect(await view.locator('.find-count').textContent()).toBe('');
    await cdp.send('Input.insertText', { text: '雨' });
    await expect.poll(() => count(view)).toBe('1/1');
  });

  it('opens by the command of the window too, and looks for what is selected', async () => {
    const view = await open(fullTurn);
    await view.locator('.user-text').evaluate((element) => {
      const words = [...element.childNodes].find((node) => node instanceof Text && node.length > 7) as Text;
      const range = document.createRange();
      range.setStart(words, 5);
      range.setEnd(words, 7);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    });
    const selected = await view.evaluate(() => getSelection()?.toString());
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'open', what: 'find' }); });
    await settle(view);
    expect(selected).toHaveLength(2);
    expect(await view.locator('.find-box').inputValue()).toBe(selected);
    await expect.poll(() => count(view)).toMatch(/^\d\/4$/);
  });

  it('has pictures', async () => {
    await pictures('find', { snapshot: snapshotOf(fullTurn), height: 900 }, async (view) => {
      await type(view, '砚秋');
      await view.locator('.find-count > .sr-only').waitFor({ state: 'attached' });
    });
  }, 60_000);
});

describe('a selection', () => {
  it('is copied as plain words, without the words of buttons', async () => {
    const view = await open([user('t1', '一'), assistant('a1', '先**改**一句：\n\n> 引文\n\n```\nlet a\n  b\n```', { reply: true })]);
    const copied = await view.evaluate(() => {
      const row = document.querySelector('[data-id="a1"]') as Element;
      getSelection()?.selectAllChildren(row);
      const data = new DataTransfer();
      row.dispatchEvent(new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true }));
      return { text: data.getData('text/plain'), types: [...data.types] };
    });
    expect(copied.types).toEqual(['text/plain']);
    expect(copied.text.replace(/\n+/g, '\n').trim()).toBe('先改一句：\n引文\nlet a\n  b');
  });
});
