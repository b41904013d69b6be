import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { ServedRequest } from '../fakes/model-server/script';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { editor, goAfter, openFile, save, textOf } from './harness/editors';
import type { Scenario } from './harness/scenario';
import { keyEnv, knock, letter, modelSettings } from './story';

const list = '设定/禁用词.txt';
const forbidden = { ...knock, new: '闷得仿佛有人在水底下敲门' };
const system = (request: ServedRequest | undefined): string => JSON.stringify(request?.body?.messages?.[0] ?? '');

export const scenarios: readonly Scenario[] = [
  {
    name: 'a forbidden word that the agent writes shows in the card and in the chapter, one click changes it; the list is switched off in the chat',
    timeoutMs: 180_000,
    async run(context) {
      const server = await startModelServer({
        script: (_, n) => (n === 1 ? { calls: [{ name: 'edit', args: { edits: [forbidden] } }] } : { text: '好。' }),
      });
      context.defer(() => server.close());
      const workbench = await context.open({ locale: 'zh-cn', colorScheme: 'light', settings: modelSettings(server.baseUrl), env: keyEnv });
      const { page } = workbench;
      const chat = await openChat(workbench);

      await workbench.command('梨园: 打开或新建禁用词');
      await page.locator('.tab.active').filter({ hasText: '禁用词.txt' }).waitFor({ state: 'visible' });
      await editor(page).locator('.view-lines').click();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText('仿佛 → 像\n宛如\n');
      await save(page, '禁用词.txt');
      assert.match(fs.readFileSync(path.join(workbench.folder, list), 'utf8'), /^# 一行一个词/);

      await chat.turn('钟声改得像敲门。');
      assert.ok(system(server.requests[0]).includes('作者不要这些词出现在正文里（箭头后是可换的说法）：仿佛 → 像、宛如'), 'the agent is told');
      const told = JSON.stringify(server.requests[1]?.body?.messages?.at(-1) ?? '');
      assert.match(told, /forbidden.*仿佛/, 'the receipt says what was found');
      await chat.rows('changes').locator('.file-forbidden').waitFor({ state: 'visible' });
      assert.match(await chat.rows('changes').locator('.file-forbidden').innerText(), /禁用词：仿佛（第 \d+ 行）/);

      await openFile(page, '001-雨夜来信.md');
      await goAfter(page, workbench.fileText(letter), '闷得仿佛');
      await page.locator('.monaco-editor .squiggly-info').first().waitFor({ state: 'attached' });
      await workbench.shot('forbidden-word');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Control+.');
      const fix = page.locator('.action-widget').getByText('换成「像」');
      await fix.waitFor({ state: 'visible' });
      await workbench.shot('forbidden-word-fix');
      await fix.click();
      await page.locator('.monaco-editor .squiggly-info').first().waitFor({ state: 'detached' });
      assert.ok((await textOf(page, editor(page))).includes('闷得像有人在水底下敲门'));
      await save(page, '001-雨夜来信.md');

      await chat.frame.locator('.toggles-button').click();
      const row = chat.frame.locator('.toggle-row[data-id="rules.forbidden"]');
      await row.locator('input').click();
      await row.locator('input:not(:checked)').waitFor({ state: 'visible' });
      assert.match(await row.locator('.toggle-cost').innerText(), /^2 个词 · \d+ 个 token$/);
      await workbench.shot('toggles');
      await page.keyboard.press('Escape');
      await chat.turn('再看看。');
      assert.ok(!system(server.requests.at(-1)).includes('作者不要这些词'), 'from the next turn on the agent is not told');
      assert.deepEqual((JSON.parse(workbench.fileText('.liyuan/project.json')) as { rules?: unknown }).rules, { forbidden: false });
    },
  },
];
