import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import type { Scenario } from './harness/scenario';
import { keyEnv, modelSettings } from './story';

export const scenarios: readonly Scenario[] = [
  {
    name: 'a conversation open in two windows: the second reads along, waits while a turn runs, takes over, and gives it back',
    timeoutMs: 180_000,
    async run(context) {
      let finish: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => { finish = resolve; });
      const server = await startModelServer({
        script: async (_, n) => {
          if (n === 2) await gate;
          return { text: `第${n}次的回答。` };
        },
      });
      context.defer(() => server.close());
      const first = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv });
      const chat = await openChat(first);
      await chat.turn('第一句');

      const second = await first.another();
      const other = await openChat(second);
      const strip = other.frame.locator('.strip.read-only');
      await strip.waitFor({ state: 'visible' });
      assert.match(await strip.innerText(), /Another window has this conversation open/);
      await chat.say('第二句');
      await other.rows('user').filter({ hasText: '第二句' }).waitFor({ state: 'visible' });
      assert.equal(await other.rows('interrupted').count(), 0, 'a turn that runs there is not called interrupted here');
      await second.shot('two-windows');

      await strip.locator('.take-over').click();
      await second.page.locator('.monaco-dialog-box', { hasText: 'does not give this conversation up' }).waitFor({ state: 'visible', timeout: 20_000 });
      await second.shot('two-windows-held');
      await second.page.keyboard.press('Escape');
      finish();
      await chat.rows('assistant').filter({ hasText: '第2次的回答。' }).waitFor({ state: 'visible' });
      await chat.idle();
      await other.rows('assistant').filter({ hasText: '第2次的回答。' }).waitFor({ state: 'visible' });

      await strip.locator('.take-over').click();
      await strip.waitFor({ state: 'detached' });
      const lost = chat.frame.locator('.strip.read-only');
      await lost.waitFor({ state: 'visible' });
      assert.match(await lost.innerText(), /Another window took over this conversation/);
      await other.turn('第三句');
      await chat.rows('assistant').filter({ hasText: '第3次的回答。' }).waitFor({ state: 'visible' });

      await lost.locator('.take-over').click();
      await lost.waitFor({ state: 'detached' });
      await chat.turn('第四句');
      assert.equal(await chat.rows('assistant').last().innerText().then((text) => text.includes('第4次的回答。')), true);
      assert.equal(await chat.rows('user').count(), 4);
    },
  },
];
