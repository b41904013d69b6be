import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { dirtyTab, editor, goAfter, openFile, save, textOf } from './harness/editors';
import type { Scenario } from './harness/scenario';
import { clock, edited, keyEnv, knock, letter, mainScript, mender, modelSettings, words, type Edit } from './story';

const rain: Edit = { path: letter, old: '沈砚秋是送信的', new: '沈砚秋是送信的，风雨无阻' };
const lane: Edit = { path: mender, old: '听雨巷不下雨的时候也滴水', new: '听雨巷不下雨的时候也滴水，滴了许多年' };

export const scenarios: readonly Scenario[] = [
  {
    name: 'undo of a turn takes back the agent’s edits and leaves the author’s own words, saved and unsaved',
    timeoutMs: 180_000,
    async run(context) {
      const server = await startModelServer({ script: mainScript('en') });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv });
      const { page } = workbench;
      const [letterBefore, menderBefore] = [workbench.fileText(letter), workbench.fileText(mender)];
      const chat = await openChat(workbench);
      await chat.turn(words.en.ask);

      await openFile(page, '001-雨夜来信.md');
      await goAfter(page, workbench.fileText(letter), rain.old);
      await page.keyboard.insertText('，风雨无阻');
      await save(page, '001-雨夜来信.md');
      await openFile(page, '003-修表的人.md');
      await goAfter(page, workbench.fileText(mender), lane.old);
      await page.keyboard.insertText('，滴了许多年');
      await dirtyTab(page, '003-修表的人.md').waitFor({ state: 'visible' });

      const undo = chat.rows('changes').locator('.changes-undo');
      await undo.getByText('Undo this turn').click();
      await workbench.shot('undo-question');
      await undo.locator('.confirm-yes').click();
      await chat.rows('changes').waitFor({ state: 'detached' });

      assert.equal(await chat.rows('user').count(), 0, 'the conversation is back before the turn');
      await chat.boxHolds(words.en.ask);
      assert.equal(workbench.fileText(letter), edited(letterBefore, rain));
      assert.equal(await textOf(page, editor(page)), edited(menderBefore, lane));
      assert.equal(workbench.fileText(mender), edited(menderBefore, clock), 'what was not saved is still not saved');
      await save(page, '003-修表的人.md');
      assert.equal(workbench.fileText(mender), edited(menderBefore, lane));
      assert.ok(!workbench.fileText(letter).includes(knock.new));
      await workbench.shot('undo');
    },
  },
];
