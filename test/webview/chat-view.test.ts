import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ChatItem } from '../../src/protocol/chat';
import { asked, overflowing, settle, type OpenOptions } from './support/page';
import { ask, assistant, changes, fullTurn, idle, snapshotOf, summarised, toggles, tool, user, withForbidden, writing } from './support/samples';
import { useChat } from './support/use-chat';

const { open } = useChat();

const box = 'textarea.composer-box';
const busy = { ...idle, phase: 'generating' as const };
const waiting = { ...idle, phase: 'waiting' as const };

/** Begins to compose a word with an input method. */
async function compose(cdp: CDPSession, text: string): Promise<void> {
  await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
}

describe('the input box', () => {
  it('sends on Enter, empties when the host has taken the words, and keeps the focus', async () => {
    const view = await open([]);
    await view.locator(box).fill('把「甲」改成「乙」');
    await view.locator(box).press('Enter');
    await settle(view);
    expect((await asked(view, 'send')).map((one) => one.body)).toEqual([{ text: '把「甲」改成「乙」' }]);
    expect(await view.locator(box).inputValue()).toBe('');
    expect(await view.locator(box).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('starts a new line on Shift+Enter and sends on Ctrl+Enter', async () => {
    const view = await open([]);
    await view.locator(box).pressSequentially('一');
    await view.locator(box).press('Shift+Enter');
    await view.locator(box).pressSequentially('二');
    expect(await asked(view, 'send')).toEqual([]);
    await view.locator(box).press('Control+Enter');
    expect((await asked(view, 'send')).map((one) => one.body)).toEqual([{ text: '一\n二' }]);
  });

  it('does not send half a word: Enter while composing belongs to the input method', async () => {
    const view = await open([]);
    const cdp = await view.context().newCDPSession(view);
    await view.locator(box).focus();
    await compose(cdp, 'yanqiu');
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 });
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 });
    await settle(view);
    expect(await asked(view, 'send')).toEqual([]);
    await cdp.send('Input.insertText', { text: '砚秋' });
    await settle(view);
    await view.locator(box).press('Enter');
    expect((await asked(view, 'send')).map((one) => one.body)).toEqual([{ text: '砚秋' }]);
  });

  it('does not send with the key press that ended a composition, as WebKit reports it', async () => {
    const view = await open([]);
    await view.locator(box).fill('砚秋');
    await view.locator(box).evaluate((element) => {
      element.dispatchEvent(new CompositionEvent('compositionstart'));
      element.dispatchEvent(new CompositionEvent('compositionend', { data: '砚秋' }));
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    await settle(view);
    expect(await asked(view, 'send')).toEqual([]);
  });

  it('keeps the words when the host does not take them', async () => {
    const view = await open([]);
    await view.evaluate(() => { window.liyuanHost.answers['send'] = { accepted: false }; });
    await view.locator(box).fill('等一下');
    await view.locator(box).press('Enter');
    await settle(view);
    expect(await view.locator(box).inputValue()).toBe('等一下');
  });

  it('keeps words typed while others were on their way', async () => {
    const view = await open([]);
    await view.evaluate(() => { window.liyuanHost.held.add('send'); });
    await view.locator(box).fill('第一句');
    await view.locator(box).press('Enter');
    await view.locator(box).pressSequentially('第二句');
    const [sent] = await asked(view, 'send');
    await view.evaluate((id) => { window.liyuanHost.answer(id, { accepted: true }); }, sent?.id ?? 0);
    await settle(view);
    expect(await view.locator(box).inputValue()).toBe('第二句');
  });

  it('queues the words while a turn runs, steers with Ctrl+Enter, says how, and offers to stop', async () => {
    const view = await open(writing, { snapshot: snapshotOf(writing, { status: busy }) });
    expect(await view.locator(box).getAttribute('placeholder')).toBe('Enter: after this turn. Ctrl+Enter: into this turn');
    await view.locator(box).fill('再短一点');
    await view.locator(box).press('Enter');
    await settle(view);
    await view.locator(box).fill('别动结尾');
    await view.locator(box).press('Control+Enter');
    await settle(view);
    await view.locator(box).fill('也别动开头');
    await view.locator('.steer').click();
    await settle(view);
    expect((await asked(view, 'send')).map((one) => one.body)).toEqual([
      { text: '再短一点' },
      { text: '别动结尾', steer: true },
      { text: '也别动开头', steer: true },
    ]);
    expect(await view.locator(box).inputValue()).toBe('');
    await view.locator('.stop').click();
    expect(await asked(view, 'stop')).toHaveLength(1);
  });

  it('stops a running turn on Escape, from the box and from the conversation', async () => {
    const view = await open(writing, { snapshot: snapshotOf(writing, { status: busy }) });
    await view.locator(box).fill('再短一点');
    await view.locator(box).press('Escape');
    await view.locator('.log').press('Escape');
    expect(await asked(view, 'stop')).toHaveLength(2);
    expect(await view.locator(box).inputValue()).toBe('再短一点');
  });

  it('leaves the turn alone when Escape belongs to an input method or to an open list', async () => {
    const view = await open(writing, { snapshot: snapshotOf(writing, { status: busy }) });
    const cdp = await view.context().newCDPSession(view);
    await view.locator(box).focus();
    await compose(cdp, 'yan');
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 });
    await cdp.send('Input.insertText', { text: '砚' });
    await settle(view);
    await view.locator('.session-button').click();
    await settle(view);
    await view.keyboard.press('Escape');
    await settle(view);
    expect(await view.locator('.popup').count()).toBe(0);
    expect(await asked(view, 'stop')).toEqual([]);
    await view.keyboard.press('Escape');
    expect(await asked(view, 'stop')).toHaveLength(1);
  });

  it('has the focus when the view is given it as a whole', async () => {
    const view = await open([]);
    await view.evaluate(() => { window.dispatchEvent(new Event('focus')); });
    expect(await view.locator(box).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('does nothing on Escape while no turn runs', async () => {
    const view = await open([]);
    await view.locator(box).fill('还没写完');
    await view.locator(box).press('Escape');
    expect(await view.locator(box).inputValue()).toBe('还没写完');
    expect(await asked(view, 'stop')).toEqual([]);
  });

  it('saves the draft with the host and finds it again after a reload', async () => {
    const view = await open([]);
    await view.locator(box).fill('写到一半的话');
    await expect.poll(async () => (await asked(view, 'saveDraft')).map((one) => one.body)).toEqual([{ session: 's1', text: '写到一半的话' }]);
    await view.reload();
    await view.waitForSelector(box);
    expect(await view.locator(box).inputValue()).toBe('写到一半的话');
  });

  describe('has words of its own in each conversation', () => {
    const shows = (session: { id: string; title: string } | undefined, epoch: string, more: object = {}): object => {
      const { session: _, ...rest } = snapshotOf([], { epoch });
      return { ...rest, ...(session === undefined ? {} : { session }), ...more };
    };
    const show = async (view: Page, snapshot: object): Promise<void> => {
      await view.evaluate((body) => {
        window.liyuanHost.snapshot = body as typeof window.liyuanHost.snapshot;
        window.liyuanHost.event('snapshot', window.liyuanHost.snapshot.epoch, 0, body);
      }, snapshot);
      await settle(view);
    };
    const other = { id: 's2', title: '大纲讨论' };

    it('and words on their way into a new one are in no box any more', async () => {
      const view = await open([], { snapshot: shows(undefined, 'e1') as ReturnType<typeof snapshotOf> });
      await view.evaluate(() => { window.liyuanHost.held.add('send'); });
      await view.locator(box).fill('先说说阿满。');
      await view.locator(box).press('Enter');
      await show(view, shows(other, 'e2'));
      const [sent] = await asked(view, 'send');
      await view.evaluate((id) => { window.liyuanHost.answer(id, { accepted: true }); }, sent?.id ?? 0);
      await settle(view);
      await view.waitForTimeout(600);
      expect((await asked(view, 'saveDraft')).filter(({ body }) => body['session'] === undefined && body['text'] !== '')).toEqual([]);
      await show(view, shows(undefined, 'e3'));
      expect(await view.locator(box).inputValue()).toBe('');
    });

    it('and one for the new one, also after a reload', async () => {
      const view = await open([]);
      await view.locator(box).fill('给第一个对话');
      await show(view, shows(other, 'e2'));
      expect(await view.locator(box).inputValue()).toBe('');
      await view.locator(box).fill('给第二个对话');
      await show(view, shows(undefined, 'e3'));
      expect(await view.locator(box).inputValue()).toBe('');
      await view.locator(box).fill('给新的对话');
      await show(view, shows({ id: 's1', title: '第一卷 修订' }, 'e4'));
      expect(await view.locator(box).inputValue()).toBe('给第一个对话');
      expect((await asked(view, 'saveDraft')).map((one) => one.body)).toEqual([
        { session: 's1', text: '给第一个对话' },
        { session: 's2', text: '给第二个对话' },
        { text: '给新的对话' },
      ]);
      await view.reload();
      await view.waitForSelector(box);
      expect(await view.locator(box).inputValue()).toBe('给第一个对话');
      await show(view, shows(undefined, 'e5'));
      expect(await view.locator(box).inputValue()).toBe('给新的对话');
      await show(view, shows(other, 'e6'));
      expect(await view.locator(box).inputValue()).toBe('给第二个对话');
    });

    it('which the host gives back to a view that has forgotten them', async () => {
      const view = await open([], { snapshot: snapshotOf([], { draft: '昨天写到一半' }) });
      expect(await view.locator(box).inputValue()).toBe('昨天写到一半');
      await show(view, shows(other, 'e2', { draft: '另一个' }));
      expect(await view.locator(box).inputValue()).toBe('另一个');
    });

    it('and those typed while the first ones were on their way go into the conversation they have begun', async () => {
      const view = await open([], { snapshot: shows(undefined, 'e1') as ReturnType<typeof snapshotOf> });
      await view.evaluate(() => { window.liyuanHost.held.add('send'); });
      await view.locator(box).fill('第一句');
      await view.locator(box).press('Enter');
      await view.locator(box).pressSequentially('第二句');
      await show(view, shows(other, 'e2'));
      const [sent] = await asked(view, 'send');
      await view.evaluate((id) => { window.liyuanHost.answer(id, { accepted: true }); }, sent?.id ?? 0);
      await settle(view);
      expect(await view.locator(box).inputValue()).toBe('第二句');
      await show(view, shows(undefined, 'e3'));
      expect(await view.locator(box).inputValue()).toBe('');
      await show(view, shows(other, 'e4'));
      expect(await view.locator(box).inputValue()).toBe('第二句');
    });

    it('and words that were sent leave the conversation they were sent from, though another one is shown by then', async () => {
      const view = await open([]);
      await view.evaluate(() => { window.liyuanHost.held.add('send'); });
      await view.locator(box).fill('改短');
      await view.locator(box).press('Enter');
      await show(view, shows(other, 'e2'));
      await view.locator(box).fill('改短，再改');
      const [sent] = await asked(view, 'send');
      await view.evaluate((id) => { window.liyuanHost.answer(id, { accepted: true }); }, sent?.id ?? 0);
      await settle(view);
      expect(await view.locator(box).inputValue()).toBe('改短，再改');
      await show(view, shows({ id: 's1', title: '第一卷 修订' }, 'e3'));
      expect(await view.locator(box).inputValue()).toBe('');
    });
  });

  it('takes words from the host into an empty box, and only offers them beside words of the user', async () => {
    const view = await open([]);
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'prefill', text: '原来的话' }); });
    await settle(view);
    expect(await view.locator(box).inputValue()).toBe('原来的话');
    await view.locator(box).fill('我自己的话');
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'prefill', text: '原来的话' }); });
    await settle(view);
    expect(await view.locator(box).inputValue()).toBe('我自己的话');
    await view.locator('.offer vscode-button').first().click();
    expect(await view.locator(box).inputValue()).toBe('我自己的话\n原来的话');
    expect(await view.locator('.offer').count()).toBe(0);
  });

  it('puts an example into the box, to be changed or sent', async () => {
    const view = await open([]);
    await view.locator('.example').nth(2).click();
    expect(await view.locator(box).inputValue()).toBe('Create a chapter “The Bell in the Fog”');
    expect(await asked(view, 'send')).toEqual([]);
  });

  it('starts the next chapter where there are chapters, and offers no work on chapters where there are none', async () => {
    const view = await open([]);
    await view.locator('.example-command').click();
    expect((await asked(view, 'command')).map((one) => one.body)).toEqual([{ id: 'next-chapter' }]);
    expect(await view.locator('.welcome-hint').count()).toBe(1);
    await view.close();
    const empty = await open([], { snapshot: snapshotOf([], { noChapters: true }) });
    expect(await empty.locator('.example').allTextContents()).toEqual(['Create a chapter “The Bell in the Fog”', 'What could happen next? Give me options']);
    expect(await empty.locator('.example-command, .welcome-hint').count()).toBe(0);
  });

  it('offers to change the sample’s sentence only where it stands', async () => {
    const second = async (change: object): Promise<string | null> => {
      const view = await open([], { snapshot: snapshotOf([], change) });
      const text = await view.locator('.example').nth(1).textContent();
      await view.close();
      return text;
    };
    expect(await second({})).toBe('Read chapter 1 and say what could be tighter');
    expect(await second({ sampleSentence: true })).toContain('灯是看不见的');
  });

  it('grows with its words up to a limit', async () => {
    const view = await open([]);
    const height = async (): Promise<number> => (await view.locator(box).boundingBox())?.height ?? 0;
    const small = await height();
    await view.locator(box).fill('行\n'.repeat(6));
    const grown = await height();
    await view.locator(box).fill('行\n'.repeat(80));
    const most = await height();
    expect(grown).toBeGreaterThan(small + 40);
    expect(most).toBeLessThanOrEqual(720 * 0.4 + 1);
  });
});

