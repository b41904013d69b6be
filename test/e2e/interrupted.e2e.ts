import assert from 'node:assert/strict';
import path from 'node:path';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { textsIn, whenOnDisk } from './harness/disk';
import type { Scenario } from './harness/scenario';
import { edited, keyEnv, knock, letter, modelSettings } from './story';

const half = '钟声改好了。接下来看第三章，';

export const scenarios: readonly Scenario[] = [
  {
    name: 'a reload in the middle of a turn: it shows as interrupted with what had arrived, and goes on',
    timeoutMs: 180_000,
    async run(context) {
      const server = await startModelServer({
        script: [
          { calls: [{ name: 'edit', args: { edits: [knock] } }] },
          { text: `${half}还有很多话没有说完。`, chunkSize: half.length, cutAfter: 2, end: 'hang' },
          { text: '第三章不用改，这一轮做完了。' },
        ],
      });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv });
      const before = workbench.fileText(letter);
      const chat = await openChat(workbench);
      await chat.say('把钟声改成敲门声，再看看第三章。');
      await chat.rows('assistant').filter({ hasText: half }).waitFor({ state: 'visible' });
      const partials = path.join(workbench.folder, '.liyuan/local/partial');
      await whenOnDisk(partials, () => textsIn(partials).some((text) => text.includes(half)));
      await workbench.reload();

      const again = await openChat(workbench);
      const card = again.rows('interrupted');
      await card.waitFor({ state: 'visible' });
      await again.idle();
      assert.match(await card.innerText(), /This turn was interrupted/);
      await card.locator('summary').click();
      assert.equal(await card.locator('.partial-text').innerText(), half);
      assert.equal(workbench.fileText(letter), edited(before, knock));
      await workbench.shot('interrupted');

      await card.locator('[data-how="continue"]').click();
      await again.rows('assistant').filter({ hasText: '这一轮做完了。' }).waitFor({ state: 'visible' });
      await again.idle();
      assert.equal(await card.count(), 0);
      assert.equal(server.requests.length, 3);
      assert.equal(server.requests[2]?.raw, server.requests[1]?.raw, 'the same words are asked again, to the byte');
      assert.deepEqual(await again.changedFiles(), ['001-雨夜来信.md 正文/第一卷 退潮 +2 −2']);
      assert.equal(workbench.fileText(letter), edited(before, knock));
    },
  },
  {
    name: 'a reload while a question waits: it is asked again, answered, and the turn goes on',
    timeoutMs: 180_000,
    async run(context) {
      const options = ['让阿满先认出笔迹', '让老纪把信烧掉', '谁也不说破'];
      const server = await startModelServer({
        script: [{ calls: [{ name: 'ask', args: { question: '信的来历由谁先说破？', options } }] }, { text: '好，就这么办。' }],
      });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv });
      const chat = await openChat(workbench);
      await chat.say('接下来怎么办？');
      await chat.rows('ask').locator('.ask-option').first().waitFor({ state: 'visible' });
      await workbench.reload();

      const again = await openChat(workbench);
      const card = again.rows('interrupted');
      await card.waitFor({ state: 'visible' });
      assert.match(await card.innerText(), /It was waiting for your answer/);
      await card.locator('[data-how="continue"]').click();
      const option = again.rows('ask').locator('.ask-option').nth(1);
      await option.click();
      await again.rows('assistant').filter({ hasText: '好，就这么办。' }).waitFor({ state: 'visible' });
      await again.idle();
      assert.equal(await again.rows('ask').count(), 1, 'one question, not two');
      const answer = server.requests[1]?.body?.messages?.at(-1);
      assert.equal(answer?.role, 'tool');
      assert.deepEqual(JSON.parse(String(answer.content)), { answer: options[1], by: 'user' });
    },
  },
];
