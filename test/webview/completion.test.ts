import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chatStrings } from '../../src/protocol/chat-strings';
import type { ChatMention, MentionCandidate } from '../../src/protocol/mentions';
import { commandsFor, mentionsIn, typedAt, withoutMention } from '../../webview/chat/completion';
import { asked, chineseStrings, overflowing, settle, shot, type OpenOptions } from './support/page';
import { fullTurn, idle, snapshotOf, user } from './support/samples';
import { useChat } from './support/use-chat';

const rain: ChatMention = { kind: 'file', ref: '正文/001-雨夜.md', title: '雨夜' };
const selection: ChatMention = { kind: 'selection', ref: '正文/001-雨夜.md', start: 3, end: 5, text: '雨下了三天。' };
const version: ChatMention = { kind: 'checkpoint', ref: 'c1', title: '第一版 3/4 05:06' };

describe('what is being typed', () => {
  it('is a mention from its sign to the caret, unless a Latin word runs into it', () => {
    expect(typedAt('看 @雨', 4)).toEqual({ kind: 'mention', start: 2, query: '雨' });
    expect(typedAt('看看@', 3)).toEqual({ kind: 'mention', start: 2, query: '' });
    expect(typedAt('看＠雨', 3)).toEqual({ kind: 'mention', start: 1, query: '雨' });
    expect(typedAt('a@b.c', 5)).toBeUndefined();
    expect(typedAt('@雨夜 然后', 5)).toBeUndefined();
  });

  it('is a command at the very start, also as a Chinese input method gives the slash', () => {
    expect(typedAt('/ne', 3)).toEqual({ kind: 'command', start: 0, query: 'ne' });
    expect(typedAt('、新', 2)).toEqual({ kind: 'command', start: 0, query: '新' });
    expect(typedAt('看/新', 3)).toBeUndefined();
    expect(typedAt('/new 然后', 7)).toBeUndefined();
  });
});

describe('mentions in a text', () => {
  it('are those whose words stand there, in its order, and none whose words only begin another', () => {
    const known = [rain, selection, version];
    expect(mentionsIn('对照 @「第一版 3/4 05:06」 改 @正文/001-雨夜.md:3-5，', known)).toEqual([version, selection]);
    expect(mentionsIn('改@正文/001-雨夜.md那段: 1', known)).toEqual([rain]);
    expect(withoutMention('改 @正文/001-雨夜.md 短', rain)).toBe('改 短');
  });
});

describe('commands', () => {
  const quiet = { busy: false, readOnly: false, turn: true };
  const ids = (query: string, state = quiet): readonly string[] => commandsFor(query, state).map(({ id }) => id);

  it('are found by id and by either name, in full or by characters in order', () => {
    expect(ids('new')).toEqual(['new']);
    expect(ids('新对')).toEqual(['new']);
    expect(ids('撤本')).toEqual(['undo']);
    expect(ids('AGENTS')).toEqual(['rules']);
    expect(ids('没有这个')).toEqual([]);
  });

  it('are only those that can be given now', () => {
    expect(ids('')).toContain('retry');
    expect(ids('', { ...quiet, turn: false })).not.toContain('undo');
    expect(ids('', { ...quiet, busy: true })).toContain('stop');
    expect(ids('', { ...quiet, busy: true })).not.toContain('continue');
    expect(ids('', { ...quiet, readOnly: true })).not.toContain('retry');
  });
});

const pages = useChat();
const box = 'textarea.composer-box';
const candidates: readonly MentionCandidate[] = [
  { mention: selection, group: '编辑器里', icon: 'selection', title: '选中的文字', detail: '001-雨夜 第 3–5 行' },
  { mention: rain, group: '章节', icon: 'book', title: '第一章 雨夜来信', detail: '第一卷 退潮 · 第 1 篇，3,120 字' },
  { mention: { kind: 'file', ref: '正文/002-来信.md', title: '来信' }, group: '章节', icon: 'book', title: '第二章 潮信局', detail: '第一卷 退潮 · 第 2 篇，2,870 字' },
  { mention: version, group: '检查点', icon: 'history', title: '第一版', detail: '3/4 05:06' },
];

async function open(options: Partial<OpenOptions> = {}): Promise<Page> {
  const page = await pages.open(fullTurn, options);
  await page.evaluate((items) => { window.liyuanHost.answers['mentions'] = { items }; }, [...candidates]);
  return page;
}

