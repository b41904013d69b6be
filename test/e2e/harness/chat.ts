import assert from 'node:assert/strict';
import type { Frame, Locator } from 'playwright-core';
import type { Workbench } from './context';

type Kind = 'user' | 'steer' | 'assistant' | 'tool' | 'ask' | 'changes' | 'proposal' | 'notice' | 'interrupted' | 'summary';

/** The chat view and a user's hands in it. Stands for one life of the view: after a reload, open it again. */
export interface Chat {
  readonly frame: Frame;
  readonly box: Locator;
  rows(kind: Kind): Locator;
  /** Puts words into the box by the keyboard, where they stay. */
  write(words: string): Promise<void>;
  /** Writes words, presses Enter, and waits until they stand in the conversation: the turn runs. */
  say(words: string): Promise<void>;
  /** Waits until no turn runs. */
  idle(): Promise<void>;
  /** A whole turn. */
  turn(words: string): Promise<void>;
  /** Title and note of each tool card, in order. */
  tools(): Promise<readonly (readonly [title: string, note: string])[]>;
  /** What a file's row in the newest card of changes says, e.g. `001.md 正文 +2 −2`. */
  changedFiles(): Promise<readonly string[]>;
  /** Waits until the words in the box are these. Rejects with what stands there instead. */
  boxHolds(words: string, timeoutMs?: number): Promise<void>;
  /** Whether what is typed now goes into the box. */
  boxHasFocus(): Promise<boolean>;
}

/** Runs in the page. */
const isActive = (element: { readonly ownerDocument: { readonly activeElement: unknown } }): boolean => element.ownerDocument.activeElement === element;

/** Runs in the page. */
const fontsArrive = (body: { readonly ownerDocument: { readonly fonts: { readonly ready: Promise<unknown> } } }): Promise<void> =>
  body.ownerDocument.fonts.ready.then(() => undefined);

const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Opens the view container and its chat. */
export async function openChat(workbench: Workbench): Promise<Chat> {
  await workbench.container('梨园');
  const frame = await workbench.webview('liyuan-chat');
  const { page } = workbench;
  const box = frame.locator('textarea.composer-box');
  await box.waitFor({ state: 'visible' });
  // For whoever takes a picture: the icons are there, and no tooltip of the icon that was clicked.
  await page.mouse.move(640, 796);
  await frame.locator('body').evaluate(fontsArrive);
  const rows = (kind: Kind): Locator => frame.locator(`.row[data-kind="${kind}"]`);

  const chat: Chat = {
    frame,
    box,
    rows,
    async write(text) {
      await box.click();
      await page.keyboard.insertText(text);
    },
    async say(text) {
      const before = await rows('user').count();
      await chat.write(text);
      await page.keyboard.press('Enter');
      await rows('user').nth(before).waitFor({ state: 'visible' });
    },
    async idle() {
      await frame.locator('.round-button.stop').waitFor({ state: 'detached' });
    },
    async turn(text) {
      await chat.say(text);
      await chat.idle();
    },
    async tools() {
      const cards = await rows('tool').all();
      return Promise.all(
        cards.map(async (card) => {
          const note = card.locator('.tool-note');
          return [words(await card.locator('.tool-title').innerText()), (await note.count()) === 0 ? '' : words(await note.innerText())] as const;
        }),
      );
    },
    async changedFiles() {
      const files = await rows('changes').last().locator('.file').all();
      return Promise.all(files.map(async (file) => (await file.locator('.file-base, .file-folder, .file-counts').allInnerTexts()).map(words).join(' ')));
    },
    async boxHolds(text, timeoutMs = 10_000) {
      // Not by waiting for a function in the page: the page's content policy allows none to be made from text.
      const until = Date.now() + timeoutMs;
      while ((await box.inputValue()) !== text && Date.now() < until) await page.waitForTimeout(50);
      assert.equal(await box.inputValue(), text);
    },
    async boxHasFocus() {
      if (!(await box.evaluate(isActive))) return false;
      for (let inner: Frame | null = frame; inner?.parentFrame(); inner = inner.parentFrame()) {
        if (!(await (await inner.frameElement()).evaluate(isActive))) return false;
      }
      return true;
    },
  };
  return chat;
}
