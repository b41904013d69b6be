import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Answer } from '../fakes/model-server/script';
import { lastText } from '../fakes/model-server/script';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import type { Context } from './harness/context';
import { diffTexts, dirtyTab, goAfter, openFile, tabs } from './harness/editors';
import { sideBarWidth } from './harness/pictures';
import type { Scenario } from './harness/scenario';
import { clock, edited, keyEnv, knock, letter, mender, modelSettings, words, type Edit } from './story';

interface Look {
  readonly locale: 'en' | 'zh-cn';
  readonly colorScheme: 'light' | 'dark';
  readonly accept: string;
  readonly reject: string;
  readonly acceptAll: string;
  readonly waits: string;
}

const looks: readonly Look[] = [
  { locale: 'zh-cn', colorScheme: 'dark', accept: '接受这处', reject: '不采用', acceptAll: '全部接受', waits: '个提议' },
  { locale: 'en', colorScheme: 'light', accept: 'Accept this change', reject: 'Reject', acceptAll: 'Accept all', waits: 'proposed' },
];

const courier: Edit = { path: letter, old: '沈砚秋是送信的', new: '沈砚秋是替人送信的' };
const tweak = '，不紧不慢';

const script = (locale: Look['locale']): readonly Answer[] => [
  { calls: [{ name: 'edit', args: { edits: [courier, knock, clock] } }] },
  { text: words[locale].reply },
  { text: words[locale].answer },
];

/** The lens of this name over a line of the active editor; the `nth` from the top. */
const lens = (page: Page, text: string, nth: number): Locator =>
  page.locator('.editor-group-container.active .codelens-decoration a').filter({ hasText: new RegExp(`^${text}$`) }).nth(nth);

async function review(context: Context, look: Look): Promise<void> {
  const server = await startModelServer({ script: script(look.locale) });
  context.defer(() => server.close());
  const workbench = await context.open({
    locale: look.locale,
    colorScheme: look.colorScheme,
    viewport: { width: 1560, height: 860 },
    settings: { ...modelSettings(server.baseUrl), 'liyuan.agent.apply': 'review' },
    env: keyEnv,
  });
  const { page } = workbench;
  const [letterBefore, menderBefore] = [workbench.fileText(letter), workbench.fileText(mender)];
  let chat = await openChat(workbench);
  await sideBarWidth(page, 380);
  await chat.turn(words[look.locale].ask);
  const card = (): Locator => chat.rows('proposal').last();
  await card().waitFor({ state: 'visible' });
  assert.deepEqual([workbench.fileText(letter), workbench.fileText(mender)], [letterBefore, menderBefore], 'no file has changed');
  assert.deepEqual(await tabs(page), [], 'no tab was opened');
  assert.equal(await chat.rows('changes').count(), 0);
  await page.locator('.statusbar-item').filter({ hasText: `2 ${look.waits}` }).waitFor({ state: 'visible' });

  // The author changes the proposal beside the chapter.
  await card().locator('.file').first().click();
  const proposed = edited(letterBefore, courier, knock);
  assert.deepEqual(await diffTexts(page), { before: letterBefore, after: proposed });
  await page.locator('.monaco-diff-editor .editor.modified .view-lines').click();
  await goAfter(page, proposed, knock.new);
  await page.keyboard.insertText(tweak);
  await page.keyboard.press('Control+S');
  await dirtyTab(page, '001').waitFor({ state: 'detached' });
  assert.equal(workbench.fileText(letter), letterBefore);
  await workbench.shot(`review-diff-${look.locale}`);

  // In the chapter itself: one change accepted, the other rejected.
  // From the list of chapters: quick open may name the proposal first.
  await page.locator('.part.sidebar .monaco-list-row').filter({ hasText: '第一章 雨夜来信' }).first().click();
  await page.locator('.tabs-container .tab.active').filter({ hasNotText: '↔' }).waitFor({ state: 'visible' });
  await lens(page, look.accept, 1).waitFor({ state: 'visible' });
  await workbench.shot(`review-lenses-${look.locale}`);
  await lens(page, look.accept, 1).click();
  const tweaked: Edit = { ...knock, new: knock.new + tweak };
  await lens(page, look.accept, 1).waitFor({ state: 'detached' });
  assert.equal(workbench.fileText(letter), edited(letterBefore, tweaked));
  await lens(page, look.reject, 0).click();
  await lens(page, look.accept, 0).waitFor({ state: 'detached' });
  assert.equal(workbench.fileText(letter), edited(letterBefore, tweaked), 'what was rejected is not in the chapter');
  assert.equal(workbench.fileText(mender), menderBefore);

  await workbench.reload();
  chat = await openChat(workbench);
  await card().waitFor({ state: 'visible' });
  await page.locator('.statusbar-item').filter({ hasText: `1 ${look.waits}` }).waitFor({ state: 'visible' });
  await workbench.shot(`review-card-${look.locale}`);
  await card().locator('.proposal-accept-all').click();
  await card().locator('.proposal-accept-all').waitFor({ state: 'detached' });
  assert.equal(workbench.fileText(mender), edited(menderBefore, clock));

  await chat.turn(words[look.locale].talk);
  const last = server.requests.at(-1);
  assert.ok(last);
  const told = lastText(last);
  const news = told.slice(told.indexOf('【对提议的处理】'));
  assert.ok(told.includes('【对提议的处理】'), told);
  assert.match(news, new RegExp(`\\+ .*${knock.new.slice(-4)}${tweak}`), news);
  assert.ok(news.includes(courier.new), 'what was rejected is told');
  assert.ok(!told.includes('【作者的改动】'), 'what was accepted is not taken for the author’s');
  await workbench.shot(`review-decided-${look.locale}`);
}

