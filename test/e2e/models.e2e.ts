import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import type { Answer, ServedRequest } from '../fakes/model-server/script';
import { startModelServer, type ModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import type { Context } from './harness/context';
import { notified, quickRow, quickStep } from './harness/model-setup';
import type { Scenario } from './harness/scenario';

interface Texts {
  readonly locale: 'en' | 'zh-cn';
  readonly rehearsal: string;
  readonly page: string;
  readonly switchTitle: string;
  readonly sideRow: string;
  readonly sideTitle: string;
  readonly sideSaid: string;
  /** What the lines of the three tests say, by subject. */
  readonly lines: readonly Readonly<Record<string, string>>[];
}

const texts: readonly Texts[] = [
  {
    locale: 'en',
    rehearsal: 'Rehearsal',
    page: 'Liyuan: Edit the Models',
    switchTitle: 'Switch the model',
    sideRow: 'Model for side work…',
    sideTitle: 'Model for side work',
    sideSaid: 'No tools does the side work',
    lines: [{ tools: 'A tool was called' }, { usage: 'refuses to tell', tools: 'can only talk' }, { reasoning: 'The model thinks', tools: 'A tool was called' }],
  },
  {
    locale: 'zh-cn',
    rehearsal: '排练',
    page: '梨园: 模型设置页',
    switchTitle: '切换模型',
    sideRow: '辅助工作用的模型…',
    sideTitle: '辅助工作用的模型',
    sideSaid: '由「No tools」做辅助工作',
    lines: [{ tools: '调用了一个工具' }, { usage: '不肯告知', tools: '只能说话' }, { reasoning: '模型会思考', tools: '调用了一个工具' }],
  },
];

/** Words, or a call of the tool a test offers. */
const answered = (request: ServedRequest, text: string, more: Readonly<Record<string, unknown>> = {}): Answer => {
  const asksForPing = JSON.stringify(request.body?.tools ?? '').includes('"ping"') && request.body?.messages?.at(-1)?.role === 'user';
  return asksForPing ? { calls: [{ name: 'ping', args: { word: 'pong' } }], ...more } : { text, ...more };
};
const refusal = (message: string): Answer => ({ status: 400, body: { error: { message } } });

const servers: readonly ((request: ServedRequest) => Answer)[] = [
  (request) => answered(request, '我是老实的那个。'),
  ({ body }) => {
    if (body?.['stream_options'] !== undefined) return refusal('Unrecognized request argument supplied: stream_options');
    if (body?.tools !== undefined) return refusal('This model does not support tools.');
    return { raw: ['data: {"choices":[{"index":0,"delta":{"content":"我不会用工具。"},"finish_reason":"stop"}]}\n\n', 'data: [DONE]\n\n'] };
  },
  (request) => {
    const called = request.body?.messages?.find(({ tool_calls: calls }) => calls !== undefined);
    if (called !== undefined && called['reasoning_content'] === undefined) return refusal('The reasoning_content in the thinking mode must be passed back to the API.');
    return answered(request, '想好了。', { reasoning: '让我慢慢想一想。', delayMs: 60 });
  },
];

const titles = ['Plain', 'No tools', 'Slow thinker'] as const;

/** Tests the profile with this title on the page, and gives what each line says. */
async function testOn(page: Frame, title: string): Promise<Readonly<Record<string, { readonly verdict: string; readonly text: string }>>> {
  await page.locator(`.item[data-title="${title}"]`).click();
  await page.locator('.item[aria-current="true"]', { hasText: title }).waitFor();
  await page.locator('.test').click();
  await page.locator('.line[data-subject="tools"]').waitFor({ state: 'visible', timeout: 30_000 });
  await page.locator('.running').waitFor({ state: 'detached' });
  const lines = await page.locator('.line').all();
  const read = lines.map(async (line) => [(await line.getAttribute('data-subject')) ?? '', { verdict: (await line.getAttribute('data-verdict')) ?? '', text: await line.locator('dd').innerText() }] as const);
  return Object.fromEntries(await Promise.all(read));
}

async function models(context: Context, text: Texts): Promise<void> {
  const started: ModelServer[] = [];
  for (const script of servers) {
    const server = await startModelServer({ script, models: ['story-small', 'story-large'] });
    started.push(server);
    context.defer(() => server.close());
  }
  const profiles = titles.map((title, at) => ({ title, baseUrl: started[at]?.origin ?? '', name: `model-${String(at + 1)}` }));
  const workbench = await context.open({ locale: text.locale, settings: { 'liyuan.models': profiles } });
  const { page } = workbench;
  const chat = await openChat(workbench);
  const chip = chat.frame.locator('button.model');
  assert.equal((await chip.innerText()).trim(), text.rehearsal);

  // Who writes, and who does the side work.
  await chip.click();
  const pick = await quickStep(page, text.switchTitle);
  await quickRow(pick.widget, 'Plain', 'model-1', `${started[0]?.origin ?? ''}/v1/chat/completions`);
  await workbench.shot(`models-switch.${text.locale}`);
  await (await quickRow(pick.widget, 'Plain')).click();
  await chat.frame.locator('button.model', { hasText: 'model-1' }).waitFor({ state: 'visible' });
  await chat.turn('你好。');
  await chat.rows('assistant').filter({ hasText: '我是老实的那个。' }).waitFor({ state: 'visible' });

  await chip.click();
  await quickStep(page, text.switchTitle);
  await (await quickRow(pick.widget, text.sideRow)).click();
  const side = await quickStep(page, text.sideTitle);
  await (await quickRow(side.widget, 'No tools')).click();
  await notified(page, text.sideSaid);
  await chip.click();
  const again = await quickStep(page, text.switchTitle);
  await quickRow(again.widget, 'No tools', text.locale === 'en' ? 'side work' : '辅助');
  await again.input.fill('Slow');
  await page.keyboard.press('Enter');
  await chat.frame.locator('button.model', { hasText: 'model-3' }).waitFor({ state: 'visible' });
  await chat.turn('再说一句。');
  await chat.rows('assistant').filter({ hasText: '想好了。' }).waitFor({ state: 'visible' });
  assert.deepEqual(started.map(({ requests }) => requests.length), [1, 0, 1]);

  // What each endpoint can do.
  await workbench.command(text.page);
  const settings = await workbench.webview('liyuan-models .item');
  for (const [at, title] of titles.entries()) {
    const found = await testOn(settings, title);
    assert.ok(found['address']?.text.includes(`${started[at]?.origin ?? ''}/v1/chat/completions`), found['address']?.text);
    for (const [subject, said] of Object.entries(text.lines[at] ?? {})) assert.ok(found[subject]?.text.includes(said), `${title}, ${subject}: ${found[subject]?.text ?? 'nothing'}`);
    assert.equal(found['streaming']?.verdict, 'ok');
    await workbench.shot(`models-test-${String(at + 1)}.${text.locale}`);
  }

  // The name from the list, saved: the next turn asks it.
  await settings.locator('.list-models').click();
  await settings.locator('.name', { hasText: 'story-large' }).waitFor({ state: 'visible' });
  await settings.locator('#field-name').fill('');
  await settings.locator('.name', { hasText: 'story-large' }).click();
  await settings.locator('.save').click();
  await settings.locator('.said').filter({ hasText: /Saved|已保存/ }).waitFor({ state: 'visible' });
  await workbench.shot(`models-page.${text.locale}`);
  await chat.frame.locator('button.model', { hasText: 'story-large' }).waitFor({ state: 'visible' });
}

export const scenarios: readonly Scenario[] = texts.map((text) => ({
  name: `models (${text.locale}): switching who writes, and testing three endpoints that differ`,
  twin: text.locale === 'en',
  timeoutMs: 240_000,
  run: (context: Context) => models(context, text),
}));
