import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { editor, goAfter, openFile, save } from './harness/editors';
import { openChat } from './harness/chat';
import type { Scenario } from './harness/scenario';
import { letter, bureau } from './story';

const paragraph = '潮水退到第三级石阶的时候，巷子里忽然安静下来。';
const statusItem = (page: Page): Locator => page.locator('.statusbar-item').filter({ hasText: /本章|选中/ });

/** Waits until the status bar says this. */
const says = (page: Page, words: string | RegExp): Promise<void> => statusItem(page).filter({ hasText: words }).waitFor({ state: 'visible', timeout: 30_000 });

/** Makes the opened folder a project whose first checkpoint is there. */
function madeProject(folder: string): void {
  fs.mkdirSync(path.join(folder, '.liyuan'), { recursive: true });
  fs.writeFileSync(path.join(folder, '.liyuan/project.json'), `${JSON.stringify({ v: 1, title: '盐渡来信', language: 'zh' }, undefined, 2)}\n`);
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'numbers: what is typed shows in the status bar and the heat map, a paragraph moved to another chapter changes nothing',
    timeoutMs: 240_000,
    async run(context) {
      const workbench = await context.open({ locale: 'zh-cn', colorScheme: 'dark', settings: { 'liyuan.numbers.dailyTarget': 40 } });
      const { page } = workbench;
      madeProject(workbench.folder);
      await openChat(workbench);

      await openFile(page, '001-雨夜来信.md');
      await says(page, '今日 +0 / 40');
      const text = workbench.fileText(letter);
      const last = text.trimEnd().split('\n').at(-1) ?? '';
      await goAfter(page, text, last);
      await page.keyboard.insertText(`\n\n${paragraph}`);
      await says(page, '今日 +23 / 40');
      await save(page, '001-雨夜来信.md');
      await workbench.command('创建检查点');
      await page.locator('.quick-input-widget input[type="text"]').first().waitFor({ state: 'visible' });
      await page.keyboard.press('Enter');
      await says(page, '今日 +23 / 40');
      await workbench.shot('numbers-status-bar');

      await statusItem(page).click();
      let view = await workbench.webview('liyuan-numbers .heat');
      await view.locator('.today-words').filter({ hasText: '23 / 40 字' }).waitFor({ state: 'visible' });
      const cell = (): Locator => view.locator('.heat .day.today');
      assert.match((await cell().getAttribute('aria-label')) ?? '', /：23 字$/);
      await workbench.shot('numbers-view');

      // A cut and a paste, as a writer does it.
      await openFile(page, '001-雨夜来信.md');
      await goAfter(page, workbench.fileText(letter), paragraph);
      await page.keyboard.press('Shift+Home');
      await says(page, '选中 23 字');
      await workbench.shot('numbers-selected');
      await page.keyboard.press('Control+X');
      await save(page, '001-雨夜来信.md');
      await openFile(page, '002-潮信局.md');
      const other = workbench.fileText(bureau);
      await goAfter(page, other, other.trimEnd().split('\n').at(-1) ?? '');
      await page.keyboard.insertText('\n\n');
      await page.keyboard.press('Control+V');
      await editor(page).locator('.view-line').filter({ hasText: paragraph }).waitFor({ state: 'visible' });
      await save(page, '002-潮信局.md');
      assert.ok(workbench.fileText(bureau).includes(paragraph) && !workbench.fileText(letter).includes(paragraph), 'the paragraph has moved');
      await page.keyboard.insertText('没有人知道这是为什么，连老纪也说不上来。');
      await says(page, /今日 \+43 \/ 40/);
      await workbench.shot('numbers-moved');
      await statusItem(page).click();
      view = await workbench.webview('liyuan-numbers .heat');
      await view.locator('.reached').filter({ hasText: '已达目标' }).waitFor({ state: 'visible' });
      assert.equal(await view.locator('.today-words').innerText(), '43 / 40 字');
      assert.match((await cell().getAttribute('aria-label')) ?? '', /：43 字$/);
      await page.locator('.pane-header').filter({ hasText: '字数' }).click();
      await workbench.shot('numbers-both');
    },
  },
];
