import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { dirtyTab, editor, goAfter, openFile, textOf } from './harness/editors';
import type { Scenario } from './harness/scenario';
import { edited, keyEnv, knock, letter, modelSettings, type Edit } from './story';

const typed = '，风雨无阻，从不误时';
const own: Edit = { path: letter, old: '沈砚秋是送信的', new: `沈砚秋是送信的${typed}` };

export const scenarios: readonly Scenario[] = [
  {
    name: 'the author types in the chapter that a turn edits: words kept, edit applied, nothing saved, and Ctrl+Z takes the edit back first',
    timeoutMs: 180_000,
    async run(context) {
      let typedAll: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => { typedAll = resolve; });
      const server = await startModelServer({
        script: async (_, n) => {
          if (n === 1) return { text: '我先看一遍，慢慢来。'.repeat(4), chunkSize: 1, delayMs: 20, calls: [{ name: 'read', args: { path: letter } }] };
          if (n > 2) return { text: '改好了。' };
          await gate;
          return { calls: [{ name: 'edit', args: { edits: [knock] } }] };
        },
      });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv });
      const { page } = workbench;
      const before = workbench.fileText(letter);
      const chat = await openChat(workbench);
      await openFile(page, '001-雨夜来信.md');
      await chat.say('把钟声改成敲门声。');
      await server.request(1);
      await editor(page).locator('.view-lines').click();
      await goAfter(page, before, own.old);
      for (const letterTyped of typed) await page.keyboard.insertText(letterTyped);
      await dirtyTab(page, '001-雨夜来信.md').waitFor({ state: 'visible' });
      typedAll();
      await chat.idle();

      assert.equal((await chat.tools()).at(-1)?.[1], 'Places changed: 1');
      assert.equal(await dirtyTab(page, '001-雨夜来信.md').count(), 1, 'the file is left unsaved');
      assert.equal(workbench.fileText(letter), before, 'nothing was saved behind the author’s back');
      await workbench.shot('together');
      await page.keyboard.press('Control+Z');
      assert.equal(await textOf(page, editor(page)), edited(before, own), 'the edit of the agent goes first');
      await page.keyboard.press('Control+Y');
      assert.equal(await textOf(page, editor(page)), edited(before, own, knock));
    },
  },
];
