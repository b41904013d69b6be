import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { SessionHit, SessionRow } from '../../src/protocol/chat';
import { byDay } from '../../webview/chat/session-days';
import { asked, settle } from './support/page';
import { fullTurn, snapshotOf } from './support/samples';
import { useChat } from './support/use-chat';

const { open, pictures } = useChat();

const day = 86_400_000;
const row = (n: number, title: string, change: Partial<SessionRow> = {}): SessionRow => ({ id: `s${n}`, title, updatedAt: Date.now() - n * day, current: n === 0, deleted: false, ...change });
const rows: readonly SessionRow[] = [row(0, '第一卷 修订'), row(1, '人物小传：阿满'), row(2, '大纲讨论'), row(3, '改名', { deleted: true })];
const hit: SessionHit = { id: 's1', count: 3, before: '阿满把', match: '铜哨', after: '塞回口袋' };

async function list(view: Page, sessions: readonly SessionRow[] = rows, hits: readonly SessionHit[] = []): Promise<void> {
  await view.evaluate(([shown, found]) => {
    window.liyuanHost.answers['sessions'] = { sessions: shown };
    window.liyuanHost.answers['searchSessions'] = { hits: found };
  }, [sessions, hits] as const);
  await view.locator('.session-button').click();
  await settle(view);
}

const titles = (view: Page): Promise<string[]> => view.locator('.session-title').allTextContents();

describe('the list of conversations', () => {
  it('is in groups by day, without those that were deleted', async () => {
    const view = await open(fullTurn);
    await list(view);
    expect(await titles(view)).toEqual(['第一卷 修订', '人物小传：阿满', '大纲讨论']);
    expect((await view.locator('.session-date').allTextContents()).slice(0, 2)).toEqual(['today', 'yesterday']);
  });

  it('is searched in titles at once and in what was said a moment later, with the words around', async () => {
    const view = await open(fullTurn);
    await list(view, rows, [hit]);
    await view.keyboard.type('大纲');
    await settle(view);
    expect(await titles(view)).toEqual(['大纲讨论']);
    await view.locator('.session-search').evaluate((field: HTMLElement & { value: string }) => { field.value = '铜哨'; field.dispatchEvent(new Event('input')); });
    await view.locator('.session-hit').waitFor();
    expect(await titles(view)).toEqual(['人物小传：阿满']);
    expect(await view.locator('.session-hit').textContent()).toBe('阿满把铜哨塞回口袋');
    expect(await view.locator('.session-time').textContent()).toBe('3 places');
    expect((await asked(view, 'searchSessions')).at(-1)?.body).toEqual({ text: '铜哨' });
    await view.keyboard.press('Enter');
    expect((await asked(view, 'openSession')).map((one) => one.body)).toEqual([{ id: 's1' }]);
  });

  it('renames one in place with F2; Escape gives up and leaves the list open', async () => {
    const view = await open(fullTurn);
    await list(view);
    await view.keyboard.press('ArrowDown');
    await view.keyboard.press('F2');
    await view.locator('.session-title-box').fill('阿满的来历');
    await view.keyboard.press('Enter');
    await settle(view);
    expect((await asked(view, 'renameSession')).map((one) => one.body)).toEqual([{ id: 's1', title: '阿满的来历' }]);
    await view.keyboard.press('F2');
    await view.locator('.session-title-box').fill('不要');
    await view.keyboard.press('Escape');
    await settle(view);
    expect(await asked(view, 'renameSession')).toHaveLength(1);
    expect(await view.locator('.sessions').count()).toBe(1);
  });

  it('deletes one softly, with the way back at hand; the deleted ones have a list of their own', async () => {
    const view = await open(fullTurn);
    await list(view);
    await view.locator('.session-line').nth(1).hover();
    await view.locator('.session-delete').nth(1).click();
    await settle(view);
    expect((await asked(view, 'deleteSession')).map((one) => one.body)).toEqual([{ id: 's1' }]);
    expect(await view.locator('.sessions-foot').textContent()).toContain('“人物小传：阿满” was deleted');
    await view.locator('.sessions-undo').click();
    await settle(view);
    expect((await asked(view, 'restoreSession')).map((one) => one.body)).toEqual([{ id: 's1' }]);
    await view.locator('.bin-open').click();
    await settle(view);
    expect(await titles(view)).toEqual(['改名']);
    await view.locator('.session-line').hover();
    await view.locator('.session-restore').click();
    await settle(view);
    expect((await asked(view, 'restoreSession')).at(-1)?.body).toEqual({ id: 's3' });
    await view.locator('.bin-leave').click();
    await settle(view);
    expect(await titles(view)).toHaveLength(3);
  });

  it('stays as it is when the host says no', async () => {
    const view = await open(fullTurn);
    await list(view);
    await view.evaluate(() => { window.liyuanHost.refusals['deleteSession'] = '有一轮正在进行'; });
    await view.locator('.session-line').first().hover();
    await view.locator('.session-delete').first().click();
    await settle(view);
    expect(await view.locator('.sessions-undo').count()).toBe(0);
    expect(await titles(view)).toHaveLength(3);
  });

  it('of 500 is there and filtered in a moment', async () => {
    const view = await open([]);
    await list(view, Array.from({ length: 500 }, (_, n) => row(n, n === 321 ? '雾里的钟' : `对话 ${n}`)));
    expect(await view.locator('.session').count()).toBe(500);
    const took = await view.evaluate(async () => {
      const menu = document.querySelector('liyuan-session-menu') as HTMLElement & { query: string; updateComplete: Promise<unknown> };
      const since = performance.now();
      menu.query = '雾里';
      await menu.updateComplete;
      return performance.now() - since;
    });
    expect(await titles(view)).toEqual(['雾里的钟']);
    expect(took).toBeLessThan(300);
  });

  it('has pictures', async () => {
    await pictures('sessions-search', { snapshot: snapshotOf(fullTurn) }, async (view) => {
      await list(view, rows, [hit]);
      await view.locator('.session-search').evaluate((field: HTMLElement & { value: string }) => { field.value = '满'; field.dispatchEvent(new Event('input')); });
      await view.locator('.session-hit').waitFor();
    });
    await pictures('sessions-list', { snapshot: snapshotOf(fullTurn) }, async (view) => {
      await list(view, [...rows, ...Array.from({ length: 14 }, (_, n) => row(n * 40 + 9, `一次关于第 ${n + 2} 章的长谈，说到了许多别的事`))]);
      await view.locator('.session-line').nth(1).hover();
    });
  }, 90_000);
});

describe('days', () => {
  it('are named as people name them, the year only where it is another', () => {
    const now = new Date(2026, 4, 3, 9, 0).getTime();
    const at = (...time: readonly [number, number, number, number]): SessionRow => row(0, 'x', { updatedAt: new Date(...time).getTime() });
    const days = byDay([at(2026, 4, 4, 1), at(2026, 4, 3, 1), at(2026, 4, 2, 23), at(2026, 3, 30, 5), at(2025, 11, 31, 5)], now, 'zh-cn');
    expect(days.map((one) => [one.label, one.rows.length])).toEqual([['今天', 2], ['昨天', 1], ['4月30日周四', 1], ['2025年12月31日', 1]]);
  });
});
