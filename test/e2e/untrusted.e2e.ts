import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Scenario } from './harness/scenario';

export const scenarios: readonly Scenario[] = [
  {
    name: 'a folder that is not trusted is open for reading only, and says so',
    timeoutMs: 180_000,
    async run(context) {
      const workbench = await context.open({ trust: false });
      await workbench.container('梨园');
      const chat = await workbench.webview('liyuan-chat');
      await chat.getByText('This folder is not trusted').first().waitFor({ state: 'visible', timeout: 60_000 });
      await workbench.shot('untrusted');
      assert.equal(fs.existsSync(path.join(workbench.folder, '.liyuan/local')), false, 'nothing was written');
    },
  },
];