describe('the stream of events', () => {
  it('shows a reply as it grows', async () => {
    const view = await open([user('u1', '说说看')]);
    await view.evaluate(() => {
      window.liyuanHost.deltas({ op: 'put', item: { kind: 'assistant', id: 't1:1', turnId: 'u1', text: '', reasoning: '', state: 'streaming' } });
      window.liyuanHost.deltas({ op: 'append', id: 't1:1', field: 'text', text: '第一段。\n\n第' }, { op: 'append', id: 't1:1', field: 'text', text: '二段' });
    });
    await settle(view);
    expect(await view.locator('[data-id="t1:1"] .md-block').allTextContents()).toEqual(['第一段。\n', '第二段\n']);
  });

  it('asks for a snapshot when a number is missing, once, and goes on from its answer', async () => {
    const view = await open([user('u1', '一')]);
    expect(await asked(view, 'ready')).toHaveLength(1);
    await view.evaluate(() => {
      const put = { op: 'put', item: { kind: 'user', id: 'u9', turnId: 'u9', text: '不该出现', ts: 0 } };
      window.liyuanHost.held.add('ready');
      window.liyuanHost.event('deltas', 'e1', 5, [put]);
      window.liyuanHost.event('deltas', 'e1', 6, [put]);
    });
    await settle(view);
    const ready = await asked(view, 'ready');
    expect(ready).toHaveLength(2);
    expect(await view.locator('[data-id="u9"]').count()).toBe(0);
    const snapshot = snapshotOf([user('u1', '一'), user('u2', '二')], { seq: 6 });
    await view.evaluate(
      ({ id, body }) => {
        window.liyuanHost.answer(id, { snapshot: body, strings: {}, locale: 'en' });
        window.liyuanHost.event('deltas', 'e1', 7, [{ op: 'put', item: { kind: 'user', id: 'u3', turnId: 'u3', text: '三', ts: 0 } }]);
      },
      { id: ready[1]?.id ?? 0, body: snapshot },
    );
    await settle(view);
    expect(await view.locator('.user-text').allTextContents()).toEqual(['一', '二', '三']);
    expect(await asked(view, 'ready')).toHaveLength(2);
  });

  it('drops late events of the conversation shown before', async () => {
    const view = await open([user('u1', '旧')]);
    await view.evaluate((body) => { window.liyuanHost.event('snapshot', 'e2', 0, body); }, snapshotOf([user('v1', '新')], { epoch: 'e2' }));
    await settle(view);
    await view.evaluate(() => {
      window.liyuanHost.event('deltas', 'e1', 1, [{ op: 'put', item: { kind: 'user', id: 'u2', turnId: 'u2', text: '迟到', ts: 0 } }]);
    });
    await settle(view);
    expect(await view.locator('.user-text').allTextContents()).toEqual(['新']);
    expect(await asked(view, 'ready')).toHaveLength(1);
  });

  it('asks for a snapshot when it is shown again', async () => {
    const view = await open([]);
    await view.evaluate(() => { document.dispatchEvent(new Event('visibilitychange')); });
    expect(await asked(view, 'ready')).toHaveLength(2);
  });

  it('says so when the host refuses, and offers to try again', async () => {
    const view = await open([]);
    await view.evaluate(() => {
      window.liyuanHost.refusals['ready'] = 'no';
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await settle(view);
    expect(await view.locator('[role=alert]').textContent()).toContain('lost its connection');
    await view.evaluate(() => { delete window.liyuanHost.refusals['ready']; });
    await view.locator('[role=alert] vscode-button').click();
    await settle(view);
    expect(await view.locator('[role=alert]').count()).toBe(0);
  });

  it('shows why a request was refused until it is dismissed', async () => {
    const view = await open([changes]);
    await view.evaluate(() => { window.liyuanHost.refusals['openDiff'] = 'The checkpoint is gone.'; });
    await view.locator('.file').first().click();
    await settle(view);
    expect(await view.locator('.strip-error').textContent()).toContain('The checkpoint is gone.');
    await view.locator('.strip-error .icon-button').click();
    await settle(view);
    expect(await view.locator('.strip-error').count()).toBe(0);
  });
});

describe('scrolling', () => {
  const many = Array.from({ length: 300 }, (_, index) =>
    index % 2 === 0 ? user(`u${index}`, `第 ${index} 句`) : assistant(`r${index}`, `这是第 ${index} 个回答。\n\n`.repeat((index % 7) + 1)),
  );
  const distance = (view: Page): Promise<number> =>
    view.locator('.log').evaluate((log) => Math.round((log.scrollHeight - log.clientHeight - log.scrollTop) * 10) / 10);

  it('stays at the very bottom over a hundred additions', async () => {
    const view = await open(many);
    await view.evaluate(() => {
      window.liyuanHost.deltas({ op: 'put', item: { kind: 'assistant', id: 'live', turnId: 'x', text: '', reasoning: '', state: 'streaming' } });
    });
    const distances: number[] = [];
    for (let i = 0; i < 100; i += 1) {
      await view.evaluate((n) => { window.liyuanHost.deltas({ op: 'append', id: 'live', field: 'text', text: `第 ${n} 段，写着写着就长了起来。\n\n` }); }, i);
      await settle(view);
      distances.push(await distance(view));
    }
    expect(distances.filter((px) => px !== 0)).toEqual([]);
    expect(await view.locator('[data-id="live"] .md-block').count()).toBe(100);
  }, 60_000);

  it('leaves the reader in peace further up, shows that something came, and jumps back on a click', async () => {
    const view = await open(many);
    await view.locator('.log').hover();
    await view.mouse.wheel(0, -1500);
    await expect.poll(() => view.locator('.jump').count()).toBe(1);
    await settle(view);
    const before = await view.locator('.log').evaluate((log) => log.scrollTop);
    await view.evaluate(() => {
      window.liyuanHost.deltas({ op: 'put', item: { kind: 'user', id: 'new', turnId: 'new', text: '新的话\n'.repeat(20), ts: 0 } });
    });
    await settle(view);
    expect(await view.locator('.log').evaluate((log) => log.scrollTop)).toBe(before);
    expect(await view.locator('.jump').textContent()).toContain('New below');
    await view.locator('.jump').click();
    await settle(view);
    expect(await distance(view)).toBe(0);
    expect(await view.locator('.jump').count()).toBe(0);
  });

  it('is where it was after a reload', async () => {
    const view = await open(many);
    await view.locator('.log').hover();
    // A wheel turned before the page has taken in where the mouse is moves nothing.
    const isUp = (): Promise<boolean> => view.locator('.log').evaluate((log) => log.scrollTop + log.clientHeight < log.scrollHeight - 1000);
    await expect.poll(async () => {
      if (!(await isUp())) await view.mouse.wheel(0, -4000);
      await settle(view);
      return isUp();
    }).toBe(true);
    const topRow = (): Promise<string | undefined> =>
      view.evaluate(() => {
        const top = document.querySelector('.log')?.getBoundingClientRect().top ?? 0;
        return [...document.querySelectorAll<HTMLElement>('.row')].find((row) => row.getBoundingClientRect().bottom > top)?.dataset['id'];
      });
    await expect.poll(async () => JSON.stringify(await view.evaluate(() => window.liyuanHost.state()))).toContain('"place"');
    await expect.poll(async () => JSON.stringify(await view.evaluate(() => window.liyuanHost.state()))).toContain(await topRow());
    const before = await topRow();
    await view.reload();
    await view.waitForSelector('.row');
    await settle(view);
    await settle(view);
    expect(await topRow()).toBe(before);
  });

  it('remembers a place also where a gap between two rows is at the top', async () => {
    const view = await open(many);
    await view.locator('.log').evaluate((log) => {
      log.dispatchEvent(new WheelEvent('wheel', { deltaY: -1 }));
      const row = [...log.querySelectorAll<HTMLElement>('.row')].at(-20);
      const gap = Number.parseFloat(getComputedStyle(row ?? log).marginTop) || 0;
      log.scrollTop += (row?.getBoundingClientRect().top ?? 0) - log.getBoundingClientRect().top - Math.max(1, gap / 2);
    });
    await expect.poll(async () => JSON.stringify(await view.evaluate(() => window.liyuanHost.state()))).toContain('"place"');
  });

  it('shows the words of rows far away, for find-in-page, without drawing them', async () => {
    const view = await open(many);
    expect(await view.locator('.row').count()).toBe(300);
    expect(await view.locator('[data-id="r1"]').textContent()).toContain('这是第 1 个回答');
    expect(await view.locator('[data-id="r1"] .md').count()).toBe(0);
    await view.locator('.log').evaluate((log) => { log.scrollTop = 0; });
    await expect.poll(() => view.locator('[data-id="r1"] .md').count()).toBe(1);
  });

  it('goes from message to message with the arrow keys', async () => {
    const view = await open([user('u1', '一'), assistant('r1', '二'), user('u2', '三')]);
    const focused = (): Promise<string | undefined> => view.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['id']);
    await view.locator('.log').focus();
    await view.keyboard.press('ArrowUp');
    expect(await focused()).toBe('u2');
    await view.keyboard.press('ArrowUp');
    expect(await focused()).toBe('r1');
    await view.keyboard.press('ArrowDown');
    expect(await focused()).toBe('u2');
  });
});

describe('a question', () => {
  const open3 = snapshotOf([user('u1', '写'), ask('a1')], { status: waiting });

  it('is answered by a number key when one is not typing', async () => {
    const view = await open([], { snapshot: open3 });
    await view.locator('.log').focus();
    await view.keyboard.press('2');
    await settle(view);
    expect((await asked(view, 'answer')).map((one) => one.body)).toEqual([{ callId: 'a1', answer: { kind: 'option', index: 1 } }]);
  });

  it('leaves number keys alone while one types', async () => {
    const view = await open([], { snapshot: open3 });
    await view.locator(box).focus();
    await view.keyboard.press('2');
    await view.locator('.ask textarea').focus();
    await view.keyboard.press('3');
    expect(await asked(view, 'answer')).toEqual([]);
    expect(await view.locator('.ask textarea').inputValue()).toBe('3');
  });

  it.each([
    ['2', { kind: 'option', index: 1 }],
    [' ３ ', { kind: 'option', index: 2 }],
    ['把信收起来，等退潮再说', { kind: 'option', index: 2 }],
    ['4', { kind: 'text', text: '4' }],
    ['0', { kind: 'text', text: '0' }],
    ['2 号', { kind: 'text', text: '2 号' }],
  ])('takes %j in the input box for what it means', async (typed, answer) => {
    const view = await open([], { snapshot: open3 });
    await view.locator(box).fill(typed);
    await view.locator(box).press('Enter');
    await settle(view);
    expect((await asked(view, 'answer')).map((one) => one.body)).toEqual([{ callId: 'a1', answer }]);
    expect(await view.locator(box).inputValue()).toBe('');
  });

  it('takes a number in its own box for that option too, and says how numbers work', async () => {
    const view = await open([], { snapshot: open3 });
    expect(await view.locator('.ask .hint').textContent()).toBe('Press 1–3 to choose (in a box: the number, then Enter), or answer in your own words');
    await view.locator('.ask textarea').fill('1');
    await view.locator('.ask textarea').press('Enter');
    expect((await asked(view, 'answer')).map((one) => one.body)).toEqual([{ callId: 'a1', answer: { kind: 'option', index: 0 } }]);
  });

  it('gives the focus to the input box once it is answered by key', async () => {
    const view = await open([], { snapshot: open3 });
    await view.locator('.log').focus();
    await view.keyboard.press('2');
    await settle(view);
    expect(await view.locator(box).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('has its button as high as the answer beside it', async () => {
    const view = await open([], { width: 300, snapshot: open3 });
    const tall = async (): Promise<readonly number[]> =>
      Promise.all(['.ask textarea', '.ask-send'].map(async (one) => Math.round((await view.locator(one).boundingBox())?.height ?? 0)));
    const [field, button] = await tall();
    expect(button).toBe(field);
    await view.locator('.ask textarea').fill('一\n二\n三');
    const [grown, beside] = await tall();
    expect(beside).toBe(grown);
    expect(grown).toBeGreaterThan(field ?? 0);
  });

  it('is reached from the empty input box with the up arrow, and answered with Enter', async () => {
    const view = await open([], { snapshot: open3 });
    await view.locator(box).focus();
    await view.keyboard.press('ArrowUp');
    await view.keyboard.press('ArrowDown');
    await view.keyboard.press('Enter');
    expect((await asked(view, 'answer')).map((one) => one.body)).toEqual([{ callId: 'a1', answer: { kind: 'option', index: 1 } }]);
  });

  it('is answered in own words, and not with half a word', async () => {
    const view = await open([], { snapshot: open3 });
    const cdp = await view.context().newCDPSession(view);
    await view.locator('.ask textarea').focus();
    await compose(cdp, 'deng');
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 });
    await settle(view);
    expect(await asked(view, 'answer')).toEqual([]);
    await cdp.send('Input.insertText', { text: '等退潮' });
    await settle(view);
    await view.keyboard.press('Enter');
    expect((await asked(view, 'answer')).map((one) => one.body)).toEqual([{ callId: 'a1', answer: { kind: 'text', text: '等退潮' } }]);
  });

  it('is answered from the input box too, which says so', async () => {
    const view = await open([], { snapshot: open3 });
    expect(await view.locator('.composer-strip').textContent()).toContain('Answering: 砚秋拆开那封信之前');
    await view.locator(box).fill('都不要');
    await view.locator(box).press('Enter');
    await settle(view);
    expect((await asked(view, 'answer')).map((one) => one.body)).toEqual([{ callId: 'a1', answer: { kind: 'text', text: '都不要' } }]);
    expect(await view.locator(box).inputValue()).toBe('');
    expect(await asked(view, 'send')).toEqual([]);
  });

  it('can be ended without an answer', async () => {
    const view = await open([], { snapshot: open3 });
    await view.locator('.ask-stop').click();
    expect((await asked(view, 'answer')).map((one) => one.body)).toEqual([{ callId: 'a1', answer: { kind: 'stop' } }]);
  });

  it('takes one answer only, and shows it afterwards', async () => {
    const view = await open([], { snapshot: open3 });
    await view.locator('.ask-option').first().dblclick();
    expect(await asked(view, 'answer')).toHaveLength(1);
    await view.evaluate((item) => { window.liyuanHost.deltas({ op: 'put', item }); }, ask('a1', { state: 'answered', answer: '独自拆信' }));
    await settle(view);
    expect(await view.locator('.ask-answer').textContent()).toContain('独自拆信');
    expect(await view.locator('.ask-option').count()).toBe(0);
    expect(await view.locator('.composer-strip').count()).toBe(0);
  });
});

describe('the changes of a turn', () => {
  it('are undone only after a second press, and the way back is Escape', async () => {
    const view = await open([changes]);
    await view.locator('.changes-undo vscode-button').click();
    expect(await asked(view, 'undoTurn')).toEqual([]);
    await view.keyboard.press('Escape');
    await settle(view);
    expect(await view.locator('.confirm').count()).toBe(0);
    await view.locator('.changes-undo vscode-button').click();
    await view.locator('.confirm-yes').click();
    expect((await asked(view, 'undoTurn')).map((one) => one.body)).toEqual([{ turnId: 't1' }]);
  });

  it('are undone by keyboard alone, with the safe answer focused first', async () => {
    const view = await open([changes]);
    await view.locator('.changes-undo vscode-button').focus();
    await view.keyboard.press('Enter');
    await settle(view);
    expect(await view.evaluate(() => document.activeElement?.className)).toContain('confirm-no');
    await view.keyboard.press('Shift+Tab');
    await view.keyboard.press('Enter');
    expect(await asked(view, 'undoTurn')).toHaveLength(1);
  });

  it('open as a diff, one or all', async () => {
    const view = await open([changes]);
    await view.locator('.file').first().click();
    await view.locator('.changes-open-all').click();
    expect((await asked(view, 'openDiff')).map((one) => one.body)).toEqual([
      { turnId: 't1', path: '正文/第一卷 退潮/001-雨夜来信.md' },
      { turnId: 't1' },
    ]);
  });

  it('cannot be undone while a turn runs or in a read-only conversation', async () => {
    const view = await open([], { snapshot: snapshotOf([changes], { status: busy }) });
    expect(await view.locator('.changes-undo vscode-button').getAttribute('disabled')).not.toBeNull();
    await view.evaluate((status) => { window.liyuanHost.deltas({ op: 'status', status }); }, { ...idle, readOnly: true });
    await settle(view);
    expect(await view.locator('.changes-undo vscode-button').getAttribute('disabled')).not.toBeNull();
    await view.evaluate((status) => { window.liyuanHost.deltas({ op: 'status', status }); }, idle);
    await settle(view);
    expect(await view.locator('.changes-undo vscode-button').getAttribute('disabled')).toBeNull();
  });

  it('show that they were undone, without a way to undo them twice', async () => {
    const view = await open([{ ...changes, undone: true }]);
    expect(await view.locator('.changes .badge').textContent()).toBe('Undone');
    expect(await view.locator('.changes-undo').count()).toBe(0);
  });

  it('fold away all but eight of many files', async () => {
    const files = Array.from({ length: 20 }, (_, n) => ({ path: `正文/${n}.md`, status: 'modified' as const, added: 1, removed: 0 }));
    const view = await open([{ ...changes, files }]);
    expect(await view.locator('.file').count()).toBe(8);
    await view.locator('.files-more').click();
    expect(await view.locator('.file').count()).toBe(20);
  });
});

describe('steps and replies', () => {
  it('open the file a step names on a click, without unfolding the step', async () => {
    const view = await open(fullTurn);
    await view.locator('[data-id="c2"] .tool-title .link-button').click();
    expect((await asked(view, 'openFile')).map((one) => one.body)).toEqual([{ path: '正文/第一卷 退潮/001-雨夜来信.md' }]);
    expect(await view.locator('[data-id="c2"] .tool-details').count()).toBe(0);
  });

  it('unfold a step to readable edits, and remember it over a reload', async () => {
    const view = await open(fullTurn);
    await view.locator('[data-id="c3"] .tool-toggle').press('Enter');
    expect(await view.locator('[data-id="c3"] .edit-old').allTextContents()).toEqual(['砚秋笑了一下，顺着哨声走。', '雨大的时候，灯是看不见的。']);
    expect(await view.locator('[data-id="c3"] .edit-new').allTextContents()).toEqual(['砚秋停了停，顺着哨声走。', '雨大的时候，灯照不了多远。']);
    await view.reload();
    await view.waitForSelector('[data-id="c3"] .tool-details');
  });

  it('show answers as lists, not as JSON', async () => {
    const result = JSON.stringify({ of: 2, entries: [{ path: '正文/001.md', words: 12 }, { path: '正文/002.md', words: 3 }], more: [] });
    const view = await open([tool('c1', 'list', '列出', { result })]);
    await view.locator('.tool-toggle').click();
    expect(await view.locator('.tool-details dt').allTextContents()).toEqual(['of', 'entries', 'path', 'words', 'path', 'words', 'more']);
    expect(await view.locator('.value-list .value-text').allTextContents()).toEqual(['正文/001.md', '12', '正文/002.md', '3']);
  });

  it('show arguments that are not JSON as they were sent', async () => {
    const view = await open([tool('c1', 'read', '读', { args: '{"path": "正文/0', result: 'plain words' })]);
    await view.locator('.tool-head').click();
    expect(await view.locator('.value-text').allTextContents()).toEqual(['{"path": "正文/0', 'plain words']);
  });

  it('show a chapter while it is written, at its end, and not after', async () => {
    const view = await open(writing, { snapshot: snapshotOf(writing, { status: busy }) });
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'append', id: 'c5', field: 'preview', text: `${'雾更浓了。\n\n'.repeat(40)}最后一句` }); });
    await settle(view);
    const preview = view.locator('.preview');
    expect(await preview.textContent()).toContain('最后一句');
    expect(await preview.evaluate((element) => Math.round(element.scrollHeight - element.clientHeight - element.scrollTop))).toBe(0);
    expect(await preview.evaluate((element) => element.clientHeight)).toBeLessThan(220);
    await view.evaluate((item) => { window.liyuanHost.deltas({ op: 'put', item }); }, tool('c5', 'write', '写了', { note: '新文件' }));
    await settle(view);
    expect(await view.locator('.preview').count()).toBe(0);
  });

  it('fold thinking into one line and show its length', async () => {
    const view = await open(fullTurn);
    expect(await view.locator('.thinking-summary').textContent()).toBe('先看第一章的原文，再决定删哪几句。');
    expect(await view.locator('.thinking-length').textContent()).toBe('55 characters');
    expect(await view.locator('.thinking-text').count()).toBe(0);
    await view.locator('.thinking summary').click();
    expect(await view.locator('.thinking-text').textContent()).toContain('她笑的那一句可以换成停下脚步。');
  });

  it('hide a finished reply that only called tools', async () => {
    const view = await open([user('u1', '读'), assistant('r1', ''), tool('c1', 'read', '读了')]);
    expect(await view.locator('[data-id="r1"]').isHidden()).toBe(true);
  });

  it('say how a reply ended when it did not end well', async () => {
    const view = await open([assistant('r1', '写到一半', { state: 'stopped' }), assistant('r2', '断', { state: 'error' })]);
    expect(await view.locator('.ending').allTextContents()).toEqual([' Stopped here', ' The reply broke off with an error']);
  });

  it('offer to run the last turn again where it was stopped, and no other', async () => {
    const stopped = (id: string, turnId: string): ChatItem => assistant(id, '写到一半', { state: 'stopped', turnId });
    const view = await open([user('u1', '一'), stopped('r1', 'u1'), user('u2', '二'), stopped('r2', 'u2')]);
    expect(await view.locator('.again[data-action="retry"]').count()).toBe(1);
    await view.locator('[data-id="r2"] .again[data-action="retry"]').click();
    expect((await asked(view, 'action')).map((one) => one.body)).toEqual([{ action: 'retry' }]);
    await view.evaluate((status) => { window.liyuanHost.deltas({ op: 'status', status }); }, busy);
    await settle(view);
    expect(await view.locator('.again:enabled').count()).toBe(0);
  });

  it('have their copy button whole below the last row', async () => {
    const view = await open([user('u1', '一'), assistant('r1', '写到一半', { state: 'stopped' })]);
    await view.locator('.row[data-id="r1"]').hover();
    const button = await view.locator('[data-id="r1"] .row-copy').boundingBox();
    const chunk = await view.locator('.chunk').last().boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual((chunk?.y ?? 0) + (chunk?.height ?? 0));
  });

  it('show what the author did not allow as no error', async () => {
    const view = await open([tool('c1', 'edit', '修改 AGENTS.md', { state: 'declined', note: '按你的意思没有改。' })]);
    expect(await view.locator('.tool-failed').count()).toBe(0);
    expect(await view.locator('.codicon-circle-slash').count()).toBe(1);
    expect(await view.locator('.tool-toggle').getAttribute('aria-label')).toContain('not done');
  });

  it('copy a reply as it was written', async () => {
    const view = await open(fullTurn);
    await view.locator('[data-id="r2"]').hover();
    await view.locator('.row[data-id="r2"]').hover();
    await view.locator('[data-id="r2"] .row-copy button').click();
    await settle(view);
    expect(await view.evaluate(() => navigator.clipboard.readText())).toContain('她的**情绪**收在动作里');
  });

  it('run no markup, load no picture, and follow no link but to the web or to a file of the project', async () => {
    const text = [
      '<img src=x onerror=alert(1)> <b>粗</b>',
      '',
      '![图](https://example.com/x.png) [坏](javascript:alert(1)) [命令](command:workbench.action.quit) [网](https://example.com/) [章](./正文/001.md#一)',
      '',
      '```html',
      '<script>alert(1)</script>',
      '```',
    ].join('\n');
    const view = await open([assistant('r1', text)]);
    expect(await view.locator('.md img, .md script, .md b').count()).toBe(0);
    expect(await view.locator('.md a').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      null,
      'https://example.com/',
      null,
    ]);
    await view.locator('.md a', { hasText: '章' }).press('Enter');
    expect((await asked(view, 'openFile')).map((one) => one.body)).toEqual([{ path: '正文/001.md' }]);
    await view.locator('.md-code').hover();
    await view.locator('.md-code button').click();
    await settle(view);
    expect(await view.evaluate(() => navigator.clipboard.readText())).toBe('<script>alert(1)</script>\n');
  });

  it('offer what can be done about a notice', async () => {
    const view = await open([
      { kind: 'notice', id: 'n1', level: 'error', text: '密钥不对。', actions: [{ action: 'configureModel', label: '设置模型…' }, { action: 'retry', label: '重试' }] },
    ]);
    await view.locator('[data-action=configureModel]').click();
    await view.locator('[data-action=retry]').click();
    expect((await asked(view, 'action')).map((one) => one.body)).toEqual([{ action: 'configureModel' }, { action: 'retry' }]);
  });

  it('count down to another try, tell it once, and let it begin now or not at all', async () => {
    const view = await open([]);
    const spoken = (): Promise<string | null> => view.locator('[aria-live=polite]').textContent();
    const notice = (until: number): ChatItem => ({
      kind: 'notice',
      id: 'u1:retry',
      turnId: 'u1',
      level: 'warning',
      text: '服务过载，9 秒后重试（第 1 次）。',
      actions: [{ action: 'retryNow', label: '立即重试' }, { action: 'stop', label: '停止' }],
      countdown: { reason: '服务过载', attempt: 1, ms: 9_000, until },
    });
    await view.evaluate((item) => { window.liyuanHost.deltas({ op: 'put', item }); }, notice(Date.now() + 9_000));
    const words = view.locator('.retry-words');
    await words.getByText('服务过载; trying again in 9 s (attempt 1).').waitFor();
    expect(await spoken()).toBe('服务过载，9 秒后重试（第 1 次）。');
    await view.evaluate(() => {
      const live = document.querySelector('[aria-live=polite]');
      if (live !== null) new MutationObserver(() => { live.setAttribute('data-again', 'yes'); }).observe(live, { childList: true, characterData: true, subtree: true });
    });
    await words.getByText('trying again in 8 s').waitFor();
    expect(await words.getAttribute('aria-hidden')).toBe('true');
    expect(await view.locator('[aria-live=polite]').getAttribute('data-again')).toBe(null);
    await view.locator('[data-action=retryNow]').click();
    await words.getByText('服务过载; trying again now (attempt 1).').waitFor();
    expect(await view.locator('[data-action=retryNow]').count()).toBe(0);
    await view.locator('[data-action=stop]').click();
    expect((await asked(view, 'action')).map((one) => one.body)).toEqual([{ action: 'retryNow' }, { action: 'stop' }]);
  });

  it('count down no longer than the wait is, whatever the clock of the host says', async () => {
    const view = await open([
      { kind: 'notice', id: 'n', turnId: 'u1', level: 'warning', text: 'x', actions: [], countdown: { reason: '服务过载', attempt: 2, ms: 4_000, until: Date.now() + 3_600_000 } },
    ]);
    await view.locator('.retry-words').getByText('trying again in 4 s (attempt 2)').waitFor();
  });

  it('announce words, not the marks around them', async () => {
    const view = await open([user('u1', '换个说法')]);
    await view.evaluate((item) => { window.liyuanHost.deltas({ op: 'put', item }); }, assistant('r1', '## 两种\n\n<draft>**雪**停了。</draft>\n<draft>- 霜落了。</draft>'));
    await settle(view);
    expect(await view.locator('[aria-live=polite]').textContent()).toMatch(/两种 雪停了。 (?:- )?霜落了。$/);
  });

  it('announce a reply when it is complete, not while it grows', async () => {
    const view = await open([]);
    const spoken = (): Promise<string | null> => view.locator('[aria-live=polite]').textContent();
    await view.evaluate((item) => { window.liyuanHost.deltas({ op: 'put', item }); }, assistant('r1', '写到', { state: 'streaming' }));
    await settle(view);
    expect(await spoken()).toBe('');
    await view.evaluate((item) => { window.liyuanHost.deltas({ op: 'put', item }); }, assistant('r1', '写到这里。'));
    await settle(view);
    expect(await spoken()).toBe('The agent says: 写到这里。');
    expect(await view.locator('[role=log]').getAttribute('aria-live')).toBe('off');
  });
});

