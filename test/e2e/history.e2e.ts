import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Context, Workbench } from './harness/context';
import { diffTexts, editor, openFile, textOf } from './harness/editors';
import { notice, question, quickPick, rowButton, rowMenu, unfold, unfoldHistory } from './harness/history';
import { freshNovel, removeNovel } from './harness/novel';
import { pane, paneRow } from './harness/panes';
import { livePast, type PastStep } from './harness/old-history';
import type { Scenario } from './harness/scenario';
import { bureau, letter } from './story';

const outline = '大纲/总纲.md';
const objectOf = (text: string): string => {
  const sha = createHash('sha256').update(text).digest('hex');
  return `.liyuan/objects/${sha.slice(0, 2)}/${sha}`;
};

interface Past {
  readonly folder: string;
  /** Texts by the message of the checkpoint that holds them. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Sixty drafts of the outline a year ago, then three changes of chapters lately. */
function past(context: Context): { readonly folder: string; readonly steps: readonly PastStep[] } {
  const folder = freshNovel();
  context.defer(() => removeNovel(folder));
  const text = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');
  const steps: PastStep[] = Array.from({ length: 60 }, (_, at) => ({ daysAgo: 400 - at, message: `总纲第${at + 1}稿`, file: outline, text: `${text(outline)}\n第${at + 1}次改动。\n` }));
  steps.push({ daysAgo: 1, message: '潮信局初稿', file: bureau, text: text(bureau).replace('「', '『') });
  steps.push({ daysAgo: 0, message: '雨夜来信改名', file: letter, text: `${text(letter)}\n信还在桌上。\n` });
  steps.push({ daysAgo: 0, message: '潮信局定稿', file: bureau, text: `${text(bureau)}\n钟又敲了一下。\n` });
  return { folder, steps };
}

async function open(context: Context): Promise<Past & { readonly workbench: Workbench; readonly view: ReturnType<typeof pane> }> {
  const { folder, steps } = past(context);
  await livePast(folder, steps);
  const workbench = await context.open({ folder, locale: 'zh-cn', viewport: { width: 1280, height: 1100 } });
  await workbench.container('梨园');
  await unfoldHistory(workbench.page);
  const view = pane(workbench.page, '历史');
  await paneRow(view, '潮信局定稿').waitFor({ state: 'visible' });
  return { folder, workbench, view, texts: new Map(steps.map(({ message, text }) => [message, text])) };
}

export const scenarios: readonly Scenario[] = [
  {
    name: 'one file’s history, any two compared, a state read, one file restored',
    timeoutMs: 180_000,
    async run(context) {
      const { workbench, view, texts } = await open(context);
      const { page } = workbench;
      const now = texts.get('潮信局定稿') ?? '';
      const then = texts.get('潮信局初稿') ?? '';
      await paneRow(view, /潮信局定稿.*\+8 \/ −1 字/).waitFor({ state: 'visible' });

      await workbench.command('梨园: 只看一个文件的历史…');
      await (await quickPick(page, '一个文件的历史')).choose('002-潮信局.md');
      await view.locator('.pane-header .description').filter({ hasText: '只看 002-潮信局.md' }).waitFor({ state: 'visible' });
      await paneRow(view, '雨夜来信改名').waitFor({ state: 'detached' });
      const early = paneRow(view, '潮信局初稿');
      await early.waitFor({ state: 'visible' });
      await workbench.shot('history-filter.zh-cn');

      const late = paneRow(view, '潮信局定稿');
      await late.click();
      await early.click({ modifiers: ['Control'] });
      await rowMenu(page, early, '比较这两项');
      assert.deepEqual(await diffTexts(page), { before: then, after: now });
      assert.match(await page.locator('.tabs-container .tab.active').innerText(), /潮信局初稿 \(.+\) ↔ 潮信局定稿 \(.+\)/);
      await workbench.shot('history-compare.zh-cn');

      await workbench.command('梨园: 查看全部历史');
      await paneRow(view, '雨夜来信改名').waitFor({ state: 'visible' });
      await rowButton(paneRow(view, '潮信局初稿'), '只读打开此状态');
      await (await quickPick(page, '潮信局初稿')).choose('002-潮信局.md');
      await page.locator('.tabs-container .tab.active').filter({ hasText: '002-潮信局.md (潮信局初稿' }).waitFor({ state: 'visible' });
      assert.equal(await textOf(page, editor(page)), then);
      await page.keyboard.type('x');
      assert.equal(await textOf(page, editor(page)), then, 'it is for reading only');
      await workbench.shot('history-read-only.zh-cn');

      await rowMenu(page, paneRow(view, '潮信局初稿'), '恢复其中一个文件…');
      await (await quickPick(page, '潮信局初稿')).choose('002-潮信局.md');
      const asked = await question(page);
      assert.match(asked.title, /^把 ?正文\/第一卷 退潮\/002-潮信局\.md/);
      await asked.answer('恢复');
      await paneRow(view, /恢复/).waitFor({ state: 'visible' });
      assert.equal(workbench.fileText(bureau), then);
      assert.equal(workbench.fileText(letter), texts.get('雨夜来信改名'));

      await openFile(page, '001-雨夜来信.md');
      await workbench.command('梨园: 查看此文件的历史');
      await view.locator('.pane-header .description').filter({ hasText: '只看 001-雨夜来信.md' }).waitFor({ state: 'visible' });
      await paneRow(view, '潮信局定稿').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'pinned and named stay on top and through a clean-up, which shows first what goes; verifying names what is damaged',
    timeoutMs: 180_000,
    async run(context) {
      const { folder, workbench, view, texts } = await open(context);
      const { page } = workbench;
      const log = (): string => workbench.fileText('.liyuan/checkpoints/log.jsonl');

      await rowMenu(page, paneRow(view, '雨夜来信改名'), '固定');
      const kept = paneRow(view, '已固定与已命名');
      await kept.waitFor({ state: 'visible' });
      await rowMenu(page, paneRow(view, '潮信局定稿'), '命名…');
      await page.locator('.quick-input-widget input[type="text"]').first().fill('交稿');
      await page.keyboard.press('Enter');
      await unfold(kept);
      await paneRow(view, /^交稿/).waitFor({ state: 'visible' });
      await workbench.shot('history-kept.zh-cn');

      await workbench.command('梨园: 清理旧检查点…');
      const first = await quickPick(page, '清理旧检查点');
      assert.match(await first.active.innerText(), /取消：全部保留/);
      assert.match(await first.rows.nth(1).innerText(), /清理：去掉 12 个检查点，腾出 .+/);
      await workbench.shot('history-clean-up.zh-cn');
      const before = log();
      await page.keyboard.press('Enter');
      await first.rows.first().waitFor({ state: 'hidden' });
      assert.equal(log(), before, 'nothing went');
      assert.ok(fs.existsSync(path.join(folder, objectOf(texts.get('总纲第1稿') ?? ''))));

      await workbench.command('梨园: 清理旧检查点…');
      await (await quickPick(page, '清理旧检查点')).choose('清理：去掉');
      await notice(page, '清理了 12 个检查点').waitFor({ state: 'visible' });
      assert.match(log().slice(before.length), /^\{"type":"prune","ids":\[.+\]/);
      assert.ok(!fs.existsSync(path.join(folder, objectOf(texts.get('总纲第1稿') ?? ''))));

      await workbench.command('梨园: 校验历史');
      await notice(page, /已校验 51 个检查点、\d+ 份存下的文本：全部完好。/).waitFor({ state: 'visible' });
      // In between: VS Code shows no more than two notices at once as toasts.
      await workbench.command('梨园: 查看历史占用的空间');
      const sizes = await quickPick(page, /梨园在此项目中的文件夹：.+B/);
      await sizes.rows.filter({ hasText: '存下的文本' }).waitFor({ state: 'visible' });
      await workbench.shot('history-size.zh-cn');
      await page.keyboard.press('Escape');
      fs.writeFileSync(path.join(folder, objectOf(texts.get('雨夜来信改名') ?? '')), 'damaged');
      await workbench.command('梨园: 校验历史');
      const bad = notice(page, /1 处损坏或缺失/);
      await bad.waitFor({ state: 'visible' });
      await bad.locator('.monaco-button').filter({ hasText: '查看是哪些' }).click();
      const found = await quickPick(page, /1 处损坏或缺失/);
      assert.match(await found.rows.first().innerText(), /001-雨夜来信\.md[\s\S]*损坏[\s\S]*无法完整恢复：交稿 \(.+\), 雨夜来信改名/);
      await workbench.shot('history-verify.zh-cn');
      await page.keyboard.press('Escape');
    },
  },
];
