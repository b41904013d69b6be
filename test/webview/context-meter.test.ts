import { describe, expect, it } from 'vitest';
import type { ContextReport } from '../../src/protocol/chat';
import { asked, settle } from './support/page';
import { fullTurn, idle, snapshotOf } from './support/samples';
import { useChat } from './support/use-chat';

const { open, pictures } = useChat();

const report: ContextReport = {
  window: 128_000,
  reserved: 8_192,
  parts: [
    { part: 'rules', tokens: 640 },
    { part: 'project-rules', tokens: 210 },
    { part: 'facts', tokens: 60 },
    { part: 'tools', tokens: 1_900 },
    { part: 'history', tokens: 21_400 },
    { part: 'state', tokens: 820 },
    { part: 'words', tokens: 34 },
  ],
  total: { input: 182_300, cached: 120_000, output: 9_400, calls: 21 },
  turns: Array.from({ length: 6 }, (_, n) => ({ turnId: `t${n}`, text: `把第 ${n + 1} 章改得更安静一些，别让她笑`, input: 31_000 - n, cached: 24_000, output: 1_200, calls: 3 })),
};
const withUsage = (input: number): Parameters<typeof snapshotOf>[1] => ({ status: { ...idle, usage: { input, output: 600, window: 128_000, reserved: 8_192 } } });

describe('the meter of the window', () => {
  it('says how full it is, and is red when it is almost full, with what is kept for the answer', async () => {
    const view = await open(fullTurn, { snapshot: snapshotOf(fullTurn, withUsage(24_400)) });
    expect(await view.locator('.meter').getAttribute('aria-label')).toBe('Context: 20 % of the window is taken, 25k of 128k tokens. Show what it is made of');
    expect(await view.locator('.meter-near').count()).toBe(0);
    await view.evaluate((status) => { window.liyuanHost.deltas({ op: 'status', status }); }, withUsage(108_000)?.status as never);
    await settle(view);
    expect(await view.locator('.meter-near').count()).toBe(1);
  });

  it('says that figures are estimates where the service gives none', async () => {
    const status = withUsage(24_400)?.status;
    const view = await open(fullTurn, { snapshot: snapshotOf(fullTurn, { status: { ...idle, ...status, usage: { input: 24_400, output: 600, window: 128_000, estimated: true } } }) });
    await view.evaluate((body) => { window.liyuanHost.answers['contextReport'] = { report: body }; }, report);
    await view.locator('.meter').click();
    await settle(view);
    expect(await view.locator('.meter-popup').innerText()).toContain('This model’s service gives no figures; what was used is estimated.');
  });

  it('is not there before the first call', async () => {
    const view = await open([]);
    expect(await view.locator('.meter').count()).toBe(0);
  });

  it('opens what the newest call was made of, by part with its share, and what was used; asks anew after each call and not in between', async () => {
    const view = await open(fullTurn, { snapshot: snapshotOf(fullTurn, withUsage(24_400)) });
    await view.evaluate((body) => { window.liyuanHost.answers['contextReport'] = { report: body }; }, report);
    await view.locator('.meter').focus();
    await view.keyboard.press('Enter');
    await settle(view);
    expect(await view.locator('[data-part="history"]').innerText()).toMatch(/Conversation so far\s+21,400 tokens, 17 %/);
    expect(await view.locator('[data-part="reserved"]').innerText()).toMatch(/8,192 tokens, 6 %/);
    expect(await view.locator('[data-part="free"]').innerText()).toMatch(/94,744 tokens, 74 %/);
    expect(await view.locator('.meter-table tbody tr').first().innerText()).toMatch(/In all\s+182,300\s+120,000\s+9,400/);
    expect(await asked(view, 'contextReport')).toHaveLength(1);
    expect(await view.locator('.meter-popup .hint').innerText()).toBe('As counted here; the service may count a little otherwise.');
    await view.evaluate((body) => { window.liyuanHost.answers['contextReport'] = { report: { ...body, calibrated: true } }; }, report);
    await view.evaluate((status) => { window.liyuanHost.deltas({ op: 'status', status }); }, withUsage(30_000)?.status as never);
    await settle(view);
    expect(await asked(view, 'contextReport')).toHaveLength(2);
    expect(await view.locator('.meter-popup .hint').innerText()).toBe('Counted as this model counts, learned from what its service said.');
    await view.keyboard.press('Escape');
    await settle(view);
    expect(await view.locator('.meter-popup').count()).toBe(0);
    expect(await view.locator('.meter').evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('has pictures', async () => {
    await pictures('context-meter', { snapshot: snapshotOf(fullTurn, withUsage(114_000)), height: 800 }, async (view) => {
      await view.evaluate((body) => { window.liyuanHost.answers['contextReport'] = { report: body }; }, report);
      await view.locator('.meter').click();
      await view.locator('.meter-table').waitFor();
    });
  }, 60_000);
});