describe('an interrupted turn', () => {
  const item: ChatItem = { kind: 'interrupted', id: 'i1', turnId: 'u1', partial: '写到一半', waiting: false };

  it.each(['continue', 'retry', 'keep'] as const)('can be settled by: %s', async (how) => {
    const view = await open([item]);
    await view.locator(`[data-how=${how}]`).click();
    expect((await asked(view, 'resume')).map((one) => one.body)).toEqual([{ how }]);
  });

  it('is undone only after a second press', async () => {
    const view = await open([item]);
    await view.locator('.interrupted liyuan-confirm-button vscode-button').click();
    expect(await asked(view, 'resume')).toEqual([]);
    expect(await view.locator('.interrupted vscode-button').allTextContents()).toEqual(['Continue', 'Retry', 'Keep as it is', 'Undo', 'Do not undo']);
    await view.locator('.confirm-yes').click();
    expect((await asked(view, 'resume')).map((one) => one.body)).toEqual([{ how: 'undo' }]);
  });
});

describe('conversations and the model', () => {
  const rows = (count: number): unknown => ({
    sessions: Array.from({ length: count }, (_, n) => ({ id: `s${n + 1}`, title: n === 3 ? '大纲讨论' : `对话 ${n + 1}`, updatedAt: Date.now() - n * 3_600_000, current: n === 0, deleted: false })),
  });

  it('are listed, searched when there are many, and opened by keyboard', async () => {
    const view = await open([]);
    await view.evaluate((body) => { window.liyuanHost.answers['sessions'] = body; }, rows(12));
    await view.locator('.session-button').click();
    await settle(view);
    expect(await view.locator('.session').count()).toBe(12);
    await view.keyboard.type('大纲');
    await settle(view);
    expect(await view.locator('.session-title').allTextContents()).toEqual(['大纲讨论']);
    await view.keyboard.press('Enter');
    await settle(view);
    expect((await asked(view, 'openSession')).map((one) => one.body)).toEqual([{ id: 's4' }]);
    expect(await view.locator('.popup').count()).toBe(0);
  });

  it('are gone through with the arrow keys from the search box; Escape closes the list and gives the focus back', async () => {
    const view = await open([]);
    await view.evaluate((body) => { window.liyuanHost.answers['sessions'] = body; }, rows(3));
    await view.locator('.session-button').press('Enter');
    await settle(view);
    await view.keyboard.press('ArrowDown');
    await settle(view);
    expect(await view.locator('.session-active').getAttribute('data-id')).toBe('s2');
    await view.keyboard.press('Escape');
    await settle(view);
    expect(await view.locator('.popup').count()).toBe(0);
    expect(await view.evaluate(() => document.activeElement?.className)).toBe('session-button');
    expect(await asked(view, 'openSession')).toEqual([]);
  });

  it('are renamed in place', async () => {
    const view = await open([]);
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'open', what: 'rename' }); });
    await settle(view);
    await view.keyboard.type('新标题');
    await view.keyboard.press('Enter');
    await settle(view);
    expect((await asked(view, 'renameSession')).map((one) => one.body)).toEqual([{ title: '新标题' }]);
    expect(await view.locator('.rename-field').count()).toBe(0);
  });

  it('keep their title when renaming is given up', async () => {
    const view = await open([]);
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'open', what: 'rename' }); });
    await settle(view);
    await view.keyboard.type('不要');
    await view.keyboard.press('Escape');
    await settle(view);
    expect(await asked(view, 'renameSession')).toEqual([]);
    expect(await view.evaluate(() => document.activeElement?.className)).toBe('session-button');
    await view.keyboard.press('F2');
    await settle(view);
    expect(await view.locator('.rename-field').count()).toBe(1);
  });

  it('begin anew with the plus', async () => {
    const view = await open([]);
    await view.locator('.new-session').click();
    expect(await asked(view, 'newSession')).toHaveLength(1);
  });

  it('label the rehearsal model and lead to the choice of another', async () => {
    const view = await open([], { snapshot: snapshotOf([], { status: { ...idle, model: { name: 'rehearsal', rehearsal: true, configured: false } } }) });
    expect(await view.locator('.model').textContent()).toContain('Rehearsal');
    await view.locator('.model').click();
    expect((await asked(view, 'action')).map((one) => one.body)).toEqual([{ action: 'switchModel' }]);
  });
});

