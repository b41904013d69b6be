import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { asked, settle } from './support/page';
import { assistant, changes, fullTurn, idle, snapshotOf, user } from './support/samples';
import { useChat } from './support/use-chat';

const { open, pictures } = useChat();

const box = '.edit-box';
const turn = [user('t1', '把第一章改短'), assistant('r1', '改好了。', { reply: true })];

/** By keyboard: the row is reached with the arrow keys, its actions with Tab. */
async function edit(view: Page): Promise<void> {
  await view.locator('.row[data-id="t1"]').focus();
  await view.keyboard.press('Tab');
  await view.keyboard.press('Enter');
}

describe('a message of the author', () => {
  it('is changed and sent again on Enter; the focus goes on to the input box', async () => {
    const view = await open(turn);
    await view.evaluate(() => { window.liyuanHost.held.add('runAgain'); });
    await view.locator('[data-id="t1"]').hover();
    await view.locator('.edit-message').click();
    expect(await view.locator(box).inputValue()).toBe('把第一章改短');
    await view.locator(box).fill('把第一章改长');
    await view.locator(box).press('Enter');
    await settle(view);
    const again = await asked(view, 'runAgain');
    expect(again.map((one) => one.body)).toEqual([{ turnId: 't1', text: '把第一章改长' }]);
    // The host shows the conversation as it is before the turn, and answers then: the row is gone.
    await view.evaluate((id) => {
      const { snapshot } = window.liyuanHost;
      window.liyuanHost.event('snapshot', 'e2', 0, { ...snapshot, epoch: 'e2', seq: 0, items: [] });
      window.liyuanHost.answer(id, { accepted: true });
    }, again[0]?.id ?? 0);
    await settle(view);
    expect(await view.locator(box).count()).toBe(0);
    expect(await view.locator('textarea.composer-box').evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('is left as it was on Escape, with the focus where it began', async () => {
    const view = await open(turn);
    await edit(view);
    await view.locator(box).fill('别的');
    await view.locator(box).press('Escape');
    await settle(view);
    expect(await view.locator('.user-text').textContent()).toBe('把第一章改短');
    expect(await view.locator('.row[data-id="t1"]').evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await asked(view, 'runAgain')).toEqual([]);
  });

  it('is not sent with half a word: Enter while composing belongs to the input method', async () => {
    const view = await open(turn);
    await edit(view);
    await view.locator(box).evaluate((element) => {
      element.dispatchEvent(new CompositionEvent('compositionstart'));
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }));
      element.dispatchEvent(new CompositionEvent('compositionend', { data: '砚秋' }));
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    await settle(view);
    expect(await asked(view, 'runAgain')).toEqual([]);
  });

  it('keeps its changed words when the host says no, and over a reload', async () => {
    const view = await open(turn);
    await view.evaluate(() => { window.liyuanHost.refusals['runAgain'] = '这段对话里有一轮正在进行。'; });
    await edit(view);
    await view.locator(box).fill('改了一半');
    await view.locator(box).press('Enter');
    await settle(view);
    expect(await view.locator('.strip-error').textContent()).toContain('正在进行');
    expect(await view.locator(box).inputValue()).toBe('改了一半');
    await view.reload();
    await view.waitForSelector(box);
    expect(await view.locator(box).inputValue()).toBe('改了一半');
  });

  it('cannot be changed or run again in a read-only conversation', async () => {
    const view = await open(turn, { snapshot: snapshotOf(turn, { status: { ...idle, readOnly: true } }) });
    expect([await view.locator('.edit-message').count(), await view.locator('.run-again').count()]).toEqual([0, 0]);
  });

  it('leads to the other ways it went from there', async () => {
    const items = [{ ...user('t1', '把第一章改短'), variant: { at: 2, of: 3 } }, assistant('r1', '好。')];
    const view = await open(items);
    expect(await view.locator('.variant-place').textContent()).toBe('2/3');
    await view.locator('[data-step="-1"]').click();
    await view.locator('[data-step="1"]').click();
    expect((await asked(view, 'switchTurn')).map((one) => one.body)).toEqual([{ turnId: 't1', step: -1 }, { turnId: 't1', step: 1 }]);
  });
});

describe('a turn', () => {
  it('is run again from its message and from its reply, not from words between its steps', async () => {
    const view = await open([...turn.slice(0, 1), assistant('r0', '先看看。'), assistant('r1', '改好了。', { reply: true })]);
    expect(await view.locator('[data-id="r0"] .run-again').count()).toBe(0);
    await view.locator('[data-id="t1"]').hover();
    await view.locator('[data-id="t1"] .run-again').click();
    await view.locator('[data-id="r1"]').hover();
    await view.locator('[data-id="r1"] .run-again').click();
    expect((await asked(view, 'runAgain')).map((one) => one.body)).toEqual([{ turnId: 't1' }, { turnId: 't1' }]);
  });

  it('that was stopped half way is gone on with', async () => {
    const view = await open([user('t1', '写'), assistant('r1', '雨一直', { state: 'stopped', reply: true })]);
    await view.locator('[data-action="continue"]').click();
    expect((await asked(view, 'action')).map((one) => one.body)).toEqual([{ action: 'continue' }]);
  });

  it('of long ago offers no more to go on where the length limit cut it', async () => {
    const notice = { kind: 'notice' as const, id: 'n', turnId: 't0', level: 'error' as const, text: '到了上限', actions: [{ action: 'openMaxOutput' as const, label: '提高上限' }, { action: 'continue' as const, label: '继续' }] };
    const view = await open([user('t0', '写'), notice, ...turn]);
    expect(await view.locator('[data-id="n"] vscode-button').allTextContents()).toEqual([expect.stringContaining('提高上限')]);
  });
});

it('has pictures', { timeout: 60_000 }, async () => {
  const items = [{ ...user('t0', '把第一章里砚秋捡到瓶子那一段改得更安静一些，别让她笑。'), variant: { at: 2, of: 3 } }, assistant('r0', '改好了两处。', { turnId: 't0', reply: true }), changes, user('t1', '再写一章《雾里的钟》接在后面。'), ...fullTurn.slice(-2)];
  await pictures('run-again', { snapshot: snapshotOf(items), height: 900 }, async (page) => {
    await edit(page);
    await page.locator('[data-id="r0"]').hover();
  });
});
