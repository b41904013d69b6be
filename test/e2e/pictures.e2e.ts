import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { foldOthers } from './harness/chapters';
import { editor, goAfter, openFile, tabs } from './harness/editors';
import { unfold, unfoldHistory } from './harness/history';
import { picture, sideBarWidth } from './harness/pictures';
import type { Context } from './harness/context';
import { pane, paneRow } from './harness/panes';
import type { Scenario } from './harness/scenario';
import { runCommand } from './harness/workbench';
import { edited, keyEnv, knock, letter, mainScript, modelSettings, words } from './story';

interface Look {
  readonly locale: 'en' | 'zh-cn';
  readonly colorScheme: 'light' | 'dark';
  readonly ending: string;
  readonly history: string;
  readonly tools: readonly string[];
  readonly card: RegExp;
}

const looks: readonly Look[] = [
  {
    locale: 'en',
    colorScheme: 'light',
    ending: '',
    history: 'History',
    tools: ['Read', 'Read', 'Read', 'Edit 2 files'],
    card: /^Changes of this turn\s+2 files · \+5 \/ −3 words/,
  },
  {
    locale: 'zh-cn',
    colorScheme: 'dark',
    ending: '.zh-cn',
    history: '历史',
    tools: ['阅读', '阅读', '阅读', '修改 2 个文件'],
    card: /^本轮改动\s+2 个文件 · \+5 \/ −3 字/,
  },
];

/** The main scenario beside an open chapter, as the README shows it; then narrow, and in the other theme. */
async function show(context: Context, look: Look): Promise<void> {
  const { ask } = words[look.locale];
  const server = await startModelServer({ script: mainScript(look.locale) });
  context.defer(() => server.close());
  const workbench = await context.open({ locale: look.locale, colorScheme: look.colorScheme, settings: modelSettings(server.baseUrl), env: keyEnv });
  const { page } = workbench;
  const before = workbench.fileText(letter);
  const chat = await openChat(workbench);
  await openFile(page, '001-雨夜来信.md');
  await sideBarWidth(page, 500);
  await chat.turn(ask);
  assert.deepEqual((await chat.tools()).map(([title], index) => title.startsWith(look.tools[index] ?? '?')), [true, true, true, true]);
  assert.match((await chat.rows('changes').innerText()).replace(/\s+/g, ' '), look.card);
  assert.deepEqual(await tabs(page), ['001-雨夜来信.md']);
  await unfoldHistory(page);
  const history = pane(page, look.history);
  const row = paneRow(history, ask.slice(0, 8));
  await row.waitFor({ state: 'visible' });
  await picture(workbench, `turn${look.ending}`);

  await unfold(row);
  await paneRow(history, '001-雨夜来信.md').click();
  await page.locator('.monaco-diff-editor .editor.modified .view-line').filter({ hasText: knock.new }).first().waitFor({ state: 'visible' });
  await page.locator('.monaco-diff-editor .editor.original .view-line').filter({ hasText: knock.old }).first().waitFor({ state: 'visible' });
  await picture(workbench, `diff${look.ending}`);

  await sideBarWidth(page, 300);
  await workbench.shot(`narrow-${look.colorScheme}${look.ending}`);
  const other = look.colorScheme === 'light' ? 'dark' : 'light';
  await page.emulateMedia({ colorScheme: other });
  await page.locator(other === 'dark' ? '.monaco-workbench.vs-dark' : '.monaco-workbench.vs').waitFor({ state: 'visible' });
  await workbench.shot(`narrow-${other}${look.ending}`);
  assert.equal(workbench.fileText(letter), edited(before, knock));
}

const sentence = '沈砚秋是送信的';

/** With the rehearsal model, as a first-time reader has it: three versions of a sentence, and the chapters. */
async function showMore(context: Context, look: Look): Promise<void> {
  const workbench = await context.open({ locale: look.locale, colorScheme: look.colorScheme });
  const { page } = workbench;
  await openChat(workbench);
  await openFile(page, '001-雨夜来信.md');
  await sideBarWidth(page, 360);
  await editor(page).locator('.view-lines').click();
  await goAfter(page, workbench.fileText(letter), sentence);
  for (let n = 0; n < sentence.length; n += 1) await page.keyboard.press('Shift+ArrowLeft');
  await runCommand(page, look.locale === 'en' ? 'Say It Differently' : '换个说法');
  const wish = page.locator('.quick-input-widget input[type="text"]').first();
  await wish.waitFor({ state: 'visible' });
  await page.keyboard.press('Enter');
  const panel = await workbench.webview('liyuan-passage');
  await panel.locator('.phase-done').waitFor({ state: 'visible' });
  assert.equal(await panel.locator('.offer').count(), 3);
  await foldOthers(page, [look.locale === 'en' ? 'Conversation' : '对话']);
  await paneRow(pane(page, look.locale === 'en' ? 'Chapters' : '章节'), '第八章 半潮').waitFor({ state: 'visible' });
  await picture(workbench, `passage${look.ending}`);
}

export const scenarios: readonly Scenario[] = looks.flatMap((look) => [
  {
    name: `the main scenario as the README shows it (${look.locale}), wide and narrow, light and dark`,
    timeoutMs: 180_000,
    twin: look.locale === 'en',
    run: (context) => show(context, look),
  },
  {
    name: `a passage and the chapters as the README shows them (${look.locale})`,
    timeoutMs: 120_000,
    twin: look.locale === 'en',
    run: (context) => showMore(context, look),
  },
]);