describe('other states', () => {
  it('offer to make a project where there is none', async () => {
    const view = await open([], { snapshot: snapshotOf([], { project: 'none' }) });
    expect(await view.locator(box).count()).toBe(0);
    await view.locator('.create-project').click();
    expect(await asked(view, 'createProject')).toHaveLength(1);
    await view.locator('.open-sample').click();
    expect((await asked(view, 'begin')).map((one) => one.body)).toEqual([{ by: 'openSample' }]);
  });

  it('lead on from a window without a folder', async () => {
    const view = await open([], { snapshot: snapshotOf([], { project: 'none', lacking: 'folder' }) });
    expect(await view.locator('.create-project').count()).toBe(0);
    await view.locator('.open-folder').click();
    await view.locator('.open-sample').click();
    expect((await asked(view, 'begin')).map((one) => one.body)).toEqual([{ by: 'openFolder' }, { by: 'openSample' }]);
  });

  it('lead on from a folder that is not trusted', async () => {
    const view = await open([], { snapshot: snapshotOf([], { project: 'none', lacking: 'trust' }) });
    expect(await view.locator('.create-project, .open-sample').count()).toBe(0);
    await view.locator('.manage-trust').click();
    expect((await asked(view, 'begin')).map((one) => one.body)).toEqual([{ by: 'trust' }]);
  });

  it('say why nothing can be sent, and keep what is typed', async () => {
    const view = await open([], { snapshot: snapshotOf([], { status: { ...idle, readOnly: true, readOnlyReason: '另一个窗口正在写这个对话。' } }) });
    expect(await view.locator('.read-only').textContent()).toContain('另一个窗口正在写这个对话。');
    await view.locator(box).fill('写给以后');
    await view.locator(box).press('Enter');
    expect(await asked(view, 'send')).toEqual([]);
    expect(await view.locator(box).inputValue()).toBe('写给以后');
  });

  it('tell what the running step does', async () => {
    const running = [user('u1', '读'), tool('c1', 'read', '读 正文/001.md', { state: 'running' })];
    const view = await open([], { snapshot: snapshotOf(running, { status: { ...idle, phase: 'tools' } }) });
    expect(await view.locator('.phase-words').textContent()).toBe('读 正文/001.md');
    await view.evaluate((status) => { window.liyuanHost.deltas({ op: 'status', status }); }, idle);
    await settle(view);
    expect(await view.locator('.phase').count()).toBe(0);
  });

  it('show how full the window is', async () => {
    const view = await open([], { snapshot: snapshotOf([], { status: { ...idle, usage: { input: 12_300, output: 456, window: 128_000 } } }) });
    expect(await view.locator('.usage').textContent()).toBe('12.8k of 128k tokens');
  });
});

