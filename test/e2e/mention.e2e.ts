import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { openFile } from './harness/editors';
import type { Scenario } from './harness/scenario';
import { bureau, keyEnv, letter, modelSettings } from './story';

export const scenarios: readonly Scenario[] = [
  {
    name: 'mention: a command puts the chapter of the editor into the box without sending, @ finds another, and the agent is told both',
    timeoutMs: 180_000,
    async run(context) {
      const server = await startModelServer({ script: [{ text: '两章都看到了。' }] });
      context.defer(() => server.close());
      const workbench = await context.open({ locale: 'en', settings: modelSettings(server.baseUrl), env: keyEnv });
      const chat = await openChat(workbench);
      await openFile(workbench.page, '001-雨夜来信.md');
      await workbench.command('Liyuan: Mention in the Conversation');
      await chat.boxHolds(`@${letter} `);
      assert.equal(await chat.boxHasFocus(), true);
      assert.equal(server.requests.length, 0, 'nothing is sent by pointing at something');
      await workbench.page.keyboard.type('and @');
      await workbench.page.keyboard.insertText('潮信局');
      await chat.frame.locator('.completion.session-active').filter({ hasText: '潮信局' }).waitFor({ state: 'visible' });
      await workbench.shot('mention');
      await workbench.page.keyboard.press('Enter');
      assert.equal(await chat.frame.locator('.composer .chip').count(), 2);
      await workbench.page.keyboard.press('Enter');
      await chat.rows('assistant').filter({ hasText: '两章都看到了。' }).waitFor({ state: 'visible' });
      const told = String(server.requests[0]?.body?.messages?.at(-1)?.content);
      const block = told.slice(told.search(/【(提到的内容|Mentioned)】/));
      assert.ok(block.includes(letter) && block.includes(bureau), block);
      assert.equal(await chat.rows('user').locator('.chip').count(), 2);
      await workbench.shot('mention-sent');
    },
  },
];
