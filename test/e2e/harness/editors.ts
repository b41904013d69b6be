import type { Locator, Page } from 'playwright-core';
import { fromPalette } from './workbench';

/** Names on the open tabs, in order. */
export async function tabs(page: Page): Promise<readonly string[]> {
  const open = await page.locator('.tabs-container .tab').all();
  return Promise.all(open.map(async (tab) => (await tab.getAttribute('data-resource-name')) ?? ''));
}

/** Opens a file by part of its name, as Ctrl+P does. */
export async function openFile(page: Page, name: string): Promise<void> {
  await fromPalette(page, 'Control+P', name, name);
  await activeTab(page, name).waitFor({ state: 'visible' });
  await editor(page).locator('.view-line').first().waitFor({ state: 'visible' });
}

/** The active text editor. */
export const editor = (page: Page): Locator => page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();

/** Columns a text takes on the screen, which is what Go to Line counts: full-width characters take two. */
const visibleWidth = (text: string): number => [...text].reduce((sum, char) => sum + ((char.codePointAt(0) ?? 0) >= 0x2e80 ? 2 : 1), 0);

/** Puts the cursor of the editor that has the focus right after `quote` in `text`, which is what the editor holds. */
export async function goAfter(page: Page, text: string, quote: string): Promise<void> {
  const at = text.indexOf(quote);
  if (at < 0 || text.includes(quote, at + 1)) throw new Error(`Not exactly once in the text: ${quote}`);
  const before = text.slice(0, at + quote.length).split('\n');
  const input = page.locator('.quick-input-widget input[type="text"]').first();
  for (let tries = 1; ; tries += 1) {
    await page.keyboard.press('Control+G');
    await input.waitFor({ state: 'visible' });
    await input.fill(`:${before.length}:${visibleWidth(before.at(-1) ?? '') + 1}`);
    // An editor that is drawn may not be the active one for the workbench yet.
    const early = (await input.getAttribute('aria-label'))?.startsWith('Open a text editor first') === true && tries < 10;
    await page.keyboard.press(early ? 'Escape' : 'Enter');
    await input.waitFor({ state: 'hidden' });
    if (!early) return;
  }
}

/** The whole text of an editor, unsaved words included, through the clipboard. The cursor does not stay. */
export async function textOf(page: Page, where: Locator): Promise<string> {
  await where.locator('.view-lines').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Control+C');
  return page.evaluate<string>('navigator.clipboard.readText()');
}

/** The two sides of the diff that is open. */
export async function diffTexts(page: Page): Promise<{ readonly before: string; readonly after: string }> {
  const diff = page.locator('.monaco-diff-editor');
  await diff.locator('.editor.modified .view-line').first().waitFor({ state: 'visible' });
  const before = await textOf(page, diff.locator('.editor.original'));
  const after = await textOf(page, diff.locator('.editor.modified'));
  return { before, after };
}

/** The tab of this name that is in front. */
export const activeTab = (page: Page, name: string): Locator => page.locator('.tabs-container .tab.active').filter({ hasText: name });

/** The tab of this name while its file has unsaved words. */
export const dirtyTab = (page: Page, name: string): Locator => page.locator('.tabs-container .tab.dirty').filter({ hasText: name });

/** Ctrl+S, and waits until the tab says that it is saved. */
export async function save(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+S');
  await dirtyTab(page, name).waitFor({ state: 'detached' });
}
