import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat, type Chat } from './harness/chat';
import { question } from './harness/history';
import type { Scenario } from './harness/scenario';
import { clock, edited, keyEnv, knock, letter, mender, modelSettings } from './story';

/** Opens the list of conversations and types into its search box. */
async function search(chat: Chat, words: string): Promise<void> {
  await chat.frame.locator('.session-button').click();
  await chat.frame.locator('.session').first().waitFor({ state: 'visible' });
  await chat.frame.locator('.session-search').click();
  await chat.frame.page().keyboard.insertText(words);
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'again: an earlier message is changed and sent again, what came of it and after it goes back, and the old way is still there',
    timeoutMs: 240_000,
    async run(context) {
      const server = await startModelServer({
        script: [
          { calls: [{ name: 'edit', args: { edits: [knock] } }] },
          { text: '钟声改好了。' },
          { calls: [{ name: 'edit', args: { edits: [clock] } }] },
          { text: '挂钟改好了。' },
          { text: '好，第一章不动。' },
          { text: '好，第一章还是不动。' },
        ],
      });
      context.defer(() => server.close());
      const workbench = await context.open({ locale: 'zh-cn', settings: modelSettings(server.baseUrl), env: keyEnv });
      const [letterBefore, menderBefore] = [workbench.fileText(letter), workbench.fileText(mender)];
      const chat = await openChat(workbench);
      await chat.turn('把钟声改成敲门声。');
      await chat.turn('挂钟也改一改。');
      assert.equal(workbench.fileText(mender), edited(menderBefore, clock));

      await chat.rows('user').first().hover();
      await chat.rows('user').first().locator('.edit-message').click();
      await chat.frame.locator('.edit-box').fill('第一章先不动。');
      await workbench.shot('again-editing');
      await chat.frame.locator('.edit-box').press('Enter');
      const asks = await question(workbench.page);
      assert.equal(asks.title, '从这里改了重发？');
      assert.match(asks.detail, /后面有 1 轮会离开这段对话[\s\S]*会撤回助手改动的文件：2 个[\s\S]*先/);
      await workbench.shot('again-question');
      await asks.answer('退回并重发');
      await chat.rows('assistant').filter({ hasText: '第一章不动' }).waitFor({ state: 'visible' });
      await chat.idle();
      assert.deepEqual(await chat.rows('user').locator('.user-text').allInnerTexts(), ['第一章先不动。']);
      assert.deepEqual([workbench.fileText(letter), workbench.fileText(mender)], [letterBefore, menderBefore]);
      assert.equal(await chat.boxHasFocus(), true);

      // The turn alone, with nothing of the author's in it, is run again at once.
      await chat.rows('assistant').last().hover();
      await chat.rows('assistant').last().locator('.run-again').click();
      await chat.rows('assistant').filter({ hasText: '还是不动' }).waitFor({ state: 'visible' });
      await chat.idle();
      assert.equal(await chat.rows('user').locator('.variant-place').innerText(), '3/3');
      const asked = server.requests.at(-1)?.body?.messages ?? [];
      assert.deepEqual(asked.filter(({ role }) => role === 'assistant'), [], 'the model sees nothing of the other ways');

      await chat.rows('user').locator('[data-step="-1"]').click();
      await chat.rows('assistant').filter({ hasText: '好，第一章不动。' }).waitFor({ state: 'visible' });
      await chat.rows('user').locator('[data-step="-1"]').click();
      await chat.rows('changes').nth(1).waitFor({ state: 'visible' });
      assert.equal(await chat.rows('changes').locator('.changes-undone').count(), 2, 'what they did has been taken back');
      assert.deepEqual([workbench.fileText(letter), workbench.fileText(mender)], [letterBefore, menderBefore], 'files stay');
      await workbench.shot('again-old-way');
    },
  },
  {
    name: 'sessions: found by what was said in them, deleted and taken back; the conversation is opened as a document',
    timeoutMs: 240_000,
    async run(context) {
      const server = await startModelServer({ script: [{ text: '阿满在码头拾到一枚铜哨。' }, { text: '挂钟停在三点三刻。' }] });
      context.defer(() => server.close());
      const workbench = await context.open({ locale: 'zh-cn', settings: modelSettings(server.baseUrl), env: keyEnv });
      const chat = await openChat(workbench);
      await chat.turn('先说说阿满。');
      await chat.frame.locator('.new-session').click();
      await chat.rows('user').first().waitFor({ state: 'detached' });
      await chat.turn('再说说挂钟。');

      await search(chat, '铜哨');
      const hit = chat.frame.locator('.session-hit');
      await hit.waitFor({ state: 'visible' });
      assert.deepEqual(await chat.frame.locator('.session-title').allInnerTexts(), ['先说说阿满。']);
      assert.match(await hit.innerText(), /阿满在码头拾到一枚铜哨/);
      await workbench.shot('sessions-search');
      await workbench.page.keyboard.press('Enter');
      await chat.rows('assistant').filter({ hasText: '铜哨' }).waitFor({ state: 'visible' });

      await search(chat, '阿满');
      await chat.frame.locator('.session-line').first().hover();
      await chat.frame.locator('.session-delete').first().click();
      await chat.frame.locator('.sessions-undo').waitFor({ state: 'visible' });
      await chat.rows('user').first().waitFor({ state: 'detached' });
      await chat.frame.locator('.sessions-undo').click();
      await chat.rows('assistant').filter({ hasText: '铜哨' }).waitFor({ state: 'visible' });
      await workbench.page.keyboard.press('Escape');

      await workbench.command('把对话打开为未命名文档');
      await workbench.page.locator('.monaco-editor .view-lines').filter({ hasText: '先说说阿满' }).waitFor({ state: 'visible' });
      await workbench.shot('conversation-as-document');
    },
  },
];