describe('an empty conversation', () => {
  it('is read from its top, also after the only turn was taken back', async () => {
    const long = [user('u1', '写'), assistant('r1', '长长的回答。\n\n'.repeat(60))];
    const view = await open(long, { height: 420 });
    expect(await view.locator('.log').evaluate((log) => log.scrollTop)).toBeGreaterThan(100);
    await view.evaluate((body) => { window.liyuanHost.event('snapshot', 'e2', 0, body); }, snapshotOf([], { epoch: 'e2', prefill: '写' }));
    await settle(view);
    expect(await view.locator('.log').evaluate((log) => [log.scrollTop, log.scrollHeight > log.clientHeight])).toEqual([0, true]);
  });

  it('is read from its top by who was reading further up', async () => {
    const long = [user('u1', '写'), assistant('r1', '长长的回答。\n\n'.repeat(60))];
    const view = await open(long, { height: 420 });
    await view.locator('.log').hover();
    await view.mouse.wheel(0, -400);
    await expect.poll(() => view.locator('.jump').count()).toBe(1);
    await view.evaluate((body) => { window.liyuanHost.event('snapshot', 'e2', 0, body); }, snapshotOf([], { epoch: 'e2' }));
    await settle(view);
    expect(await view.locator('.log').evaluate((log) => log.scrollTop)).toBe(0);
  });
});

