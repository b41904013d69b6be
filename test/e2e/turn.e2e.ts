import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { diffTexts, goAfter, openFile, save, tabs } from './harness/editors';
import { unfold, unfoldHistory } from './harness/history';
import { pane, paneRow } from './harness/panes';
import type { Scenario } from './harness/scenario';
import { bureau, clock, edited, key, keyEnv, knock, letter, mainScript, mender, modelSettings, words } from './story';

const say = words.en;

/** The bytes of a request up to the end of its last message. */
function upToMessages(raw: string): string {
  const { messages } = JSON.parse(raw) as { readonly messages: unknown };
  const text = JSON.stringify(messages).slice(0, -1);
  const at = raw.indexOf(text);
  assert.ok(at > 0, 'the messages stand in the request as they are');
  return raw.slice(0, at + text.length);
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'read three chapters, change two places, talk: exactly those bytes change, and nothing steals tab or focus',
    timeoutMs: 180_000,
    async run(context) {
      const server = await startModelServer({ script: mainScript('en'), apiKey: key });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv });
      const { page } = workbench;
      const before = new Map([letter, bureau, mender].map((path) => [path, workbench.fileText(path)]));
      const textBefore = (path: string): string => before.get(path) ?? '';
      const chat = await openChat(workbench);

      await chat.turn(say.ask);
      assert.equal(await chat.boxHasFocus(), true, 'the focus stayed in the box');
      assert.deepEqual(await tabs(page), [], 'no tab was opened');
      assert.equal(workbench.fileText(letter), edited(textBefore(letter), knock));
      assert.equal(workbench.fileText(mender), edited(textBefore(mender), clock));
      assert.equal(workbench.fileText(bureau), textBefore(bureau));

      assert.deepEqual(await chat.tools(), [
        [`Read ${letter}`, 'Lines 1 to 29 of 29'],
        [`Read ${bureau}`, 'Lines 1 to 43 of 43'],
        [`Read ${mender}`, 'Lines 1 to 38 of 38'],
        ['Edit 2 files', 'Places changed: 2'],
      ]);
      const replies = await chat.rows('assistant').allInnerTexts();
      assert.match(replies[0] ?? '', /I will read the three chapters first\./);
      assert.match(replies.at(-1) ?? '', /the bell now knocks \(敲门\) under the water/);
      assert.deepEqual(await chat.changedFiles(), ['001-雨夜来信.md 正文/第一卷 退潮 +2 −2', '003-修表的人.md 正文/第一卷 退潮 +3 −1']);

      await chat.turn(say.talk);
      assert.match(await chat.rows('assistant').last().innerText(), /nothing in chapter 2 mentions the clock/);
      assert.equal(await chat.boxHasFocus(), true);
      assert.deepEqual(await tabs(page), []);

      assert.equal(server.requests.length, 4);
      const [first, , last, second] = server.requests;
      assert.ok(first && last && second);
      assert.ok(second.raw.startsWith(upToMessages(last.raw)), 'the second turn begins with the bytes of the first');
      assert.equal(second.body?.model, 'story');
      assert.equal(second.headers['authorization'], `Bearer ${key}`);
      const asked = first.body?.messages?.at(-1)?.content;
      assert.ok(typeof asked === 'string');
      assert.match(asked, /^【正文目录】\n正文\/ 共 8 个文件 \d+ 字（按文件名排序）\n/);
      assert.ok(asked.endsWith(`\n\n${say.ask}`), 'the words come last');
      await workbench.shot('turn');
    },
  },
  {
    name: 'a file of the card opens a diff of the turn; the history tells the agent’s changes from the author’s',
    timeoutMs: 180_000,
    async run(context) {
      const server = await startModelServer({ script: mainScript('en'), apiKey: key });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv, colorScheme: 'dark' });
      const { page } = workbench;
      const [letterBefore, bureauBefore] = [workbench.fileText(letter), workbench.fileText(bureau)];
      const chat = await openChat(workbench);
      await chat.turn(say.ask);

      await chat.rows('changes').locator('.file').first().click();
      assert.deepEqual(await diffTexts(page), { before: letterBefore, after: edited(letterBefore, knock) });
      assert.deepEqual(await tabs(page), ['001-雨夜来信.md']);

      await openFile(page, '002-潮信局.md');
      await goAfter(page, bureauBefore, '我也知道。」砚秋说，');
      await page.keyboard.insertText('声音很轻，');
      await save(page, '002-潮信局.md');
      await chat.turn(say.talk);

      await unfoldHistory(page);
      const history = pane(page, 'History');
      const mine = paneRow(history, /作者的改动.*\+5 \/ −0/);
      await unfold(mine);
      const file = paneRow(history, '002-潮信局.md');
      await file.waitFor({ state: 'visible' });
      await file.click();
      await page.locator('.tabs-container .tab.active').filter({ hasText: '作者的改动' }).waitFor({ state: 'visible' });
      const bureauAfter = bureauBefore.replace('我也知道。」砚秋说，', '我也知道。」砚秋说，声音很轻，');
      assert.deepEqual(await diffTexts(page), { before: bureauBefore, after: bureauAfter });
      const told = server.requests.at(-1)?.body?.messages?.at(-1)?.content;
      assert.match(String(told), /【作者的改动】\n正文\/第一卷 退潮\/002-潮信局\.md　\+5 字 −0 字/);
      const rows = await history.locator('.monaco-list-row').allInnerTexts();
      await workbench.shot('history-diff');
      assert.ok(rows.some((row) => row.startsWith('Read the first three chapters.')), rows.join('\n'));
    },
  },
];
