import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { format } from 'node:util';
import { root } from '../../scripts/lib/paths.mjs';
import { startServer, workbenchUrl } from '../../scripts/lib/server-process.mjs';
import { launchBrowser } from '../e2e/harness/browser';
import { freshNovel, removeNovel } from '../e2e/harness/novel';
import { leaveResult, type RunResult } from '../e2e/harness/results';
import { outFolder } from '../e2e/harness/workbench';

/**
 * Runs the mocha suite inside a real extension host.
 *   node out/test/integration/run.mjs [--desktop] [--participants] [--grep <words>] [--limit <seconds>]
 * `--desktop`: in desktop VS Code (`VSCODE_EXECUTABLE_PATH`, or downloaded) instead of VS Code server in Chromium.
 */

const has = (flag: string): boolean => process.argv.includes(flag);
const after = (flag: string): string | undefined => (has(flag) ? process.argv[process.argv.indexOf(flag) + 1] : undefined);

const suite = path.join(root, 'out/test/integration/index.js');
/** An extension that brings models for VS Code, beside ours. */
const fixture = path.join(root, 'test/fixtures/language-models');
const participants = has('--participants');
const limitMs = Number(after('--limit') ?? 240) * 1000;
const work = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-suite-'));
const resultFile = path.join(work, 'result.json');
const folder = freshNovel();
// The suite begins in a folder of plain chapters: setting up the project is one of its tests.
fs.rmSync(path.join(folder, '.liyuan'), { recursive: true });

const participantSettings = {
  'files.autoSave': 'afterDelay',
  'files.autoSaveDelay': 200,
  'editor.formatOnSave': true,
  'files.trimTrailingWhitespace': true,
};
const settings = participants ? participantSettings : {};
const env = {
  TZ: 'Asia/Shanghai',
  // No extension gallery: nothing is asked of the network.
  EXTENSIONS_GALLERY: '{}',
  LIYUAN_RESULT_FILE: resultFile,
  LIYUAN_TEST_HOST: '1',
  LIYUAN_GREP: after('--grep') ?? '',
  // Where a benchmark wants its times.
  LIYUAN_MEASURE_FILE: process.env['LIYUAN_MEASURE_FILE'] ?? '',
  LIYUAN_SAVE_PARTICIPANTS: participants ? '1' : '0',
};

/** @returns the suite's exit code; 124 when it took too long. */
async function runInServer(): Promise<number> {
  fs.mkdirSync(outFolder, { recursive: true });
  const log = fs.createWriteStream(path.join(outFolder, participants ? 'integration-participants.log' : 'integration.log'));
  const server = await startServer({ driver: true, settings: { 'git.enabled': false, ...settings }, env, log, extension: fixture });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, timezoneId: 'Asia/Shanghai' });
    const code = new Promise<number>((resolve, reject) => {
      page.exposeFunction('codeAutomationExit', (exitCode: number) => resolve(exitCode)).catch(reject);
    });
    await page.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) => {
      log.write(`[host:${type}] ${format(...args)}\n`);
    });
    page.on('console', (message) => void log.write(`[page:${message.type()}] ${message.text()}\n`));
    await page.goto(workbenchUrl(server, { folder, extension: root, tests: suite }));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<number>((resolve) => {
      timer = setTimeout(() => resolve(124), limitMs);
    });
    const exitCode = await Promise.race([code, late]);
    clearTimeout(timer);
    if (exitCode === 124) await page.screenshot({ path: path.join(outFolder, 'integration-timeout.png') });
    return exitCode;
  } finally {
    await browser.close();
    await server.stop();
    await new Promise<void>((resolve) => log.end(resolve));
  }
}

async function runInDesktop(): Promise<number> {
  const { runTests } = await import('@vscode/test-electron');
  const userData = path.join(work, 'user-data');
  fs.mkdirSync(path.join(userData, 'User'), { recursive: true });
  fs.writeFileSync(path.join(userData, 'User/settings.json'), JSON.stringify({ 'files.autoSave': 'off', 'workbench.startupEditor': 'none', ...settings }));
  const executable = process.env['VSCODE_EXECUTABLE_PATH'];
  return runTests({
    ...(executable === undefined ? {} : { vscodeExecutablePath: executable }),
    extensionDevelopmentPath: [root, fixture],
    extensionTestsPath: suite,
    extensionTestsEnv: env,
    launchArgs: [folder, '--disable-extensions', '--disable-workspace-trust', '--skip-welcome', '--user-data-dir', userData],
  });
}

/** The exit code alone proves nothing: a host that died gives 0 too. The result file must be there, with tests in it. */
function judge(exitCode: number): RunResult {
  if (!fs.existsSync(resultFile)) {
    const why = exitCode === 124 ? `not done within ${limitMs / 1000} s` : `no result file; the suite ended with ${exitCode}`;
    return { passed: 0, failed: 1, skipped: 0, tests: [{ name: 'the suite runs to its end', state: 'failed', error: why }] };
  }
  const result = JSON.parse(fs.readFileSync(resultFile, 'utf8')) as RunResult;
  if (result.passed + result.failed > 0) return result;
  return { ...result, failed: 1, tests: [...result.tests, { name: 'the suite has tests', state: 'failed', error: 'no test ran' }] };
}

let result: RunResult;
try {
  result = judge(await (has('--desktop') ? runInDesktop() : runInServer()));
} finally {
  removeNovel(folder);
  fs.rmSync(work, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
leaveResult(result);
for (const test of result.tests) {
  console.log(`  ${test.state === 'passed' ? '✓' : test.state === 'skipped' ? '-' : '✗'} ${test.name}${test.ms === undefined ? '' : ` (${test.ms} ms)`}`);
  if (test.error !== undefined) console.log(test.error.replace(/^/gm, '      '));
}
console.log(`${result.passed} passed, ${result.failed} failed${result.skipped > 0 ? `, ${result.skipped} skipped` : ''}`);
process.exit(result.failed > 0 ? 1 : 0);