describe('room', () => {
  it('is left for the title at 170 px', async () => {
    const view = await open(fullTurn, { width: 170, snapshot: snapshotOf(fullTurn, { session: { id: 's1', title: '把所有的「潮信局」改成「潮讯局」' }, status: { ...idle, model: { name: 'rehearsal', rehearsal: true, configured: false } } }) });
    expect((await view.locator('.session-name').boundingBox())?.width).toBeGreaterThan(56);
    expect(await overflowing(view)).toEqual([]);
  });

  it.each([260, 300, 1100])('is enough at %i px: nothing sticks out', async (width) => {
    const items = [...fullTurn, ask('a2'), { kind: 'interrupted', id: 'i1', turnId: 'u1', partial: '写', waiting: false } as const, ...writing.map((item) => ({ ...item, id: `w${item.id}` }))];
    const view = await open([], { width, snapshot: snapshotOf(items, { status: { ...waiting, model: { ...idle.model, name: 'a-model-with-a-rather-long-name-2026-05-03' } } }) });
    await view.locator('[data-id="c3"] .tool-toggle').click();
    await view.locator('.changes-undo vscode-button').first().click({ force: true });
    await settle(view);
    expect(await overflowing(view)).toEqual([]);
  });
});

describe('a summary of earlier turns', () => {
  it('is one folded line that says which turns and how long, with its words below, and marks the turns it stands for', async () => {
    const view = await open(summarised);
    expect(await view.locator('.summary-title').textContent()).toBe('Earlier turns summarised: turns 1–2 → 1,240 tokens');
    expect(await view.locator('.summary-text').isVisible()).toBe(false);
    await view.locator('.summary summary').click();
    expect(await view.locator('.summary-text').textContent()).toContain('砚秋不要笑（第 2 轮）');
    expect(await view.locator('.summarised').count()).toBe(2);
    expect(await view.locator('[data-id="u3"] .summarised').count()).toBe(0);
  });

  it('can be taken back and used again, not while a turn runs', async () => {
    const view = await open(summarised);
    await view.locator('.summary-use').click();
    expect((await asked(view, 'useSummary')).map((one) => one.body)).toEqual([{ id: 'sum1', use: false }]);
    const undone = summarised.map((item) => (item.kind === 'summary' ? { ...item, state: 'undone' as const } : item));
    await view.evaluate((items) => { window.liyuanHost.deltas(...items.map((item) => ({ op: 'put' as const, item }))); }, undone);
    await settle(view);
    expect(await view.locator('.summary .badge').textContent()).toBe('taken back');
    await view.locator('.summary-use').click();
    expect((await asked(view, 'useSummary')).at(-1)?.body).toEqual({ id: 'sum1', use: true });
    await view.evaluate((status) => { window.liyuanHost.deltas({ op: 'status', status }); }, busy);
    await settle(view);
    expect(await view.locator('.summary-use').isDisabled()).toBe(true);
  });

  it('is rewritten in place: the words are kept while the view is hidden, Enter begins a line, Ctrl+Enter takes them', async () => {
    const view = await open(summarised);
    await view.locator('.summary summary').click();
    await view.locator('.summary-rewrite').click();
    await settle(view);
    expect(await view.evaluate(() => document.activeElement?.classList.contains('summary-box'))).toBe(true);
    await view.locator('.summary-box').fill('文风要冷。');
    await view.locator('.summary-box').press('End');
    await view.keyboard.press('Enter');
    await view.keyboard.type('砚秋不笑。');
    expect(await asked(view, 'rewriteSummary')).toEqual([]);
    await view.keyboard.press('Control+Enter');
    await settle(view);
    expect((await asked(view, 'rewriteSummary')).map((one) => one.body)).toEqual([{ id: 'sum1', text: '文风要冷。\n砚秋不笑。' }]);
    expect(await view.locator('.summary-box').count()).toBe(0);
  });

  it('that is left as it was, or given up with Escape, is not sent', async () => {
    const view = await open(summarised);
    await view.locator('.summary summary').click();
    await view.locator('.summary-rewrite').click();
    await view.locator('.summary-save').click();
    await settle(view);
    await view.locator('.summary summary').click();
    await view.locator('.summary-rewrite').click();
    await view.locator('.summary-box').fill('别的');
    await view.keyboard.press('Escape');
    await settle(view);
    expect(await asked(view, 'rewriteSummary')).toEqual([]);
    expect(await view.locator('.summary-text').textContent()).toContain('砚秋不要笑');
  });

  it('that a later one has taken in has no way back of its own', async () => {
    const view = await open(summarised.map((item) => (item.kind === 'summary' ? { ...item, state: 'merged' as const } : item)));
    expect(await view.locator('.summary-use').count()).toBe(0);
    expect(await view.locator('.summary .badge').textContent()).toBe('taken into a later summary');
  });

  it.each(['zh-cn', 'en'])('fits into 300 px, unfolded (%s)', async (locale) => {
    const view = await open(summarised, { width: 300, locale });
    await view.locator('.summary summary').click();
    await settle(view);
    expect(await overflowing(view)).toEqual([]);
  });
});

