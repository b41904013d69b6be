import type { Locator, Page } from 'playwright-core';
import { runCommand } from './workbench';

/** The box of a quick input step whose title contains `title`. */
export async function quickStep(page: Page, title: string): Promise<{ readonly widget: Locator; readonly input: Locator }> {
  const widget = page.locator('.quick-input-widget').filter({ has: page.locator('.quick-input-title', { hasText: title }) });
  const input = widget.locator('input').first();
  await input.waitFor({ state: 'visible' });
  return { widget, input };
}

/** Waits for a row of the list that contains all these words, and gives its text. */
export async function quickRow(widget: Locator, ...words: readonly string[]): Promise<Locator> {
  const row = words.reduce((rows, word) => rows.filter({ hasText: word }), widget.locator('.quick-input-list .monaco-list-row')).first();
  await row.waitFor({ state: 'visible' });
  return row;
}

/** Waits for a notification that contains `words`, and clears it. */
export async function notified(page: Page, words: string): Promise<void> {
  const toast = page.locator('.notification-toast').filter({ hasText: words });
  await toast.waitFor({ state: 'visible' });
  await runCommand(page, 'Notifications: Clear All Notifications');
  await toast.waitFor({ state: 'detached' });
}