const active = (view: Page): Promise<string> => view.locator('.completion.session-active .completion-title').innerText();

describe('the list above the box', () => {
  it('opens with @, is moved in and chosen from by keyboard, and leaves a chip and words', async () => {
    const view = await open();
    await view.locator(box).pressSequentially('对照 @');
    await settle(view);
    expect(await view.locator('.completion-title').allInnerTexts()).toEqual(candidates.map(({ title }) => title));
    expect(await view.locator('.completion-group').allInnerTexts()).toEqual(['编辑器里', '章节', '检查点']);
    await view.keyboard.press('ArrowDown');
    await view.keyboard.press('ArrowDown');
    await view.keyboard.press('ArrowUp');
    await settle(view);
    expect(await active(view)).toBe('第一章 雨夜来信');
    await view.keyboard.press('Enter');
    await settle(view);
    expect(await view.locator(box).inputValue()).toBe('对照 @正文/001-雨夜.md ');
    expect(await view.locator('.composer .chip-title').allInnerTexts()).toEqual(['雨夜']);
    expect(await view.locator('.completions').count()).toBe(0);
    await view.keyboard.type('改短');
    await view.keyboard.press('Enter');
    await settle(view);
    expect((await asked(view, 'send')).map((one) => one.body)).toEqual([{ text: '对照 @正文/001-雨夜.md 改短', mentions: [rain] }]);
    expect(await view.locator('.composer .chip').count()).toBe(0);
  });

  it('asks anew when it opens, and with each character, and passes over late answers', async () => {
    const view = await open();
    await view.evaluate(() => { window.liyuanHost.held.add('mentions'); });
    await view.locator(box).pressSequentially('@雨夜');
    const questions = await asked(view, 'mentions');
    expect(questions.map((one) => one.body)).toEqual([{ query: '', fresh: true }, { query: '雨', fresh: false }, { query: '雨夜', fresh: false }]);
    await view.evaluate(([id, items]) => { window.liyuanHost.answer(id, { items }); }, [questions[2]?.id ?? 0, [candidates[1]]] as const);
    await view.evaluate(([id, items]) => { window.liyuanHost.answer(id, { items }); }, [questions[0]?.id ?? 0, candidates] as const);
    await settle(view);
    expect(await view.locator('.completion').count()).toBe(1);
  });

  it('never chooses with half a word: Enter while composing belongs to the input method', async () => {
    const view = await open();
    const cdp = await view.context().newCDPSession(view);
    await view.locator(box).pressSequentially('@');
    await settle(view);
    await cdp.send('Input.imeSetComposition', { text: 'yu', selectionStart: 2, selectionEnd: 2 });
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 });
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', code: 'ArrowDown', windowsVirtualKeyCode: 229 });
    await settle(view);
    expect(await view.locator('.composer .chip').count()).toBe(0);
    expect(await active(view)).toBe('选中的文字');
    expect((await asked(view, 'mentions')).map((one) => one.body['query'])).toEqual(['']);
    await cdp.send('Input.insertText', { text: '雨' });
    await settle(view);
    expect((await asked(view, 'mentions')).at(-1)?.body).toEqual({ query: '雨', fresh: false });
  });

  it('closes on Escape, stays closed at that sign, and Enter sends then', async () => {
    const view = await open();
    await view.locator(box).pressSequentially('问 @');
    await settle(view);
    await view.keyboard.press('Escape');
    await view.keyboard.type('谁');
    await settle(view);
    expect(await view.locator('.completions').count()).toBe(0);
    await view.keyboard.press('Enter');
    await settle(view);
    expect((await asked(view, 'send')).map((one) => one.body)).toEqual([{ text: '问 @谁' }]);
  });

  it('is a list that a screen reader follows from the box', async () => {
    const view = await open();
    await view.locator(box).pressSequentially('@');
    await settle(view);
    const attributes = await view.locator(box).evaluate((one) => ['role', 'aria-expanded', 'aria-autocomplete'].map((name) => one.getAttribute(name)));
    expect(attributes).toEqual(['combobox', 'true', 'list']);
    const option = await view.locator(box).getAttribute('aria-activedescendant');
    expect(await view.locator(`#${option ?? ''}`).getAttribute('aria-selected')).toBe('true');
    expect(await view.getByRole('listbox').getByRole('option').count()).toBe(4);
    expect(await view.locator('.composer [role="status"]').innerText()).toBe('4 choices');
    await view.keyboard.press('Escape');
    await settle(view);
    expect(await view.locator(box).getAttribute('role')).toBeNull();
  });

  it('gives commands with / : the slash goes, the words stay', async () => {
    const view = await open();
    await view.locator(box).pressSequentially('/und');
    await settle(view);
    expect(await view.locator('.completion-sign').allInnerTexts()).toEqual(['/undo']);
    await view.keyboard.press('Tab');
    await settle(view);
    expect(await view.locator(box).inputValue()).toBe('');
    expect((await asked(view, 'undoTurn')).map((one) => one.body)).toEqual([{ turnId: 'u1' }]);
    await view.locator(box).pressSequentially('/model');
    await settle(view);
    await view.locator('.completion').click();
    await settle(view);
    expect((await asked(view, 'command')).map((one) => one.body)).toEqual([{ id: 'model' }]);
    expect(await asked(view, 'send')).toEqual([]);
  });

  it('fits into 300 px, in Chinese and in both colours', async () => {
    const strings = await chineseStrings(chatStrings);
    for (const [theme, words] of [['dark', '@'], ['light', '/']] as const) {
      const view = await open({ width: 300, theme, strings, locale: 'zh-cn' });
      await view.locator(box).pressSequentially(words);
      await settle(view);
      expect(await overflowing(view)).toEqual([]);
      const list = await view.locator('.completions').boundingBox();
      const below = await view.locator(box).boundingBox();
      expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      expect(list?.y ?? -1).toBeGreaterThanOrEqual(0);
      await shot(view, `completion-${theme}-zh-300`);
      await view.close();
    }
  });
});

