import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { unfoldHistory } from './harness/history';
import { pane, paneRow } from './harness/panes';
import type { Scenario } from './harness/scenario';
import { edited, keyEnv, knock, letter, modelSettings } from './story';

const half = '钟声改好了，我再想想';

export const scenarios: readonly Scenario[] = [
  {
    name: 'stop: the answer is cut off, what had arrived stays and is marked, what had changed has a checkpoint that says so',
    timeoutMs: 180_000,
    async run(context) {
      const server = await startModelServer({
        script: [
          { calls: [{ name: 'edit', args: { edits: [knock] } }] },
          { text: `${half}怎么说下去`, chunkSize: half.length, cutAfter: 2, end: 'hang' },
          { text: '停在这里也好。' },
        ],
      });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv, colorScheme: 'dark' });
      const before = workbench.fileText(letter);
      const chat = await openChat(workbench);
      await chat.say('把钟声改成敲门声。');
      const reply = chat.rows('assistant').filter({ hasText: half });
      await reply.waitFor({ state: 'visible' });
      await workbench.shot('stop-streaming');
      await chat.frame.locator('.round-button.stop').click();
      await chat.idle();
      assert.equal(await server.ended(2), false, 'the connection was cut');
      assert.equal(await reply.getAttribute('data-state'), 'stopped');
      assert.match(await reply.innerText(), new RegExp(`${half}[\\s\\S]*Stopped here`));
      assert.equal(workbench.fileText(letter), edited(before, knock));
      await unfoldHistory(workbench.page);
      await paneRow(pane(workbench.page, 'History'), '把钟声改成敲门声。（已中止）').waitFor({ state: 'visible' });
      assert.deepEqual(await chat.changedFiles(), ['001-雨夜来信.md 正文/第一卷 退潮 +2 −2']);
      await workbench.shot('stopped');

      await chat.turn('就到这里吧。');
      const told = server.requests[2]?.body?.messages ?? [];
      assert.ok(told.some((message) => message.role === 'assistant' && String(message.content).includes(half)), 'what it said is remembered');
    },
  },
];