describe('the rules of the project', () => {
  const opened = async (options: Partial<OpenOptions> = {}): Promise<Page> => {
    const view = await open([], options);
    await view.evaluate((answer) => { window.liyuanHost.answers['toggles'] = answer; }, toggles);
    await view.locator('.toggles-button').click();
    await settle(view);
    return view;
  };

  it('are listed with whether they are used and what each costs, and say what changing them costs', async () => {
    const view = await opened();
    const rows = await view.locator('.toggle-row').evaluateAll((all) => all.map((row) => [row.querySelector('.toggle-name')?.textContent, row.querySelector('input')?.checked, row.querySelector('.toggle-cost')?.textContent]));
    expect(rows).toEqual([
      ['先提议，再落笔', false, ''],
      ['AGENTS.md', true, '412 tokens'],
      ['文风', false, '1,286 tokens'],
      ['禁用词', false, '0 entries'],
    ]);
    expect(await view.locator('.toggles-note').textContent()).toContain('reads the whole conversation anew once');
    expect(await view.locator('[data-id="agent.apply"] input').evaluate((box) => box === document.activeElement)).toBe(true);
  });

  it('are switched one at a time, by keyboard too; what is not there can be begun', async () => {
    const view = await opened();
    await view.evaluate((answer) => {
      window.liyuanHost.answers['setToggle'] = { rows: answer.rows.map((row) => (row.id === 'rules.agents' ? { ...row, on: false } : row)) };
    }, toggles);
    await view.locator('[data-id="rules.agents"] input').focus();
    await view.keyboard.press('Space');
    await settle(view);
    expect((await asked(view, 'setToggle')).map((one) => one.body)).toEqual([{ id: 'rules.agents', on: false }]);
    expect(await view.locator('[data-id="rules.agents"] input').isChecked()).toBe(false);
    expect(await view.locator('[data-id="rules.forbidden"] input').isDisabled()).toBe(true);
    await view.locator('[data-id="rules.forbidden"] .toggle-open').click();
    expect((await asked(view, 'openToggle')).map((one) => one.body)).toEqual([{ id: 'rules.forbidden' }]);
    expect(await view.locator('.toggles').count()).toBe(0);
  });

  it('that could not be switched stand as they were', async () => {
    const view = await opened();
    await view.evaluate(() => { window.liyuanHost.refusals['setToggle'] = 'read only'; });
    await view.locator('[data-id="rules.agents"] input').click();
    await settle(view);
    expect(await view.locator('[data-id="rules.agents"] input').isChecked()).toBe(true);
  });

  it('close on Escape, which then stops no turn, and give the focus back', async () => {
    const view = await opened({ snapshot: snapshotOf(writing, { status: busy }) });
    await view.keyboard.press('Escape');
    await settle(view);
    expect(await view.locator('.toggles').count()).toBe(0);
    expect(await asked(view, 'stop')).toEqual([]);
    expect(await view.locator('.toggles-button').evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it.each(['zh-cn', 'en'])('fit into 300 px (%s)', async (locale) => {
    const view = await opened({ width: 300, locale });
    expect(await overflowing(view)).toEqual([]);
  });
});

describe('forbidden words in what a turn has brought', () => {
  it('stand under their file, with their lines', async () => {
    const view = await open([withForbidden], { width: 300 });
    expect(await view.locator('.file-forbidden').allTextContents()).toEqual(['Forbidden words: 不禁 (line 12), 嘴角微微上扬 (line 40)']);
    expect(await overflowing(view)).toEqual([]);
  });
});
