import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../e2e/harness/browser';
import { asked, buildChat, openChat, openContext, settle, type Bundle, type OpenOptions } from './support/page';
import { idle, proposal, snapshotOf } from './support/samples';

let browser: Browser;
let context: BrowserContext;
let bundle: Bundle;
let page: Page;

beforeAll(async () => {
  [browser, bundle] = await Promise.all([launchBrowser(), buildChat()]);
  context = await openContext(browser);
}, 60_000);

afterAll(async () => {
  await browser.close();
});

afterEach(async () => {
  await page.close();
});

async function open(options: Partial<OpenOptions> = {}): Promise<Page> {
  page = await openChat(context, bundle, { snapshot: snapshotOf([proposal]), ...options });
  return page;
}

const decisions = async (): Promise<readonly unknown[]> => (await asked(page, 'review')).map(({ body }) => body);

describe('the card of what a turn proposes', () => {
  it('compares, accepts and rejects one file, by words that name it', async () => {
    const view = await open();
    const first = view.locator('.proposal-file').first();
    await first.locator('.file').click();
    await view.getByRole('button', { name: 'Accept 001-雨夜来信.md' }).click();
    await settle(view);
    await view.getByRole('button', { name: 'Reject 001-雨夜来信.md' }).click();
    await settle(view);
    expect(await decisions()).toEqual([
      { verb: 'open', ids: ['p1'] },
      { verb: 'accept', ids: ['p1'] },
      { verb: 'reject', ids: ['p1'] },
    ]);
  });

  it('accepts all that can be accepted, and asks before it rejects all that waits', async () => {
    const view = await open();
    await view.locator('.proposal-accept-all').click();
    await settle(view);
    await view.locator('.proposal-reject-all').getByText('Reject all').click();
    expect(await decisions()).toEqual([{ verb: 'accept', ids: ['p1', 'p3'] }]);
    await view.locator('.proposal-reject-all .confirm-yes').click();
    await settle(view);
    expect((await decisions()).at(-1)).toEqual({ verb: 'reject', ids: ['p1', 'p2', 'p3'] });
  });

  it('names a conflict and the three ways on; a rejected one may wait again', async () => {
    const view = await open();
    const conflict = view.locator('.proposal-conflict');
    expect(await conflict.innerText()).toContain('You have changed the same words since.');
    for (const name of ['Compare 正文', 'Keep your own words in', 'Use the proposal for', 'Let 总纲.md wait again']) {
      await view.getByRole('button', { name }).last().click();
      await settle(view);
    }
    expect((await decisions()).slice(1)).toEqual([
      { verb: 'reject', ids: ['p2'] },
      { verb: 'use', ids: ['p2'] },
      { verb: 'reopen', ids: ['p5'] },
    ]);
  });

  it('follows what is decided elsewhere, and decides nothing where the session is only read', async () => {
    const view = await open({ snapshot: snapshotOf([proposal], { status: { ...idle, readOnly: true, readOnlyReason: 'elsewhere' } }) });
    expect(await view.getByRole('button', { name: 'Accept 001-雨夜来信.md' }).isDisabled()).toBe(true);
    await view.evaluate((item) => { window.liyuanHost.deltas({ op: 'put', item }); }, { ...proposal, files: proposal.files.map((file) => ({ ...file, state: 'accepted' as const, rejected: 0 })) });
    await settle(view);
    expect(await view.locator('.proposal-state').allInnerTexts()).toEqual(proposal.files.map(() => 'accepted'));
    expect(await view.locator('.proposal-accept-all').count()).toBe(0);
  });
});
