import type { Locator, Page } from 'playwright-core';

/** Shows what is below the history's heading; it is folded at first. */
export async function unfoldHistory(page: Page): Promise<void> {
  const header = page.locator('.part.sidebar .pane-header').filter({ has: page.locator('.title', { hasText: /^(?:History|历史)$/ }) }).first();
  await header.waitFor({ state: 'visible' });
  if ((await header.getAttribute('aria-expanded')) !== 'true') await header.click();
}

/** Shows what is below a row. */
export async function unfold(row: Locator): Promise<void> {
  await row.waitFor({ state: 'visible' });
  if ((await row.getAttribute('aria-expanded')) !== 'true') await row.locator('.monaco-tl-twistie').click();
}

/** Presses the inline button of a row, which shows while the pointer is over it. */
export async function rowButton(row: Locator, label: string): Promise<void> {
  await row.hover();
  await row.locator(`.actions .action-label[aria-label^="${label}"]`).click();
}

/** The modal question that is open. */
export interface Question {
  readonly title: string;
  readonly detail: string;
  answer(button: string): Promise<void>;
}

export async function question(page: Page): Promise<Question> {
  const box = page.locator('.monaco-dialog-box');
  await box.waitFor({ state: 'visible' });
  return {
    title: await box.locator('.dialog-message-text').innerText(),
    detail: await box.locator('.dialog-message-detail').innerText(),
    async answer(button) {
      await box.locator('.dialog-buttons .monaco-button').filter({ hasText: button }).click();
      await box.waitFor({ state: 'detached' });
    },
  };
}

/** Chooses an entry of a row's context menu. */
export async function rowMenu(page: Page, row: Locator, label: string): Promise<void> {
  const entry = page.locator('.monaco-menu .action-item').filter({ hasText: label }).first();
  // A list that is filled anew in this moment takes its menu away again.
  for (let tries = 1; !(await entry.isVisible()) && tries <= 10; tries += 1) {
    await row.click({ button: 'right' });
    await entry.waitFor({ state: 'visible', timeout: 3_000 }).catch(() => page.keyboard.press('Escape'));
  }
  await entry.waitFor({ state: 'visible' });
  // A menu takes no clicks in its first moments, but keys at once.
  await entry.hover();
  await page.keyboard.press('Enter');
  await entry.waitFor({ state: 'detached' });
}

/** The list that a command has opened. */
export interface Pick {
  readonly rows: Locator;
  /** The row that Enter would take. */
  readonly active: Locator;
  choose(text: string | RegExp): Promise<void>;
}

export async function quickPick(page: Page, title: string | RegExp): Promise<Pick> {
  const box = page.locator('.quick-input-widget').filter({ has: page.locator('.quick-input-title', { hasText: title }) });
  await box.waitFor({ state: 'visible' });
  const rows = box.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor({ state: 'visible' });
  return {
    rows,
    active: box.locator('.quick-input-list .monaco-list-row.focused'),
    async choose(text) {
      await rows.filter({ hasText: text }).first().click();
      await box.waitFor({ state: 'hidden' });
    },
  };
}

/** A notification that says this. */
export const notice = (page: Page, text: string | RegExp): Locator => page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text }).first();
