import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import type { Context } from './harness/context';
import type { Scenario } from './harness/scenario';
import { keyEnv, modelSettings } from './story';

interface Texts {
  readonly locale: 'en' | 'zh-cn';
  readonly say: readonly [string, string];
  readonly answers: readonly [string, string];
  /** What the question says, and its answer that goes on. */
  readonly over: string;
  readonly goOn: string;
  readonly page: string;
  readonly budget: string;
  readonly nothing: string;
  readonly writing: string;
}

const texts: readonly Texts[] = [
  {
    locale: 'en',
    say: ['What is chapter 1 about?', 'And chapter 2?'],
    answers: ['A letter in the rain.', 'The office of tides.'],
    over: '¥1.44 of ¥1.50 is spent',
    goOn: 'Go on in this turn',
    page: 'Liyuan: Show Usage…',
    budget: 'Budget of today: ¥2.88 of ¥1.50',
    nothing: 'Budget of today: ¥0.00 of ¥1.50',
    writing: 'Writing',
  },
  {
    locale: 'zh-cn',
    say: ['第一章讲什么？', '第二章呢？'],
    answers: ['雨夜里的一封信。', '潮信局。'],
    over: '已用 ¥1.44，上限 ¥1.50',
    goOn: '这一轮继续',
    page: '梨园: 用量…',
    budget: '今日预算：已用 ¥2.88，上限 ¥1.50',
    nothing: '今日预算：已用 ¥0.00，上限 ¥1.50',
    writing: '写作',
  },
];

/** At ¥100 and ¥200 for a million tokens: ¥1.44 a call. */
const usage = { prompt_tokens: 14_000, completion_tokens: 200, total_tokens: 14_200 };
const settings = { 'liyuan.model.price': { input: 100, output: 200, currency: 'CNY' }, 'liyuan.usage.dailyBudget': 1.5 };

async function overBudget(context: Context, text: Texts): Promise<void> {
  const server = await startModelServer({ script: text.answers.map((answer) => ({ text: answer, usage })) });
  context.defer(() => server.close());
  const workbench = await context.open({ locale: text.locale, settings: { ...modelSettings(server.baseUrl), ...settings }, env: keyEnv });
  await workbench.command(text.page);
  const before = await workbench.webview('liyuan-usage .limit');
  // What scenarios before this one took belongs to the same person.
  if ((await before.locator('.calls tbody tr').count()) > 0) {
    await before.locator('liyuan-confirm-button vscode-button').first().click();
    await before.locator('.confirm-yes').click();
  }
  await before.locator('.limit', { hasText: text.nothing }).waitFor({ state: 'visible' });
  const chat = await openChat(workbench);

  await chat.turn(text.say[0]);
  await chat.frame.locator('.usage', { hasText: '¥1.44' }).waitFor({ state: 'visible' });

  await chat.say(text.say[1]);
  const question = chat.rows('ask').filter({ hasText: text.over });
  await question.waitFor({ state: 'visible' });
  assert.equal(server.requests.length, 1, 'nothing is sent before the answer');
  assert.equal(await chat.boxHasFocus(), true, 'the question took no focus');
  await workbench.shot(`usage-over.${text.locale}`);
  await question.locator('.ask-option', { hasText: text.goOn }).click();
  await chat.rows('assistant').filter({ hasText: text.answers[1] }).waitFor({ state: 'visible' });
  await chat.idle();
  assert.equal(server.requests.length, 2);

  await workbench.command(text.page);
  const page = await workbench.webview('liyuan-usage .calls');
  await page.locator('.limit', { hasText: text.budget }).waitFor({ state: 'visible' });
  assert.equal(await page.locator('.calls tbody tr').count(), 2);
  const [row] = await page.locator('.calls tbody tr').allInnerTexts();
  for (const said of ['story', text.writing, '14,000', '200', '¥1.44']) assert.ok(row?.includes(said), `${said} in ${row ?? 'no row'}`);
  await workbench.shot(`usage-page.${text.locale}`);
}

export const scenarios: readonly Scenario[] = texts.map((text) => ({
  name: `usage (${text.locale}): the budget of the day is hit, the person is asked and goes on once, and the page tells what was spent`,
  timeoutMs: 240_000,
  ...(text.locale === 'en' ? { twin: true } : {}),
  run: (context: Context) => overBudget(context, text),
}));
