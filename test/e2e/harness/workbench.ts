import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { root } from '../../../scripts/lib/paths.mjs';

/** Where screenshots and logs of a run are kept. */
export const outFolder = path.join(root, 'test/e2e/out');

/**
 * The innermost frame of the webview that holds `selector`. Waits up to `timeoutMs` for it to load; rejects with the addresses
 * of the webviews that were there.
 */
export function webviewFrame(page: Page, selector: string, timeoutMs = 30_000): Promise<Frame> {
  return new Promise((resolve, reject) => {
    const watched = new Set<Frame>();
    const finish = (settle: () => void): void => {
      clearTimeout(late);
      page.off('framenavigated', watch);
      page.off('frameattached', watch);
      settle();
    };
    const watch = (frame: Frame): void => {
      if (watched.has(frame) || !frame.url().includes('/webview/browser/pre/')) return;
      watched.add(frame);
      frame.waitForSelector(selector, { state: 'attached', timeout: timeoutMs }).then(
        () => finish(() => resolve(frame)),
        // This frame went away or never had it: another may still. If none does, the time limit tells.
        () => watched.delete(frame),
      );
    };
    const late = setTimeout(() => {
      const seen = page.frames().map((frame) => frame.url().slice(0, 120)).join('\n  ');
      finish(() => reject(new Error(`No webview with ${selector} within ${timeoutMs} ms. Frames:\n  ${seen}`)));
    }, timeoutMs);
    page.on('framenavigated', watch);
    page.on('frameattached', watch);
    for (const frame of page.frames()) watch(frame);
  });
}

/** Runs a command by its words in the command palette, as a user would. */
export const runCommand = (page: Page, title: string): Promise<void> => fromPalette(page, 'F1', `>${title}`, title);

/**
 * Opens a palette by its key, types, and takes the first row, which holds `title`. A window that is still starting may fill the
 * palette's box anew, or close it: the words are typed again then.
 */
export async function fromPalette(page: Page, key: string, words: string, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input[type="text"]').first();
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first();
  const triesMs = 5_000;
  for (let tries = 1; !(await row.isVisible()); tries += 1) {
    if (!(await input.isVisible())) await page.keyboard.press(key);
    await input.waitFor({ state: 'visible' });
    await input.fill(words);
    await row.waitFor({ state: 'visible', timeout: triesMs }).catch((error: unknown) => {
      if (tries === 6) throw error;
    });
  }
  await page.keyboard.press('Enter');
}

/** What a window shows that may tell why something did not happen: its notices, boxes, and where the keyboard is. */
export async function whatShows(page: Page): Promise<string> {
  const texts = async (kind: string, selector: string): Promise<string[]> => {
    const found = await page.locator(selector).allInnerTexts();
    return found.map((text) => `${kind}: ${text.replace(/\s+/g, ' ').slice(0, 300)}`);
  };
  const focused = await page.locator(':focus').all();
  const focus = (await Promise.all(focused.map((one) => one.evaluate((element) => `${element.tagName}.${element.className}`)))).join(', ');
  return [
    ...(await texts('notice', '.notification-list-item')),
    ...(await texts('dialog', '.monaco-dialog-box')),
    ...(await texts('box', '.quick-input-widget:visible')),
    ...(await texts('chosen row', '.part.sidebar .monaco-list-row.selected')),
    `keyboard: ${focus}`,
  ].join('\n');
}

/** Clicks the icon in the activity bar that carries `title`, and waits until its side bar shows. */
export async function openContainer(page: Page, title: string): Promise<void> {
  const icon = page.locator(`.activitybar .action-item:has(a.action-label[aria-label^="${title}"])`);
  await icon.waitFor({ state: 'visible', timeout: 60_000 });
  const checked = await icon.getAttribute('aria-selected');
  if (checked !== 'true') await icon.locator('a.action-label').click();
  await page.locator('.part.sidebar').waitFor({ state: 'visible' });
}

/** Keeps a picture of the page under `test/e2e/out/<name>.png`. */
export async function shot(page: Page, name: string): Promise<string> {
  fs.mkdirSync(outFolder, { recursive: true });
  const file = path.join(outFolder, `${name}.png`);
  await page.screenshot({ path: file });
  return file;
}
