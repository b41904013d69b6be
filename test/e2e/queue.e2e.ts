import assert from 'node:assert/strict';
import path from 'node:path';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { textsIn, whenOnDisk } from './harness/disk';
import type { Scenario } from './harness/scenario';
import { keyEnv, letter, modelSettings } from './story';

const half = '好，结尾留着不动，';

export const scenarios: readonly Scenario[] = [
  {
    name: 'queue and steer: words typed while a turn runs go into it or wait, a reload in the middle loses none, and what waits is sent after it',
    timeoutMs: 180_000,
    async run(context) {
      let goOn: () => void = () => undefined;
      const typed = new Promise<void>((resolve) => { goOn = resolve; });
      let asked = 0;
      const server = await startModelServer({
        script: async () => {
          asked += 1;
          if (asked === 1) await typed;
          switch (asked) {
            case 1:
              return { calls: [{ name: 'read', args: { path: letter } }] };
            case 2:
              return { text: `${half}还有很多话没有说完。`, chunkSize: half.length, cutAfter: 2, end: 'hang' as const };
            case 3:
              return { text: '改好了。' };
            default:
              return { text: '第二章对得上。' };
          }
        },
      });
      context.defer(() => server.close());
      const workbench = await context.open({ locale: 'zh-cn', settings: modelSettings(server.baseUrl), env: keyEnv });
      const chat = await openChat(workbench);
      await chat.say('把第一章改短一点');
      await chat.write('结尾那句钟声别动');
      await workbench.page.keyboard.press('Control+Enter');
      await chat.frame.locator('.queue-row').waitFor({ state: 'visible' });
      await chat.boxHolds('');
      await chat.write('再看看第二章对不对得上');
      await workbench.page.keyboard.press('Enter');
      await chat.frame.locator('.queue-row').nth(1).waitFor({ state: 'visible' });
      assert.deepEqual(await chat.frame.locator('.queue-text').allInnerTexts(), ['结尾那句钟声别动', '再看看第二章对不对得上']);
      assert.equal(await chat.frame.locator('.queue-row').first().locator('.badge').innerText(), '插话');
      await workbench.shot('queue');

      goOn();
      await chat.rows('steer').filter({ hasText: '结尾那句钟声别动' }).waitFor({ state: 'visible' });
      assert.deepEqual(server.requests[1]?.body?.messages?.at(-1), { role: 'user', content: '结尾那句钟声别动' });
      const partials = path.join(workbench.folder, '.liyuan/local/partial');
      await whenOnDisk(partials, () => textsIn(partials).some((text) => text.includes(half)));
      await workbench.reload();

      const again = await openChat(workbench);
      const card = again.rows('interrupted');
      await card.waitFor({ state: 'visible' });
      assert.deepEqual(await again.frame.locator('.queue-text').allInnerTexts(), ['再看看第二章对不对得上']);
      assert.equal(await again.rows('steer').count(), 1);
      assert.equal(server.requests.length, 2, 'nothing is sent by itself after a reload');
      await workbench.shot('queue-after-reload');

      await card.locator('[data-how="continue"]').click();
      await again.rows('assistant').filter({ hasText: '第二章对得上。' }).waitFor({ state: 'visible' });
      await again.idle();
      assert.equal(server.requests[2]?.raw, server.requests[1]?.raw, 'the turn goes on with what had been said in it');
      assert.equal(server.requests[3]?.body?.messages?.at(-1)?.role, 'user');
      assert.match(String(server.requests[3]?.body?.messages?.at(-1)?.content), /再看看第二章对不对得上$/);
      assert.deepEqual(await again.rows('user').locator('.user-text').allInnerTexts(), ['把第一章改短一点', '再看看第二章对不对得上']);
      assert.equal(await again.frame.locator('.queue-row').count(), 0);
      await workbench.shot('queue-sent');
    },
  },
];
