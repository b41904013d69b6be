import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { workbenchUrl } from '../../../scripts/lib/server-process.mjs';
import { freshNovel, removeNovel } from './novel';
import type { Servers } from './servers';
import { openContainer, outFolder, runCommand, shot, webviewFrame } from './workbench';

export interface OpenOptions {
  /** Folder to open; a fresh copy of the sample novel if not given. Not removed afterwards when given. */
  readonly folder?: string;
  /** User settings, e.g. `{'liyuan.model.baseUrl': …}`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment of the extension host, e.g. `{LIYUAN_API_KEY: …}`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Display language. Default English. */
  readonly locale?: 'en' | 'zh-cn';
  readonly viewport?: { readonly width: number; readonly height: number };
  /** `light` if not given; decides VS Code's theme. */
  readonly colorScheme?: 'light' | 'dark';
  /** false: the folder is untrusted, as a stranger's folder is. Default true. */
  readonly trust?: boolean;
  /** A packed extension to install into a server of its own, instead of the repository as it stands. */
  readonly vsix?: string;
}

/** An open VS Code window. */
export interface Workbench {
  readonly page: Page;
  /** Absolute path of the opened folder. */
  readonly folder: string;
  readonly serverPid: number;
  /** Frame of the webview that holds `selector`. */
  webview(selector: string, timeoutMs?: number): Promise<Frame>;
  /** Runs a command by its words in the command palette. */
  command(title: string): Promise<void>;
  /** Opens the view container whose activity-bar icon carries `title`. */
  container(title: string): Promise<void>;
  /** Keeps `test/e2e/out/<name>.png`. */
  shot(name: string): Promise<string>;
  /** Loads the window again, as 「Reload Window」 does: the extension host starts anew. */
  reload(): Promise<void>;
  /** Closes the window. Nothing is asked. */
  close(): Promise<void>;
  /** Another window on the same server, by default on the same folder. */
  another(folder?: string): Promise<Workbench>;
  /** Text of a file of the opened folder as it is on disk. */
  fileText(relative: string): string;
  /** Its bytes. */
  fileBytes(relative: string): Buffer;
  /** Lines the page wrote to its console as errors so far. */
  readonly consoleErrors: readonly string[];
}

/** What a scenario gets. Everything opened through it is closed after the scenario, also when it fails. */
export interface Context {
  open(options?: OpenOptions): Promise<Workbench>;
  /** Runs after the scenario, last registered first. */
  defer(cleanUp: () => Promise<void> | void): void;
}

export interface ContextHandle extends Context {
  readonly pages: readonly Page[];
  close(): Promise<void>;
}

const testSettings = {
  'git.enabled': false,
  'window.autoDetectColorScheme': true,
  'window.commandCenter': false,
  'window.title': '${rootName}',
  'workbench.preferredLightColorTheme': 'Default Light Modern',
  'workbench.preferredDarkColorTheme': 'Default Dark Modern',
  'workbench.reduceMotion': 'on',
  'workbench.activityBar.compact': false,
  'editor.cursorBlinking': 'solid',
  'editor.wordWrap': 'on',
};

/** `slug` names the scenario's log. Servers are borrowed and stay. */
export function createContext(browser: Browser, slug: string, servers: Servers): ContextHandle {
  const cleanUps: (() => Promise<void> | void)[] = [];
  const pages: Page[] = [];
  fs.mkdirSync(outFolder, { recursive: true });
  const log = fs.createWriteStream(path.join(outFolder, `${slug}.log`));
  servers.logTo(log);
  const handle: ContextHandle = {
    pages,
    defer: (cleanUp) => void cleanUps.push(cleanUp),
    async open(options = {}) {
      const folder = options.folder ?? freshNovel();
      if (options.folder === undefined) cleanUps.push(() => removeNovel(folder));
      const { locale, env, trust, vsix } = options;
      const server = await servers.get({ locale, env, trust, vsix }, { ...testSettings, ...options.settings });
      const profile = await browser.newContext({
        viewport: options.viewport ?? { width: 1280, height: 800 },
        colorScheme: options.colorScheme ?? 'light',
        locale: locale === 'zh-cn' ? 'zh-CN' : 'en-US',
        timezoneId: 'Asia/Shanghai',
      });
      cleanUps.push(() => profile.close());
      await profile.grantPermissions(['clipboard-read', 'clipboard-write']);
      const openWindow = (where: string): Promise<Workbench> =>
        openPage({ profile, log, pages, serverPid: server.pid ?? -1, folder: where, url: workbenchUrl(server, { folder: where }), openWindow });
      return openWindow(folder);
    },
    async close() {
      const failures: unknown[] = [];
      for (const cleanUp of cleanUps.splice(0).reverse()) {
        try {
          await cleanUp();
        } catch (error) {
          failures.push(error);
        }
      }
      // A server may say more after this, while no scenario runs.
      servers.logTo(undefined);
      await new Promise<void>((resolve) => log.end(resolve));
      if (failures.length > 0) throw new AggregateError(failures, 'Cleaning up failed');
    },
  };
  return handle;
}

interface PageOptions {
  readonly profile: BrowserContext;
  readonly log: NodeJS.WritableStream;
  readonly pages: Page[];
  readonly serverPid: number;
  readonly folder: string;
  readonly url: string;
  openWindow(folder: string): Promise<Workbench>;
}

async function openPage({ profile, log, pages, serverPid, folder, url, openWindow }: PageOptions): Promise<Workbench> {
  const page = await profile.newPage();
  page.setDefaultTimeout(60_000);
  pages.push(page);
  const consoleErrors: string[] = [];
  page.on('console', (message) => {
    log.write(`[page:${message.type()}] ${message.text()}\n`);
    if (message.type() === 'error') consoleErrors.push(message.text());
  });
  // VS Code asks before a window with unsaved files closes; a user who reloads says yes.
  page.on('dialog', (dialog) => void dialog.accept());
  page.on('pageerror', (error) => void log.write(`[page:uncaught] ${String(error)}\n`));
  const ready = async (): Promise<void> => {
    await page.locator('.monaco-workbench .part.statusbar').waitFor({ state: 'visible', timeout: 60_000 });
  };
  await page.goto(url);
  await ready();
  return {
    page,
    folder,
    serverPid,
    consoleErrors,
    webview: (selector, timeoutMs) => webviewFrame(page, selector, timeoutMs),
    command: (title) => runCommand(page, title),
    container: (title) => openContainer(page, title),
    shot: (name) => shot(page, name),
    async reload() {
      const container = page.locator('.activitybar .action-item[aria-selected="true"]');
      const shown = (await container.count()) > 0;
      await page.reload();
      await ready();
      // The window puts its view containers back by itself; a click on the icon before that would hide them.
      if (shown) await container.waitFor({ state: 'visible' });
    },
    close: () => page.close(),
    another: (other = folder) => openWindow(other),
    fileText: (relative) => fs.readFileSync(path.join(folder, relative), 'utf8'),
    fileBytes: (relative) => fs.readFileSync(path.join(folder, relative)),
  };
}
