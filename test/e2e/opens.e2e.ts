import assert from 'node:assert/strict';
import type { Scenario } from './harness/scenario';

export const scenarios: readonly Scenario[] = [
  {
    name: 'a novel folder opens, the icon stands in the activity bar and the chat shows',
    timeoutMs: 90_000,
    async run(context) {
      const workbench = await context.open();
      await workbench.container('梨园');
      const chat = await workbench.webview('liyuan-chat');
      const button = chat.getByRole('button').first();
      await button.waitFor({ state: 'visible' });
      assert.notEqual((await chat.locator('liyuan-chat').innerText()).trim(), '');
      await workbench.shot('opens-chat');
    },
  },
];
