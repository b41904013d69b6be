import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { dirtyTab, editor, goAfter, openFile, textOf } from './harness/editors';
import { question, rowButton, unfoldHistory } from './harness/history';
import { pane, paneRow } from './harness/panes';
import type { Scenario } from './harness/scenario';
import { bureau, edited, keyEnv, letter, mainScript, mender, modelSettings, words, type Edit } from './story';

const whisper: Edit = { path: bureau, old: '我也知道。」砚秋说，', new: '我也知道。」砚秋说，声音很轻，' };

export const scenarios: readonly Scenario[] = [
  {
    name: 'restoring files says what will change, keeps unsaved words in a checkpoint before it, and gives them back',
    timeoutMs: 180_000,
    async run(context) {
      const server = await startModelServer({ script: mainScript('en') });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv });
      const { page } = workbench;
      const before = new Map([letter, bureau, mender].map((path) => [path, workbench.fileText(path)]));
      const bureauBefore = before.get(bureau) ?? '';
      const chat = await openChat(workbench);
      await chat.turn(words.en.ask);
      await openFile(page, '002-潮信局.md');
      await goAfter(page, bureauBefore, whisper.old);
      await page.keyboard.insertText('声音很轻，');
      await dirtyTab(page, '002-潮信局.md').waitFor({ state: 'visible' });

      await unfoldHistory(page);
      const history = pane(page, 'History');
      await rowButton(paneRow(history, '打开项目时的样子'), 'Restore All Files to This Checkpoint');
      const first = await question(page);
      assert.match(first.title, /^Restore all files to “打开项目时的样子” \(.+\)\?$/);
      assert.deepEqual(first.detail.split('\n'), [
        'Files that change: 3 (+3 / −10 words)',
        `${letter}: +2 / −2 words`,
        `${bureau}: +0 / −5 words`,
        `${mender}: +1 / −3 words`,
        '',
        'What is there now, unsaved words included, is saved as a checkpoint first.',
      ]);
      await workbench.shot('restore-question');
      await first.answer('Restore');
      await paneRow(history, '恢复到「打开项目时的样子」').waitFor({ state: 'visible' });
      for (const [path, text] of before) assert.equal(workbench.fileText(path), text, path);
      assert.equal(await textOf(page, editor(page)), bureauBefore);
      assert.equal(await chat.rows('user').count(), 1, 'the conversation stays where it is');

      const saved = paneRow(history, '恢复之前');
      await saved.waitFor({ state: 'visible' });
      await rowButton(saved, 'Restore All Files to This Checkpoint');
      const second = await question(page);
      assert.match(second.detail, new RegExp(`^Files that change: 3 `));
      await second.answer('Restore');
      await paneRow(history, '恢复到「恢复之前」').waitFor({ state: 'visible' });
      assert.equal(await textOf(page, editor(page)), edited(bureauBefore, whisper), 'the words are back');
      await workbench.shot('restore');
    },
  },
];
