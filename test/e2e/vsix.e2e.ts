import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { capture } from '../../scripts/lib/run.mjs';
import type { Scenario } from './harness/scenario';

export const scenarios: readonly Scenario[] = [
  {
    name: 'the packed extension, installed as a user would, opens the novel and shows the chat',
    timeoutMs: 180_000,
    async run(context) {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-vsix-'));
      context.defer(() => fs.rmSync(folder, { recursive: true, force: true }));
      const vsix = path.join(folder, 'liyuan.vsix');
      const { code, stdout, stderr } = await capture(process.execPath, ['scripts/package.mjs', '--out', vsix], { cwd: root });
      if (code !== 0) throw new Error(`${stdout}${stderr}`);
      const workbench = await context.open({ vsix, locale: 'zh-cn', colorScheme: 'dark' });
      await workbench.container('梨园');
      const chat = await workbench.webview('liyuan-chat');
      await chat.getByRole('button').first().waitFor({ state: 'visible' });
      await workbench.shot('vsix-installed');
    },
  },
];
