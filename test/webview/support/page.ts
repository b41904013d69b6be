import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ChatSnapshot } from '../../../src/protocol/chat';
import { webviewPage } from '../../../src/extension/webviews/html';
import { idle } from './samples';
import { installFakeHost, type Asked } from './fake-host';
import { defaultStyles, theme, type ThemeName } from './theme';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const origin = 'http://localhost';
const nonce = 'abc123';

/** The built app, by file name, held in memory. */
export type Bundle = ReadonlyMap<string, string | Buffer>;

/** Builds an app as the extension ships it. */
export async function buildApp(app: string): Promise<Bundle> {
  const built = await esbuild.build({
    absWorkingDir: root,
    entryPoints: { [app]: `webview/${app}/main.ts`, style: `webview/${app}/${app}.css` },
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

export const buildChat = (): Promise<Bundle> => buildApp('chat');

/** Texts of the Chinese UI: the extension's own bundle, by English text. */
export async function chineseStrings(english: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const bundle = JSON.parse(await fs.readFile(path.join(root, 'l10n/bundle.l10n.zh-cn.json'), 'utf8')) as Record<string, string>;
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, bundle[text] ?? text]));
}

export interface OpenOptions {
  readonly snapshot: ChatSnapshot;
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly strings?: Readonly<Record<string, string>>;
  readonly locale?: string;
  readonly forcedColors?: boolean;
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', ttf: 'font/ttf' };

/** A browser whose pages share one profile; what a page keeps (`setState`) is its own all the same. */
export async function openContext(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'reduce' });
}

/** The chat view in a page with the real policy, beside a host a test controls. */
export async function openChat(context: BrowserContext, bundle: Bundle, options: OpenOptions): Promise<Page> {
  const page = await openPage(context, bundle, 'chat', options);
  await page.waitForSelector('liyuan-chat .log');
  await settle(page);
  return page;
}

/** Another app, answered with `ready`. */
export async function openApp(
  context: BrowserContext,
  bundle: Bundle,
  app: string,
  options: Omit<OpenOptions, 'snapshot'> & { readonly ready: Readonly<Record<string, unknown>> },
): Promise<Page> {
  const page = await openPage(context, bundle, app, { ...options, snapshot: { epoch: 'e1', seq: 0, project: 'open', items: [], status: idle } });
  await settle(page);
  await settle(page);
  return page;
}

async function openPage(context: BrowserContext, bundle: Bundle, app: string, options: OpenOptions & { readonly ready?: Readonly<Record<string, unknown>> }): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize({ width: options.width ?? 380, height: options.height ?? 720 });
  if (options.forcedColors === true) await page.emulateMedia({ forcedColors: 'active' });
  const html = webviewPage({
    cspSource: origin,
    nonce,
    script: `/${app}.js`,
    styles: [{ href: '/default.css' }, { href: '/codicon.css' }, { href: '/style.css' }],
    locale: options.locale ?? 'en',
    element: `liyuan-${app}`,
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
    snapshot: options.snapshot,
    ...(options.ready === undefined ? {} : { ready: options.ready }),
    strings: options.strings ?? {},
    locale: options.locale ?? 'en',
    variables,
    bodyClass,
  });
  await page.goto(`${origin}/`);
  return page;
}

/** Waits until what was posted is painted. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => { resolve(); }))));
      }),
  );
}

/** Requests with this name so far. */
export async function asked(page: Page, name: string): Promise<readonly Asked[]> {
  const all = await page.evaluate(() => window.liyuanHost.asked);
  return all.filter((one) => one.name === name);
}

/** Elements that stick out of the view sideways, and buttons whose words do not fit in them. */
export async function overflowing(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const clipped = [...document.querySelectorAll<HTMLElement>('vscode-button')]
      .filter((button) => {
        const outer = button.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(button);
        const inner = range.getBoundingClientRect();
        return inner.bottom > outer.bottom + 0.5 || inner.right > outer.right + 0.5;
      })
      .map((button) => `clipped: ${button.textContent}`);
    const outside = [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => {
        const box = element.getBoundingClientRect();
        if (box.width === 0 || element.closest('.sr-only, .md-table, .md-code pre')) return false;
        return box.right > width + 0.5 || box.left < -0.5;
      })
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
    return [...clipped, ...outside];
  });
}

const shots = path.join(root, 'test/e2e/out/webview');

/** Keeps a picture under test/e2e/out/webview/. */
export async function shot(page: Page, name: string): Promise<void> {
  await fs.mkdir(shots, { recursive: true });
  await page.screenshot({ path: path.join(shots, `${name}.png`), animations: 'disabled', caret: 'initial' });
}