/** Files are changed at once: what stands over the places, and beside the lines. */
async function afterwards(context: Context): Promise<void> {
  const server = await startModelServer({ script: script('zh-cn') });
  context.defer(() => server.close());
  const workbench = await context.open({ locale: 'zh-cn', colorScheme: 'light', settings: modelSettings(server.baseUrl), env: keyEnv });
  const { page } = workbench;
  const before = workbench.fileText(letter);
  const chat = await openChat(workbench);
  await chat.turn(words['zh-cn'].ask);
  await openFile(page, '001-雨夜来信.md');
  const undo = lens(page, '撤销这处', 0);
  await undo.waitFor({ state: 'visible' });
  const marks = page.locator('.editor-group-container.active .dirty-diff-glyph');
  assert.equal(await marks.count(), 0, 'the newest checkpoint is what stands there');
  await goAfter(page, edited(before, courier, knock), '她吹了一声铜哨');
  await page.keyboard.insertText('，很轻');
  await marks.first().waitFor({ state: 'visible' });
  await workbench.shot('gutter-and-lenses');
  await undo.click();
  await lens(page, '撤销这处', 1).waitFor({ state: 'detached' });
  assert.equal(await dirtyTab(page, '001-雨夜来信.md').count(), 1, 'what was not saved is not saved');
  await page.keyboard.press('Control+S');
  await dirtyTab(page, '001-雨夜来信.md').waitFor({ state: 'detached' });
  assert.equal(workbench.fileText(letter), edited(before, knock, { path: letter, old: '她吹了一声铜哨', new: '她吹了一声铜哨，很轻' }));
  await workbench.command('梨园: 创建检查点');
  await page.locator('.quick-input-widget .quick-input-title', { hasText: '创建检查点' }).waitFor({ state: 'visible' });
  await page.keyboard.press('Enter');
  await marks.first().waitFor({ state: 'detached' });
  await goAfter(page, workbench.fileText(letter), '她踢到了一只瓶子');
  await page.keyboard.insertText('，空的');
  await marks.first().waitFor({ state: 'visible' });
  await page.keyboard.press('Control+Shift+G');
  await page.locator('.scm-view').waitFor({ state: 'visible' });
  await workbench.shot('gutter-source-control');
}

export const scenarios: readonly Scenario[] = [
  ...looks.map((look) => ({
    name: `review: proposals in two chapters are compared, changed, accepted and rejected one by one, survive a reload, and are told (${look.locale})`,
    timeoutMs: 240_000,
    twin: look.locale === 'en',
    run: (context: Context) => review(context, look),
  })),
  { name: 'gutter: changed lines are marked against the newest checkpoint, and each place of the last turn has its way back', timeoutMs: 180_000, run: afterwards },
];
