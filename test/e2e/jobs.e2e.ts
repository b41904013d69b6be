import assert from 'node:assert/strict';
import { fill, foldOthers } from './harness/chapters';
import { question, quickPick, rowButton } from './harness/history';
import { pane, paneRow } from './harness/panes';
import { sideBarWidth } from './harness/pictures';
import type { Scenario } from './harness/scenario';

export const scenarios: readonly Scenario[] = [
  {
    name: 'wholebook: one instruction for all chapters says what it takes, runs through them, and one chapter is taken back',
    timeoutMs: 240_000,
    async run(context) {
      const workbench = await context.open({ locale: 'zh-cn', colorScheme: 'dark' });
      const { page } = workbench;
      await workbench.container('梨园');
      await foldOthers(page, ['对话', '历史', '章节']);
      await sideBarWidth(page, 300);
      await workbench.command('梨园: 全书批量修改…');
      await fill(page, '全书批量修改', '把全书的「父亲」改成「爹爹」');
      const scope = await quickPick(page, '全书批量修改');
      await workbench.shot('jobs-scope.zh-cn');
      await scope.choose('全书');
      const asked = await question(page);
      assert.match(asked.detail, /「父亲」出现在 8 章里的 4 章，共 5 处/);
      assert.match(asked.detail, /开始之前什么都不会发送/);
      await workbench.shot('jobs-question.zh-cn');
      await asked.answer('只改这 4 章');
      const view = pane(page, '全书批量修改');
      await view.waitFor({ state: 'visible' });
      await page.locator('.notification-toast').filter({ hasText: '全书批量修改做完了' }).waitFor({ state: 'visible', timeout: 60_000 });
      await workbench.shot('jobs-done.zh-cn');
      assert.equal(await view.locator('.monaco-list-row').count(), 4);
      const row = paneRow(view, '+2 / −2');
      await rowButton(row, '撤销这一章');
      await paneRow(view, '已撤销').waitFor({ state: 'visible' });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.locator('.monaco-workbench.vs').waitFor({ state: 'visible' });
      await workbench.shot('jobs-undone-light.zh-cn');
    },
  },
];
