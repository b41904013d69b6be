import type { Browser } from 'playwright-core';
import { launchBrowser } from './harness/browser';
import { createContext } from './harness/context';
import { leaveResult, summarise, type TestResult } from './harness/results';
import type { Scenario } from './harness/scenario';
import { createServers, type Servers } from './harness/servers';
import { shot, whatShows } from './harness/workbench';

/**
 * Runs the scenarios of every file one after the other, each with a browser profile and a novel of its own; VS Code
 * servers of the same kind are shared.
 * `--grep <words>` takes those whose file or name contains the words; without it, and without `--all`, twins are left out. The exit code is 1 when one failed or none ran.
 */
export async function runScenarios(files: readonly (readonly [file: string, scenarios: readonly Scenario[]])[]): Promise<void> {
  const grep = wordsAfter('--grep');
  const all = grep !== undefined || process.argv.includes('--all');
  const chosen = files.flatMap(([file, scenarios]) => scenarios.map((scenario, index) => ({ file, scenario, index })))
    .filter(({ file, scenario }) => (all || scenario.twin !== true) && (grep === undefined || `${file} ${scenario.name}`.includes(grep)));
  const tests: TestResult[] = [];
  const servers = createServers();
  const browser = await launchBrowser();
  try {
    for (const { file, scenario, index } of chosen) {
      let result = await runOne(browser, servers, scenario, `${file}-${index + 1}`);
      if (result.state === 'failed') {
        console.log(`  tried again: ${file}: ${scenario.name}\n${(result.error ?? '').replace(/^/gm, '      ')}`);
        result = await runOne(browser, servers, scenario, `${file}-${index + 1}-again`);
      }
      tests.push(result);
      console.log(`  ${result.state === 'passed' ? '✓' : '✗'} ${file}: ${scenario.name} (${((result.ms ?? 0) / 1000).toFixed(1)} s)`);
      if (result.error !== undefined) console.log(result.error.replace(/^/gm, '      '));
    }
  } finally {
    await browser.close();
    await servers.stop();
  }
  const result = summarise(tests);
  leaveResult(result);
  console.log(`${result.passed} passed, ${result.failed} failed`);
  process.exit(result.failed > 0 || result.passed === 0 ? 1 : 0);
}

async function runOne(browser: Browser, servers: Servers, scenario: Scenario, slug: string): Promise<TestResult> {
  const context = createContext(browser, slug, servers);
  const began = performance.now();
  const errors: unknown[] = [];
  try {
    await withLimit(scenario.run(context), scenario.timeoutMs ?? 60_000);
  } catch (error) {
    errors.push(error);
    await keepPictures(context.pages, slug);
    errors.push(...(await whatAllShow(context.pages)));
  }
  const ms = Math.round(performance.now() - began);
  try {
    await context.close();
  } catch (error) {
    errors.push(error);
  }
  if (errors.length === 0) return { name: scenario.name, state: 'passed', ms };
  return { name: scenario.name, state: 'failed', ms, error: errors.map(describe).join('\n') };
}

async function keepPictures(pages: ReturnType<typeof createContext>['pages'], slug: string): Promise<void> {
  for (const [index, page] of pages.entries()) {
    if (page.isClosed()) continue;
    try {
      await shot(page, `${slug}-failed-${index + 1}`);
    } catch (error) {
      console.log(`      no picture: ${describe(error)}`);
    }
  }
}

/** In words, for a log that comes without pictures. */
async function whatAllShow(pages: ReturnType<typeof createContext>['pages']): Promise<readonly string[]> {
  const shown = await Promise.allSettled(pages.filter((page) => !page.isClosed()).map(whatShows));
  return shown.map((one, index) => (one.status === 'fulfilled' ? `Window ${index + 1}:\n${one.value}` : `Window ${index + 1} cannot be looked at: ${describe(one.reason)}`));
}

async function withLimit(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done within ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return [error.message, ...error.errors.map(describe)].join('\n');
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function wordsAfter(flag: string): string | undefined {
  const place = process.argv.indexOf(flag);
  return place < 0 ? undefined : process.argv[place + 1];
}
