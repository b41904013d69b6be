import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { asked, settle, type OpenOptions } from './support/page';
import { idle, proposal, snapshotOf } from './support/samples';
import { useChat } from './support/use-chat';

const pages = useChat();
const open = (options: Partial<OpenOptions> = {}): Promise<Page> => pages.open([proposal], options);
const decisions = async (view: Page): Promise<readonly unknown[]> => (await asked(view, 'review')).map(({ body }) => body);

describe('the card of what a turn proposes', () => {
  it('compares, accepts and rejects one file, by words that name it', async () => {
    const view = await open();
    const first = view.locator('.proposal-file').first();
    await first.locator('.file').click();
    await view.getByRole('button', { name: 'Accept 001-雨夜来信.md' }).click();
    await settle(view);
    await view.getByRole('button', { name: 'Reject 001-雨夜来信.md' }).click();
    await settle(view);
    expect(await decisions(view)).toEqual([
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
    expect(await decisions(view)).toEqual([{ verb: 'accept', ids: ['p1', 'p3'] }]);
    await view.locator('.proposal-reject-all .confirm-yes').click();
    await settle(view);
    expect((await decisions(view)).at(-1)).toEqual({ verb: 'reject', ids: ['p1', 'p2', 'p3'] });
  });

  it('names a conflict and the three ways on; a rejected one may wait again', async () => {
    const view = await open();
    const conflict = view.locator('.proposal-conflict');
    expect(await conflict.innerText()).toContain('You have changed the same words since.');
    for (const name of ['Compare 正文', 'Keep your own words in', 'Use the proposal for', 'Let 总纲.md wait again']) {
      await view.getByRole('button', { name }).last().click();
      await settle(view);
    }
    expect((await decisions(view)).slice(1)).toEqual([
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
