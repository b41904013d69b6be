import assert from 'node:assert/strict';
import type { ServedRequest } from '../fakes/model-server/script';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import type { Scenario } from './harness/scenario';
import { keyEnv, modelSettings } from './story';

const summary = '## 要求\n- 文风要冷，一句不超过二十字（第 1 轮）\n\n## 已定\n- 砚秋先不拆信（第 2 轮）\n\n## 做过\n无\n\n## 未了\n- 老纪的来历以后再说（第 2 轮）\n\n## 眼下\n在谈第三章的开头。';
const said = ['从现在起文风要冷，一句不超过二十字。', '砚秋先不拆信；老纪的来历以后再说。', '第三章从哪里开头？'];
const answers = ['记下了：冷，短。', '好，信先不拆。', '从听雨巷的滴水声开头。'];

const sent = (request: ServedRequest | undefined): string => JSON.stringify(request?.body?.messages ?? []);

export const scenarios: readonly Scenario[] = [
  {
    name: 'a conversation is summarised by command, shown folded with its words, taken back in one click, and nothing is lost',
    timeoutMs: 180_000,
    async run(context) {
      const server = await startModelServer({
        script: (request, n) => (request.body?.tools === undefined ? { text: summary, chunkSize: 12 } : { text: answers[n - 1] ?? '好。' }),
      });
      context.defer(() => server.close());
      const workbench = await context.open({ locale: 'zh-cn', colorScheme: 'dark', settings: modelSettings(server.baseUrl), env: keyEnv });
      const chat = await openChat(workbench);
      for (const words of said) await chat.turn(words);

      await workbench.command('梨园: 压缩前面的对话');
      const row = chat.rows('summary');
      await row.waitFor({ state: 'visible' });
      await chat.idle();
      assert.match(await row.locator('.summary-title').innerText(), /^前情已压缩：第 1–2 轮 → \d+ 个 token$/);
      assert.equal(await chat.frame.locator('.summarised').count(), 2, 'the turns it stands for are marked, and still there');
      await workbench.shot('summary');
      await row.locator('summary').click();
      assert.match(await row.locator('.summary-text').innerText(), /砚秋先不拆信（第 2 轮）/);
      await workbench.shot('summary-unfolded');

      await chat.turn('那就这么开头。');
      const withSummary = sent(server.requests.at(-1));
      assert.ok(withSummary.includes('【前情提要】\\n## 要求'), 'the model sees the summary');
      assert.ok(!withSummary.includes(said[0] ?? ''), 'and not the words it stands for');

      await row.locator('.summary-use').click();
      await row.locator('.badge').waitFor({ state: 'visible' });
      assert.equal(await row.locator('.badge').innerText(), '已撤销');
      assert.equal(await chat.frame.locator('.summarised').count(), 0);
      await workbench.shot('summary-undone');
      await chat.turn('再想想。');
      const whole = sent(server.requests.at(-1));
      assert.ok(!whole.includes('【前情提要】'));
      for (const words of [...said, ...answers]) assert.ok(whole.includes(words), `is sent whole again: ${words}`);

      await workbench.reload();
      const again = await openChat(workbench);
      assert.equal(await again.rows('summary').locator('.badge').innerText(), '已撤销');
    },
  },
];
