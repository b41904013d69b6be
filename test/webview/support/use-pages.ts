import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser } from '../../e2e/harness/browser';
import { buildApp, openContext, type Bundle } from './page';

/** Opens a page with what it needs. It is closed after its test, in which the content security policy must have held. */
export type OpenPage = (how: (context: BrowserContext, bundle: Bundle) => Promise<Page>) => Promise<Page>;

/** A browser and an app, built as it ships, for the tests of this file. */
export function usePages(app: string): OpenPage {
  let browser: Browser;
  let context: BrowserContext;
  let bundle: Bundle;
  let pages: Page[] = [];

  beforeAll(async () => {
    [browser, bundle] = await Promise.all([launchBrowser(), buildApp(app)]);
    context = await openContext(browser);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
  });
  afterEach(async () => {
    const open = pages.filter((page) => !page.isClosed());
    pages = [];
    const violations = await Promise.all(open.map((page) => page.evaluate(() => window.liyuanHost.violations)));
    await Promise.all(open.map((page) => page.close()));
    expect(violations.flat()).toEqual([]);
  });

  return async (how) => {
    const page = await how(context, bundle);
    pages.push(page);
    return page;
  };
}