describe('a mention in the box', () => {
  const draft = { draft: '对照 @正文/001-雨夜.md 和 @正文/001-雨夜.md:3-5 改', draftMentions: [rain, selection] };

  it('is there again with the draft, goes with its words, and by its button', async () => {
    const view = await open({ snapshot: snapshotOf([], draft) });
    expect(await view.locator('.composer .chip-title').allInnerTexts()).toEqual(['雨夜', '001-雨夜, lines 3–5']);
    await view.locator('.chip').first().locator('.chip-remove').click();
    await settle(view);
    expect(await view.locator(box).inputValue()).toBe('对照 和 @正文/001-雨夜.md:3-5 改');
    await expect.poll(async () => (await asked(view, 'saveDraft')).at(-1)?.body).toEqual({ session: 's1', text: '对照 和 @正文/001-雨夜.md:3-5 改', mentions: [selection] });
    await view.locator(box).fill('算了');
    await settle(view);
    expect(await view.locator('.composer .chip').count()).toBe(0);
    await view.reload();
    await settle(view);
    expect(await view.locator(box).inputValue()).toBe('算了');
  });

  it('that was pointed at elsewhere in the window is taken once, where one was typing, with the focus', async () => {
    const view = await open({ snapshot: snapshotOf([]) });
    await view.locator(box).fill('看看');
    await view.locator('.log').focus();
    await view.evaluate((mention) => { window.liyuanHost.answers['takeMentions'] = { mentions: [mention] }; }, selection);
    await view.evaluate(() => { window.liyuanHost.deltas({ op: 'mentionsWait' }); });
    await settle(view);
    expect(await view.locator(box).inputValue()).toBe('看看 @正文/001-雨夜.md:3-5 ');
    expect(await view.locator(box).evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await asked(view, 'send')).toEqual([]);
    await view.keyboard.press('Control+z');
    await settle(view);
    expect(await view.locator('.composer .chip').count()).toBe(0);
  });

  it('opens from the row of the message that it went with', async () => {
    const view = await open({ snapshot: snapshotOf([{ ...user('u1', '改 @正文/001-雨夜.md:3-5'), mentions: [selection] }], { status: idle }) });
    await view.locator('.row .chip-open').click();
    expect((await asked(view, 'openMention')).map((one) => one.body)).toEqual([{ mention: selection }]);
    expect(await view.locator('.row .chip-remove').count()).toBe(0);
  });
});
