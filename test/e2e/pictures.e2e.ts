import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { foldOthers } from './harness/chapters';
import { editor, goAfter, openFile, tabs } from './harness/editors';
import { unfold, unfoldHistory } from './harness/history';
import { picture, sideBarWidth } from './harness/pictures';
import type { Context } from './harness/context';
import { freshNovel, removeNovel } from './harness/novel';
import { livePast, type PastStep } from './harness/old-history';
import { pane, paneRow } from './harness/panes';
import type { Scenario } from './harness/scenario';
import { runCommand } from './harness/workbench';
import { clock, edited, keyEnv, knock, letter, mainScript, modelSettings, words } from './story';

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

/** Proposals that wait, over the sentences of a chapter. */
async function showReview(context: Context, look: Look): Promise<void> {
  const { ask, reply } = words[look.locale];
  const server = await startModelServer({ script: [{ calls: [{ name: 'edit', args: { edits: [knock, clock] } }] }, { text: reply }] });
  context.defer(() => server.close());
  const settings = { ...modelSettings(server.baseUrl), 'liyuan.agent.apply': 'review' };
  const workbench = await context.open({ locale: look.locale, colorScheme: look.colorScheme, settings, env: keyEnv });
  const { page } = workbench;
  const chat = await openChat(workbench);
  await sideBarWidth(page, 440);
  await chat.turn(ask);
  await chat.rows('proposal').waitFor({ state: 'visible' });
  await paneRow(pane(page, look.locale === 'en' ? 'Chapters' : '章节'), '第一章 雨夜来信').click();
  const over = editor(page).locator('.codelens-decoration a');
  await over.filter({ hasText: knock.new }).first().waitFor({ state: 'visible' });
  await over.filter({ hasText: look.locale === 'en' ? 'Accept this change' : '接受这处' }).first().waitFor({ state: 'visible' });
  await picture(workbench, `review${look.ending}`);
}

/** Half a year of writing: some days more, some less, some nothing, each in one of the chapters. */
function pastYear(folder: string): readonly PastStep[] {
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /正文.*\.md$/.test(name)).sort();
  const texts = new Map(files.map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')]));
  const began = { daysAgo: 190, message: '旧稿', file: files[0] ?? letter, text: texts.get(files[0] ?? letter) ?? '' };
  const days = Array.from({ length: 181 }, (_, at) => 180 - at).filter((day) => day === 0 || (day * 7) % 10 > 2);
  return [began, ...days.map((daysAgo, at): PastStep => {
    const file = files[(at * 5) % files.length] ?? letter;
    const lines = Array.from({ length: 6 + ((daysAgo * 13) % 37) }, (_, line) => `潮水在第${daysAgo}天退到第${line}级石阶，又慢慢涨了上来。\n`);
    const text = `${texts.get(file) ?? ''}\n${lines.join('\n')}`;
    texts.set(file, text);
    return { daysAgo, message: '写', file, text };
  })];
}

async function showNumbers(context: Context, look: Look): Promise<void> {
  const folder = freshNovel();
  context.defer(() => { removeNovel(folder); });
  await livePast(folder, pastYear(folder));
  const workbench = await context.open({ folder, locale: look.locale, colorScheme: look.colorScheme, settings: { 'liyuan.numbers.dailyTarget': 600 } });
  const { page } = workbench;
  await openChat(workbench);
  await foldOthers(page, [look.locale === 'en' ? 'Conversation' : '对话']);
  await runCommand(page, look.locale === 'en' ? 'Show the Numbers' : '查看字数');
  const view = await workbench.webview('liyuan-numbers .heat');
  await view.locator('.heat .day[data-level="4"]').first().waitFor({ state: 'visible' });
  await picture(workbench, `numbers${look.ending}`);
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
  {
    name: `proposals as the README shows them (${look.locale})`,
    timeoutMs: 120_000,
    twin: look.locale === 'en',
    run: (context) => showReview(context, look),
  },
  {
    name: `numbers as the README shows them (${look.locale})`,
    timeoutMs: 180_000,
    twin: look.locale === 'en',
    run: (context) => showNumbers(context, look),
  },
]);
