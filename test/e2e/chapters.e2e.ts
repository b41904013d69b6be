import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { openChat } from './harness/chat';
import { clickRow, fill, foldOthers, rowLabels } from './harness/chapters';
import type { Context } from './harness/context';
import { activeTab } from './harness/editors';
import { notice, quickPick } from './harness/history';
import { pane, paneRow } from './harness/panes';
import { sideBarWidth } from './harness/pictures';
import type { Scenario } from './harness/scenario';

const second = '正文/第二卷 涨潮';

/** The view at 300 px, in both themes. */
async function look(context: Context, locale: 'en' | 'zh-cn', titles: { readonly others: readonly string[]; readonly chapters: string }): Promise<void> {
  const ending = locale === 'en' ? '' : '.zh-cn';
  const workbench = await context.open({ locale, colorScheme: 'light' });
  const { page } = workbench;
  await workbench.container('梨园');
  await foldOthers(page, titles.others);
  await sideBarWidth(page, 300);
  const view = pane(page, titles.chapters);
  await paneRow(view, '第八章 半潮').waitFor({ state: 'visible' });
  await workbench.shot(`chapters-light${ending}`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('.monaco-workbench.vs-dark').waitFor({ state: 'visible' });
  await workbench.shot(`chapters-dark${ending}`);
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'chapters are made, renamed, and brought into another order after a preview, which can be taken back',
    timeoutMs: 240_000,
    async run(context) {
      const workbench = await context.open({ locale: 'zh-cn', colorScheme: 'dark' });
      const { page, folder } = workbench;
      const there = (file: string): boolean => fs.existsSync(path.join(folder, second, file));
      await workbench.container('梨园');
      await foldOthers(page, ['对话', '历史']);
      const view = pane(page, '章节');
      await paneRow(view, '第八章 半潮').waitFor({ state: 'visible' });

      await workbench.command('梨园: 新建一章…');
      await fill(page, '新建一章', '空信袋');
      await paneRow(view, '第九章 空信袋').waitFor({ state: 'visible' });
      assert.equal(workbench.fileText(`${second}/009-空信袋.md`), '# 第九章 空信袋\n\n');

      await clickRow(page, view, '第九章 空信袋');
      await activeTab(page, '009-空信袋.md').waitFor({ state: 'visible' });
      await page.keyboard.press('F2');
      await fill(page, '给这一章改名', '两里海');
      const what = await quickPick(page, '给这一章改名');
      await workbench.shot('chapters-rename.zh-cn');
      await what.choose('文件名和标题');
      await paneRow(view, '第九章 两里海').waitFor({ state: 'visible' });
      assert.equal(workbench.fileText(`${second}/009-两里海.md`), '# 第九章 两里海\n\n');

      await clickRow(page, view, '第九章 两里海');
      await activeTab(page, '009-两里海.md').waitFor({ state: 'visible' });
      await page.keyboard.press('Alt+ArrowUp');
      const plan = await quickPick(page, '移到');
      assert.ok(there('009-两里海.md'), 'nothing is done before the preview is accepted');
      await workbench.shot('chapters-preview.zh-cn');
      await plan.choose('执行');
      await paneRow(view, '第八章 两里海').waitFor({ state: 'visible' });
      assert.ok(there('008-两里海.md') && there('009-半潮.md') && !there('008-半潮.md'));
      assert.match(workbench.fileText(`${second}/009-半潮.md`), /^# 第九章 半潮$/m);

      const told = notice(page, '已调整 2 章');
      await told.waitFor({ state: 'visible' });
      await told.locator('.monaco-button').filter({ hasText: '撤销' }).click();
      await paneRow(view, '第八章 半潮').waitFor({ state: 'visible' });
      assert.ok(there('008-半潮.md') && there('009-两里海.md') && !there('008-两里海.md'));
      const labels = await rowLabels(view);
      assert.deepEqual(labels.slice(-4), ['第七章 顾大人', '第八章 半潮', '第九章 两里海', '大纲']);
    },
  },
  {
    name: 'a chapter is dragged to the place of another one',
    timeoutMs: 180_000,
    async run(context) {
      const workbench = await context.open({ locale: 'en', colorScheme: 'light' });
      const { page, folder } = workbench;
      await workbench.container('梨园');
      await foldOthers(page, ['Conversation', 'History']);
      const view = pane(page, 'Chapters');
      await paneRow(view, '第八章 半潮').waitFor({ state: 'visible' });
      await paneRow(view, '第八章 半潮').dragTo(paneRow(view, '第六章 第四个锤'));
      const plan = await quickPick(page, 'to the place of');
      await workbench.shot('chapters-drag');
      await plan.choose('Apply');
      await paneRow(view, '第六章 半潮').waitFor({ state: 'visible' });
      assert.ok(fs.existsSync(path.join(folder, second, '006-半潮.md')));
    },
  },
  {
    name: 'the view of chapters looks as it should in both languages and themes',
    timeoutMs: 240_000,
    async run(context) {
      await look(context, 'en', { others: ['Conversation', 'History'], chapters: 'Chapters' });
      await look(context, 'zh-cn', { others: ['对话', '历史'], chapters: '章节' });
    },
  },
  {
    name: 'nextchapter: the rehearsal model asks where the next chapter goes, then writes it; nothing when the author stops',
    timeoutMs: 240_000,
    async run(context) {
      const workbench = await context.open({ locale: 'zh-cn', colorScheme: 'dark' });
      const { page, folder } = workbench;
      const chat = await openChat(workbench);
      const open = chat.rows('ask').filter({ has: chat.frame.locator('.ask-option') });

      await workbench.command('梨园: 写下一章…');
      await chat.rows('user').filter({ hasText: '写下一章（第 9 章）' }).waitFor({ state: 'visible' });
      await open.waitFor({ state: 'visible' });
      await workbench.shot('next-chapter-ask.zh-cn');
      await chat.frame.locator('.round-button.stop').click();
      await chat.idle();
      assert.equal(fs.readdirSync(path.join(folder, second)).length, 4, 'nothing was written');

      await workbench.command('梨园: 写下一章…');
      await open.waitFor({ state: 'visible' });
      await open.locator('.ask-option').first().click();
      await chat.idle();
      assert.match(workbench.fileText(`${second}/009-排练.md`), /^# 第九章 排练\n\n（这是排练模型写的短稿/);
      await pane(page, '章节').locator('.pane-header .description').filter({ hasText: '9 章' }).waitFor({ state: 'visible' });
      await workbench.shot('next-chapter-written.zh-cn');
    },
  },
];
