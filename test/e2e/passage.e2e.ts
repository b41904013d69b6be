import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { dirtyTab, editor, goAfter, openFile, tabs, textOf } from './harness/editors';
import type { Scenario } from './harness/scenario';
import { runCommand } from './harness/workbench';
import { edited, keyEnv, letter, modelSettings, type Edit } from './story';

const quote = '沈砚秋是送信的';
const answers = ['沈砚秋替人送信', '送信的人叫沈砚秋', '沈砚秋送信，只送信'];

export const scenarios: readonly Scenario[] = [
  {
    name: 'a sentence said differently: three versions beside the chapter, nothing changed until one is taken, and Ctrl+Z takes it back',
    timeoutMs: 120_000,
    async run(context) {
      const server = await startModelServer({
        script: () => ({ text: `三种：\n${answers.map((text) => `<draft>\n${text}\n</draft>`).join('\n')}`, chunkSize: 6, delayMs: 5 }),
      });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv });
      const { page } = workbench;
      const before = workbench.fileText(letter);
      await openChat(workbench);
      await openFile(page, '001-雨夜来信.md');
      await editor(page).locator('.view-lines').click();
      await goAfter(page, before, quote);
      for (let n = 0; n < quote.length; n += 1) await page.keyboard.press('Shift+ArrowLeft');
      await runCommand(page, 'Say It Differently');
      const wish = page.locator('.quick-input-widget input[type="text"]').first();
      await wish.waitFor({ state: 'visible' });
      await wish.fill('更冷一点');
      await page.keyboard.press('Enter');

      const panel = await workbench.webview('liyuan-passage');
      await panel.locator('.phase-done').waitFor({ state: 'visible' });
      assert.deepEqual(await panel.locator('.offer .prose').allInnerTexts(), answers);
      const request = await server.request(1);
      const words = String(request.body?.messages?.at(-1)?.content);
      assert.ok(words.includes(`<passage>\n${quote}\n</passage>`), words);
      assert.ok(words.includes('更冷一点'));
      assert.equal(workbench.fileText(letter), before);
      await workbench.shot('passage');

      await panel.locator('.offer').nth(1).locator('vscode-button').click();
      await panel.locator('.phase-accepted').waitFor({ state: 'visible' });
      const edit: Edit = { path: letter, old: quote, new: answers[1] ?? '' };
      assert.equal(workbench.fileText(letter), edited(before, edit));
      assert.equal(await dirtyTab(page, '001-雨夜来信.md').count(), 0, 'what was saved before is saved after');
      assert.deepEqual((await tabs(page)).filter((name) => name.endsWith('.md')), ['001-雨夜来信.md']);
      await page.locator('.tabs-container .tab').filter({ hasText: '001-雨夜来信.md' }).click();
      await editor(page).locator('.view-lines').click();
      await page.keyboard.press('Control+Z');
      assert.equal(await textOf(page, editor(page)), before);
    },
  },
];
