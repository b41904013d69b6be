import type { Locator, Page } from 'playwright-core';

/** A view of the side bar. `title` as in the display language. */
export function pane(page: Page, title: string): Locator {
  return page.locator('.part.sidebar .pane').filter({ has: page.locator('.pane-header .title', { hasText: title }) });
}

/** Row of a view whose words contain `text`; the first when several do. */
export function paneRow(view: Locator, text: string | RegExp): Locator {
  return view.locator('.monaco-list-row').filter({ hasText: text }).first();
}
