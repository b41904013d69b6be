import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openChat } from './harness/chat';
import { quickRow, quickStep } from './harness/model-setup';
import { freshNovel, removeNovel } from './harness/novel';
import type { Scenario } from './harness/scenario';

export const scenarios: readonly Scenario[] = [
  {
    name: 'a folder of plain chapters: nothing is written until one asks for a project, then the conversation is there',
    timeoutMs: 180_000,
    async run(context) {
      const folder = freshNovel();
      context.defer(() => { removeNovel(folder); });
      fs.rmSync(path.join(folder, '.liyuan'), { recursive: true });
      const workbench = await context.open({ folder });
      const { page } = workbench;
      await workbench.container('梨园');
      const frame = await workbench.webview('liyuan-chat');
      const setUp = frame.locator('.create-project');
      await setUp.waitFor({ state: 'visible' });
      assert.equal(fs.existsSync(path.join(folder, '.liyuan')), false);
      await workbench.shot('opens-no-project');

      await setUp.click();
      const title = await quickStep(page, 'Set up a project: title');
      assert.equal(await title.input.inputValue(), '盐渡来信');
      await page.keyboard.press('Enter');
      const language = await quickStep(page, 'Set up a project: language');
      await (await quickRow(language.widget, '中文')).click();
      const chat = await openChat(workbench);
      await chat.frame.locator('.welcome h2').waitFor({ state: 'visible' });
      const [log, heading] = await Promise.all([chat.frame.locator('.log').boundingBox(), chat.frame.locator('.welcome h2').boundingBox()]);
      assert.ok(log !== null && heading !== null && heading.y >= log.y, 'the welcome is read from its top');
      const { title: kept, language: written } = JSON.parse(workbench.fileText('.liyuan/project.json')) as { readonly title: string; readonly language: string };
      assert.deepEqual([kept, written], ['盐渡来信', 'zh']);
      await workbench.shot('opens-project');
    },
  },
  {
    name: 'a folder with texts at its root becomes a project: it asks where the chapters are, and moves them when told to',
    timeoutMs: 120_000,
    async run(context) {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-plain-'));
      context.defer(() => { fs.rmSync(folder, { recursive: true, force: true }); });
      for (const [name, text] of Object.entries({ '第一章.txt': '雨下了一夜。\n', '第二章.txt': '天亮了。\n', '大纲.md': '# 大纲\n' })) fs.writeFileSync(path.join(folder, name), text);
      const workbench = await context.open({ folder });
      const { page } = workbench;
      await workbench.container('梨园');
      const frame = await workbench.webview('liyuan-chat');
      await frame.locator('.create-project').click();
      await quickStep(page, 'Set up a project: title');
      await page.keyboard.press('Enter');
      await (await quickRow((await quickStep(page, 'Set up a project: language')).widget, '中文')).click();
      const { widget } = await quickStep(page, 'Set up a project: where are the chapters?');
      assert.match(await widget.innerText(), /第一章\.txt\s+第二章\.txt/);
      await workbench.shot('opens-where-chapters');
      await (await quickRow(widget, 'Move the texts of this folder into 正文/')).click();
      await page.locator('.notification-list-item', { hasText: 'Chapters in 正文/: 2.' }).waitFor({ state: 'visible' });
      assert.deepEqual(fs.readdirSync(path.join(folder, '正文')).sort(), ['第一章.txt', '第二章.txt']);
      assert.ok(fs.existsSync(path.join(folder, '大纲.md')));
      assert.equal(workbench.fileText('正文/第一章.txt'), '雨下了一夜。\n');
      await openChat(workbench);
    },
  },
  {
    name: 'a novel in several volumes and a loose chapter stays one novel: all of it goes into 正文/, and nothing else does',
    timeoutMs: 120_000,
    async run(context) {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-volumes-'));
      context.defer(() => { fs.rmSync(folder, { recursive: true, force: true }); });
      for (const name of ['卷一/001 雪夜.txt', '卷二/002 山门.txt', '设定集/人物.md', '003 试剑.txt', '004 外门.txt', '随手记.txt']) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        fs.writeFileSync(path.join(folder, name), '雪。\n');
      }
      const workbench = await context.open({ folder, locale: 'zh-cn' });
      const { page } = workbench;
      await workbench.container('梨园');
      const frame = await workbench.webview('liyuan-chat');
      await frame.locator('.create-project').click();
      await quickStep(page, '建立项目：书名');
      await page.keyboard.press('Enter');
      await (await quickRow((await quickStep(page, '建立项目：小说所用的语言')).widget, '中文')).click();
      const { widget } = await quickStep(page, '建立项目：章节在哪里？');
      await (await quickRow(widget, '把各卷和散放的章节移进 正文/')).click();
      await page.locator('.notification-list-item', { hasText: '正文/ 里有 4 章' }).waitFor({ state: 'visible' });
      assert.deepEqual(fs.readdirSync(path.join(folder, '正文')).sort(), ['003 试剑.txt', '004 外门.txt', '卷一', '卷二']);
      assert.deepEqual(fs.readdirSync(folder).filter((name) => !name.startsWith('.')).sort(), ['正文', '设定集', '随手记.txt'].sort());
    },
  },
];
