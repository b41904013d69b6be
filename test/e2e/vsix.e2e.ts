import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { capture } from '../../scripts/lib/run.mjs';
import { openChat } from './harness/chat';
import type { Scenario } from './harness/scenario';
import { edited, knock, letter } from './story';

export const scenarios: readonly Scenario[] = [
  {
    name: 'the packed extension, installed as a user would, opens the novel and a turn of the rehearsal edits a chapter',
    timeoutMs: 180_000,
    async run(context) {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-vsix-'));
      context.defer(() => { fs.rmSync(folder, { recursive: true, force: true }); });
      const vsix = path.join(folder, 'liyuan.vsix');
      const { code, stdout, stderr } = await capture(process.execPath, ['scripts/package.mjs', '--out', vsix], { cwd: root });
      assert.equal(code, 0, `${stdout}${stderr}`);
      const workbench = await context.open({ vsix, locale: 'zh-cn', colorScheme: 'dark' });
      const before = workbench.fileText(letter);
      const chat = await openChat(workbench);
      await chat.turn(`把「${knock.old}」改成「${knock.new}」`);
      assert.equal(workbench.fileText(letter), edited(before, knock));
      assert.deepEqual(await chat.changedFiles(), ['001-雨夜来信.md 正文/第一卷 退潮 +2 −2']);
      await workbench.shot('vsix-installed');
    },
  },
];
