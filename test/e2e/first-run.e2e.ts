import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import { notified, quickRow, quickStep } from './harness/model-setup';
import type { Context } from './harness/context';
import type { Scenario } from './harness/scenario';
import { edited, key, knock, letter } from './story';

interface Texts {
  readonly locale: 'en' | 'zh-cn';
  readonly rehearsal: string;
  readonly setUp: string;
  readonly use: string;
  readonly steps: readonly [address: string, key: string, name: string];
  readonly answers: string;
}

const texts: readonly Texts[] = [
  {
    locale: 'en',
    rehearsal: 'Rehearsal',
    setUp: 'Set up the model…',
    use: 'Use this address',
    steps: ['Set up the model: address', 'Set up the model: key', 'Set up the model: name'],
    answers: 'The model answers',
  },
  {
    locale: 'zh-cn',
    rehearsal: '排练',
    setUp: '设置模型…',
    use: '使用这个地址',
    steps: ['设置模型：地址', '设置模型：密钥', '设置模型：名称'],
    answers: '模型有回应',
  },
];

async function firstRun(context: Context, text: Texts): Promise<void> {
  const server = await startModelServer({ script: { otherwise: { text: '真正的模型来了。' } }, apiKey: key, models: ['story-small', 'story-large'] });
  context.defer(() => server.close());
  const workbench = await context.open({ locale: text.locale });
  const { page } = workbench;
  const before = workbench.fileText(letter);
  const chat = await openChat(workbench);
  const chip = chat.frame.locator('button.model');
  assert.equal((await chip.innerText()).trim(), text.rehearsal);
  await workbench.shot(`first-run-empty.${text.locale}`);

  // The example of the README.
  await chat.turn(`把「${knock.old}」改成「${knock.new}」`);
  assert.equal(workbench.fileText(letter), edited(before, knock));
  assert.match(await chat.rows('assistant').last().innerText(), /排练/);
  await chat.rows('notice').getByText(text.setUp).waitFor({ state: 'visible' });
  await workbench.shot(`first-run-rehearsal.${text.locale}`);

  await chat.rows('notice').getByText(text.setUp).click();
  const address = await quickStep(page, text.steps[0]);
  await address.input.fill(server.origin);
  await quickRow(address.widget, text.use, `→ ${server.origin}/v1/chat/completions`);
  await workbench.shot(`first-run-address.${text.locale}`);
  await page.keyboard.press('Enter');
  const secret = await quickStep(page, text.steps[1]);
  assert.equal(await secret.input.getAttribute('type'), 'password');
  await secret.input.fill(key);
  await page.keyboard.press('Enter');
  const name = await quickStep(page, text.steps[2]);
  const row = await quickRow(name.widget, 'story-large');
  await workbench.shot(`first-run-models.${text.locale}`);
  await row.click();
  await notified(page, text.answers);

  await chat.frame.locator('button.model', { hasText: 'story-large' }).waitFor({ state: 'visible' });
  const asked = server.requests.length;
  await chat.turn('你好，轮到你了。');
  await chat.rows('assistant').filter({ hasText: '真正的模型来了。' }).waitFor({ state: 'visible' });
  const request = server.requests[asked];
  assert.equal(request?.headers['authorization'], `Bearer ${key}`);
  assert.equal(request.body?.model, 'story-large');
  await workbench.shot(`first-run-done.${text.locale}`);
}

/** The boxes take what is typed, and say what is wrong with it. */
async function typed(context: Context): Promise<void> {
  const server = await startModelServer({ script: { otherwise: { text: '好。' } }, models: ['model-large', 'm-small'] });
  context.defer(() => server.close());
  const workbench = await context.open({ locale: 'en', settings: { 'liyuan.model.baseUrl': server.origin, 'liyuan.model.name': 'model-x' } });
  const { page } = workbench;
  const chat = await openChat(workbench);
  await workbench.command('Liyuan: Set Up the Model');
  const address = await quickStep(page, 'Set up the model: address');
  await address.input.fill('not an address');
  await quickRow(address.widget, 'This address cannot be used', 'https://api.example.com/v1');
  await page.keyboard.press('Enter');
  await address.input.fill('htp:/foo');
  await quickRow(address.widget, 'This address cannot be used', '“htp:”');
  await workbench.shot('model-address-wrong');
  await page.keyboard.press('Enter');
  await address.input.fill(server.origin);
  await quickRow(address.widget, 'Use this address', `→ ${server.origin}/v1/chat/completions`);
  await page.keyboard.press('Enter');
  const secret = await quickStep(page, 'Set up the model: key');
  await secret.widget.getByText(`only to ${server.origin}`).waitFor({ state: 'visible' });
  await page.keyboard.press('Enter');
  const name = await quickStep(page, 'Set up the model: name');
  await quickRow(name.widget, 'model-large');
  await name.input.fill('m');
  await quickRow(name.widget, 'as typed');
  assert.match(await name.widget.locator('.quick-input-list .monaco-list-row').first().innerText(), /^m\s*as typed/);
  await page.keyboard.press('Enter');
  await chat.frame.locator('button.model .model-name', { hasText: /^m$/ }).waitFor({ state: 'visible' });
}

export const scenarios: readonly Scenario[] = [
  ...texts.map((text) => ({
    name: `first run (${text.locale}): the rehearsal really edits, then a model is set up step by step and answers with the key`,
    timeoutMs: 180_000,
    twin: text.locale === 'en',
    run: (context: Context) => firstRun(context, text),
  })),
  { name: 'setting up a model: what is typed is taken, and what is wrong with it is said', timeoutMs: 120_000, run: typed },
];
