import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chatStrings } from '../../src/protocol/chat-strings';
import { chineseStrings, overflowing, settle, shot, type OpenOptions } from './support/page';
import { ask, fullTurn, idle, proposal, snapshotOf, summarised, toggles, user, withForbidden, writing } from './support/samples';
import { useChat } from './support/use-chat';

const { open } = useChat();
let chinese: Record<string, string>;

beforeAll(async () => {
  chinese = await chineseStrings(chatStrings);
});

const usage = { input: 12_345, output: 678, window: 128_000 };
const rehearsing = { name: 'rehearsal', rehearsal: true, configured: false };
const tall = { height: 1150 };

type Prepare = (page: Page) => Promise<void>;
type Picture = readonly [name: string, options: OpenOptions, prepare: Prepare];

const asItIs: Prepare = () => Promise.resolve();

const pictures: readonly Picture[] = [
  ['empty', { snapshot: snapshotOf([], { status: { ...idle, model: rehearsing } }) }, asItIs],
  ['no-folder', { snapshot: snapshotOf([], { project: 'none', lacking: 'folder' }) }, asItIs],
  ['turn', { ...tall, snapshot: snapshotOf(fullTurn, { status: { ...idle, usage } }) }, asItIs],
  [
    'turn-unfolded',
    { ...tall, snapshot: snapshotOf(fullTurn, { status: { ...idle, usage } }) },
    async (page) => {
      await page.locator('.thinking summary').click();
      await page.locator('[data-id="c3"] .tool-toggle').click();
      await page.locator('.changes-undo vscode-button').click();
      await page.locator('.log').evaluate((log) => { log.scrollTop = 0; });
    },
  ],
  ['writing', { snapshot: snapshotOf(writing, { status: { ...idle, phase: 'generating', usage } }) }, asItIs],
  ['asking', { snapshot: snapshotOf([user('u1', '接下来怎么写？给我几个选项。'), ask('a1')], { status: { ...idle, phase: 'waiting', usage } }) }, asItIs],
  [
    'troubles',
    {
      snapshot: snapshotOf(
        [
          { kind: 'notice', id: 'n1', level: 'info', text: '现在是排练模型，它只是按规则办事的替身。', actions: [{ action: 'configureModel', label: '设置模型…' }] },
          { kind: 'notice', id: 'n2', level: 'warning', text: '这些地方你已经改过，所以留着没动：正文/第一卷 退潮/001-雨夜来信.md', actions: [] },
          { kind: 'notice', id: 'n3', level: 'error', text: '密钥不被接受（401）。', actions: [{ action: 'configureModel', label: '设置模型…' }, { action: 'retry', label: '再试一次' }] },
          { kind: 'notice', id: 'n4', level: 'warning', text: '服务要求放慢速度（RPM 3），20 秒后重试（第 1 次）。', actions: [{ action: 'retryNow', label: '立即重试' }, { action: 'stop', label: '停止' }], countdown: { reason: '服务要求放慢速度（RPM 3）', attempt: 1, ms: 20_000, until: Number.MAX_SAFE_INTEGER } },
          { kind: 'interrupted', id: 'i1', turnId: 'u1', partial: '雾是从海那头推过来的', waiting: true },
        ],
        { status: { ...idle, readOnly: true, readOnlyReason: '另一个窗口正在写这个对话，这里只能看。' } },
      ),
    },
    asItIs,
  ],
  [
    'sessions',
    { snapshot: snapshotOf(fullTurn) },
    async (page) => {
      await page.evaluate(() => {
        const titles = ['第一卷 修订', '人物小传：阿满', '大纲讨论', '写一章《雾里的钟》接在后面，再把前面的伏笔收一收', '世界书整理', '时间线', '改名', '新的开头', '结尾'];
        window.liyuanHost.answers['sessions'] = { sessions: titles.map((title, n) => ({ id: `s${n + 1}`, title, updatedAt: Date.now() - n * 9_000_000, current: n === 0, deleted: false })) };
      });
      await page.locator('.session-button').click();
    },
  ],
  ['summary', { snapshot: snapshotOf(summarised) }, asItIs],
  ['summary-unfolded', { snapshot: snapshotOf(summarised), width: 300 }, async (page) => { await page.locator('.summary summary').click(); }],
  [
    'toggles',
    { snapshot: snapshotOf(summarised), width: 300 },
    async (page) => {
      await page.evaluate((answer) => { window.liyuanHost.answers['toggles'] = answer; }, toggles);
      await page.locator('.toggles-button').click();
    },
  ],
  ['forbidden', { snapshot: snapshotOf([withForbidden]), width: 300 }, asItIs],
  ['proposal', { width: 300, snapshot: snapshotOf([user('u1', '钟声改得像敲门；总纲跟上。'), proposal]) }, asItIs],
  ['proposal-wide', { width: 460, snapshot: snapshotOf([user('u1', '钟声改得像敲门；总纲跟上。'), proposal]) }, asItIs],
  ['no-project', { height: 400, snapshot: snapshotOf([], { project: 'none' }) }, asItIs],
];

describe.each(['light', 'dark', 'hc'] as const)('in %s', (theme) => {
  it.each(pictures)('%s', async (name, options, prepare) => {
    const page = await open([], { theme, strings: chinese, locale: 'zh-cn', ...options });
    await prepare(page);
    await settle(page);
    await page.waitForTimeout(50);
    await shot(page, `${name}-${theme}`);
    expect(await overflowing(page)).toEqual([]);
    expect(await page.evaluate(() => window.liyuanHost.violations)).toEqual([]);
    await page.close();
  });
});

describe('at other sizes', () => {
  it.each([
    ['narrow', { width: 300 }],
    ['wide', { width: 1100 }],
  ] as const)('%s', async (name, size) => {
    const page = await open([], { ...tall, ...size, theme: 'dark', snapshot: snapshotOf(fullTurn, { status: { ...idle, usage } }) });
    await shot(page, `turn-${name}`);
    expect(await overflowing(page)).toEqual([]);
    await page.close();
  });

  it('with forced colours', async () => {
    const page = await open([], { ...tall, theme: 'hc', forcedColors: true, snapshot: snapshotOf(fullTurn, { status: { ...idle, usage } }) });
    await shot(page, 'turn-forced-colours');
    await page.close();
  });
});
