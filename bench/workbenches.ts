import os from 'node:os';
import type { Browser } from 'playwright-core';
import { ensureSystem } from '../scripts/lib/requirements.mjs';
import { ensureVscodeServer } from '../scripts/vscode-server.mjs';
import { launchBrowser } from '../test/e2e/harness/browser';
import { createContext, type Context } from '../test/e2e/harness/context';
import { createServers } from '../test/e2e/harness/servers';

/** Real VS Code for a benchmark, through the end-to-end harness: installed when missing, started as needed, ended afterwards. */
export async function withWorkbenches(slug: string, work: (context: Context, browser: Browser) => Promise<void>): Promise<void> {
  await ensureSystem(['browser', 'font']);
  await ensureVscodeServer();
  const servers = createServers();
  const browser = await launchBrowser();
  const context = createContext(browser, slug, servers);
  try {
    await work(context, browser);
  } finally {
    await context.close();
    await browser.close();
    await servers.stop();
  }
}

/** How busy the machine is, for a note beside the table: processes that want a core, last minute and last five. */
export function loadNow(): string {
  const [one = 0, five = 0] = os.loadavg();
  return `load ${one.toFixed(1)} (5 min: ${five.toFixed(1)}) on ${os.cpus().length} cores`;
}
