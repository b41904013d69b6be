import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { openFile, tabs } from './harness/editors';
import { historyRow, historyView, unfold, unfoldHistory } from './harness/history';
import { picture, sideBarWidth } from './harness/pictures';
import type { Context } from './harness/context';
import type { Scenario } from './harness/scenario';
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
  const history = historyView(page, look.history);
  const row = historyRow(history, ask.slice(0, 8));
  await row.waitFor({ state: 'visible' });
  await picture(workbench, `turn${look.ending}`);

  await unfold(row);
  await historyRow(history, '001-雨夜来信.md').click();
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

export const scenarios: readonly Scenario[] = looks.map((look) => ({
  name: `the main scenario as the README shows it (${look.locale}), wide and narrow, light and dark`,
  timeoutMs: 180_000,
  run: (context) => show(context, look),
}));
