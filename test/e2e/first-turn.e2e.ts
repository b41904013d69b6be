import assert from 'node:assert/strict';
import type { Scenario } from './harness/scenario';

export const scenarios: readonly Scenario[] = [
  {
    name: 'in Chinese: a turn edits a chapter without opening a tab, the history lists it, its diff opens',
    timeoutMs: 240_000,
    async run(context) {
      const workbench = await context.open({ locale: 'zh-cn' });
      const { page } = workbench;
      await workbench.container('梨园');
      const chat = await workbench.webview('liyuan-chat');
      const composer = chat.locator('textarea').first();
      await composer.fill('在第一章里把「灯是看不见的」改成「灯照不了多远」');
      await composer.press('Enter');
      const changes = chat.getByText('本轮改动').first();
      await changes.waitFor({ state: 'visible', timeout: 90_000 });
      assert.ok(workbench.fileText('正文/第一卷 退潮/001-雨夜来信.md').includes('灯照不了多远'));
      assert.equal(await page.locator('.tabs-container .tab').count(), 0, 'no tab was opened');
      await workbench.shot('first-turn-chat');

      const row = page.locator('.pane-body .monaco-list-row').filter({ hasText: '在第一章里把' }).first();
      await row.waitFor({ state: 'visible', timeout: 60_000 });
      await row.locator('.monaco-tl-twistie').click();
      const file = page.locator('.pane-body .monaco-list-row').filter({ hasText: '001-雨夜来信.md' }).first();
      await file.waitFor({ state: 'visible', timeout: 30_000 });
      await file.click();
      await page.locator('.monaco-diff-editor .modified .view-line').filter({ hasText: '灯照不了多远' }).first().waitFor({ state: 'visible', timeout: 60_000 });
      await page.locator('.monaco-diff-editor .original .view-line').filter({ hasText: '灯是看不见的' }).first().waitFor({ state: 'visible' });
      await workbench.shot('first-turn-history');
    },
  },
];
