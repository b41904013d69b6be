import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import type { ChatSnapshot } from '../../../src/protocol/chat';
import type { DayNumbers, NumbersSnapshot } from '../../../src/protocol/numbers';
import { webviewPage } from '../../../src/extension/webviews/html';
import { installFakeHost } from './fake-host';
import { settle, type Bundle } from './page';
import { defaultStyles, theme, type ThemeName } from './theme';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const origin = 'http://localhost';

/** Builds the numbers app as the extension ships it. */
export async function buildNumbers(): Promise<Bundle> {
  const built = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { numbers: 'webview/numbers/main.ts', style: 'webview/numbers/numbers.css' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'chrome128',
    tsconfig: 'webview/tsconfig.json',
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir: 'out',
    logLevel: 'silent',
  });
  const icons = path.join(root, 'node_modules/@vscode/codicons/dist');
  return new Map<string, string | Buffer>([
    ...built.outputFiles.map((file) => [path.basename(file.path), file.text] as const),
    ['codicon.css', await fs.readFile(path.join(icons, 'codicon.css'), 'utf8')],
    ['codicon.ttf', await fs.readFile(path.join(icons, 'codicon.ttf'))],
  ]);
}

export interface NumbersOptions {
  readonly snapshot: NumbersSnapshot;
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly strings?: Readonly<Record<string, string>>;
  readonly locale?: string;
  readonly forcedColors?: boolean;
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

/** The numbers view in a page with the real policy. */
export async function openNumbers(context: BrowserContext, bundle: Bundle, options: NumbersOptions): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize({ width: options.width ?? 380, height: options.height ?? 900 });
  if (options.forcedColors === true) await page.emulateMedia({ forcedColors: 'active' });
  const html = webviewPage({
    cspSource: origin,
    nonce: 'abc123',
    script: '/numbers.js',
    styles: [{ href: '/default.css' }, { href: '/codicon.css' }, { href: '/style.css' }],
    locale: options.locale ?? 'en',
    element: 'liyuan-numbers',
  });
  await page.route(`${origin}/**`, async (route) => {
    const name = path.basename(new URL(route.request().url()).pathname);
    const body = name === 'default.css' ? defaultStyles : bundle.get(name);
    if (name === '') await route.fulfill({ contentType: 'text/html', body: html });
    else if (body === undefined) await route.fulfill({ status: 404 });
    else await route.fulfill({ contentType: types[name.split('.').at(-1) ?? ''] ?? 'text/plain', body });
  });
  const { variables, bodyClass } = theme(options.theme ?? 'dark');
  await page.addInitScript(installFakeHost, {
    // What the fake host passes on as it is.
    snapshot: { ...options.snapshot, epoch: 'e', seq: 0 } as unknown as ChatSnapshot,
    strings: options.strings ?? {},
    locale: options.locale ?? 'en',
    variables,
    bodyClass,
  });
  await page.goto(`${origin}/`);
  await page.waitForSelector('liyuan-numbers > *');
  await settle(page);
  return page;
}

/** Days of two years, the same each time: more towards the end, with rests. */
export function sampleDays(today: string): readonly DayNumbers[] {
  const days: DayNumbers[] = [];
  const end = Date.parse(`${today}T00:00:00Z`);
  for (let n = 480; n >= 1; n -= 1) {
    const day = new Date(end - n * 86_400_000).toISOString().slice(0, 10);
    const dice = (n * 7919) % 101;
    if (n > 9 && (dice < 28 || (n > 200 && n < 232))) continue;
    days.push({ day, user: 300 + dice * 24, agent: dice % 3 === 0 ? dice * 11 : 0 });
  }
  return days;
}

export const sample: NumbersSnapshot = {
  project: 'open',
  today: { day: '2026-12-01', user: 1_000, agent: 203 },
  days: [...sampleDays('2026-12-01')],
  target: 2_000,
  lost: 0,
  chapters: [
    { path: '正文/第一卷 退潮/001-雨夜来信.md', title: '雨夜来信', volume: '第一卷 退潮', words: 2_345, target: 3_000 },
    { path: '正文/第一卷 退潮/002-渡口.md', title: '渡口', volume: '第一卷 退潮', words: 3_120, target: 3_000 },
    { path: '正文/第一卷 退潮/003-修表的人.md', title: '修表的人：一个很长很长的题目，长到一行里怎么也放不下去', volume: '第一卷 退潮', words: 1_870 },
    { path: '正文/第二卷 涨潮/004-雾里的钟.md', title: '雾里的钟', volume: '第二卷 涨潮', words: 640 },
    { path: '正文/第二卷 涨潮/005-空章.md', title: '空章', volume: '第二卷 涨潮', words: 0, target: 2_500 },
  ],
};
