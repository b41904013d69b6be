import type { Locator, Page } from 'playwright-core';
import { paneRow } from './panes';

/** The labels of the rows that are drawn, from the top. */
export async function rowLabels(view: Locator): Promise<readonly string[]> {
  const rows = await view.locator('.monaco-list-row').all();
  const placed = await Promise.all(rows.map(async (row) => [Number(await row.getAttribute('data-index')), (await row.locator('.label-name').first().innerText()).trim()] as const));
  return placed.sort(([a], [b]) => a - b).map(([, label]) => label);
}

/** Answers the box that asks for words. */
export async function fill(page: Page, title: string, words: string): Promise<void> {
  const box = page.locator('.quick-input-widget').filter({ has: page.locator('.quick-input-title', { hasText: title }) });
  await box.waitFor({ state: 'visible' });
  await box.locator('input[type="text"]').first().fill(words);
  await page.keyboard.press('Enter');
}

/** Folds the views that stand beside the chapters, so that those have room. */
export async function foldOthers(page: Page, titles: readonly string[]): Promise<void> {
  for (const title of titles) await foldPane(page, title);
}

async function foldPane(page: Page, title: string): Promise<void> {
  const header = page.locator('.part.sidebar .pane-header').filter({ has: page.locator('.title', { hasText: title }) }).first();
  if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
}

/** Clicks a row once no tooltip of another one lies over it. */
export async function clickRow(page: Page, view: Locator, text: string): Promise<void> {
  await page.mouse.move(900, 400);
  await page.locator('.monaco-hover:visible').first().waitFor({ state: 'detached' });
  await paneRow(view, text).click();
}
