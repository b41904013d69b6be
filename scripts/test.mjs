// npm test: every check, one after the other, each timed. The last line is `N passed, N failed` (`, N skipped` may follow).
//   --only a,b   only these steps: types, lint, unit, conformance, webview, chaos, build, integration, participants, e2e
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { at, root } from './lib/paths.mjs';
import { ensureDependencies, ensureSystem } from './lib/requirements.mjs';
import { capture, ended, main, start, Stop, stopChild } from './lib/run.mjs';
import { ensureVscodeServer } from './vscode-server.mjs';

const results = at('out/results');
const env = { ...process.env, TZ: 'Asia/Shanghai', CI: process.env.CI ?? '1', NO_COLOR: '1', FORCE_COLOR: '0' };
/** A step that hangs is ended and counts as failed. */
const stepLimitMs = 15 * 60_000;

const none = { passed: 0, failed: 0, skipped: 0, failures: [] };
const failure = (name, error = '') => ({ ...none, failed: 1, failures: [{ name, error }] });

/** Runs node with these arguments, output shown; its exit code, or 124 when it took too long. */
async function node(args, extra = {}) {
  const child = start(process.execPath, args, { cwd: root, env: { ...env, ...extra } });
  const late = new Promise((resolve) => {
    const timer = setTimeout(() => resolve(124), stepLimitMs);
    child.once('close', () => clearTimeout(timer));
  });
  const code = await Promise.race([ended(child), late]);
  if (code === 124) await stopChild(child);
  return code;
}

/** A check without tests of its own counts as one. Its output is shown only when it fails. */
async function check(name, args) {
  const { code, stdout, stderr } = await capture(process.execPath, args, { cwd: root, env });
  if (code === 0) return { ...none, passed: 1 };
  console.log(`${stdout}${stderr}`.trimEnd());
  return failure(name);
}

function add(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    failures: [...a.failures, ...b.failures],
  };
}

async function types() {
  const configs = ['.', 'webview', 'test/webview', 'bench'].filter((folder) => fs.existsSync(at(folder, 'tsconfig.json')));
  const counts = await Promise.all(configs.map((folder) => check(`types of ${folder}`, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', folder])));
  return counts.reduce(add, none);
}

const lint = () => check('lint', ['node_modules/eslint/bin/eslint.js', '.', '--max-warnings', '0']);

function readResult(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Vitest over one folder. A file that cannot be loaded, or a run without tests, is a failure. */
async function vitest(folder, more = []) {
  const file = `${results}/${folder.replaceAll('/', '-')}.json`;
  fs.rmSync(file, { force: true });
  const code = await node(['node_modules/vitest/vitest.mjs', 'run', folder, '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`, ...more]);
  const report = readResult(file);
  if (report === undefined) return failure(`${folder}: no result`, `ended with ${code}`);
  const broken = report.testResults.filter((suite) => suite.status === 'failed' && suite.assertionResults.every((test) => test.status !== 'failed'));
  const failed = report.testResults.flatMap((suite) => suite.assertionResults).filter((test) => test.status === 'failed');
  const counted = {
    passed: report.numPassedTests,
    failed: failed.length + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...failed.map((test) => ({ name: test.fullName, error: test.failureMessages.join('\n') })),
      ...broken.map((suite) => ({ name: suite.name, error: suite.message })),
    ],
  };
  if (counted.passed + counted.failed === 0) return add(counted, failure(`${folder}: no tests`));
  return code !== 0 && counted.failed === 0 ? add(counted, failure(`${folder}: ended with ${code}`)) : counted;
}

/** One of our own runners. It counts from its result file: an exit code of 0 alone proves nothing. */
async function runner(name, args) {
  const file = `${results}/${name}.json`;
  fs.rmSync(file, { force: true });
  const code = await node(args, { LIYUAN_RESULT_FILE: file });
  const report = readResult(file);
  if (report === undefined) return failure(`${name}: no result`, `ended with ${code}`);
  const counted = { ...none, ...report, failures: report.tests.filter((test) => test.state === 'failed') };
  if (counted.passed + counted.failed === 0) return add(counted, failure(`${name}: no tests`));
  return code !== 0 && counted.failed === 0 ? add(counted, failure(`${name}: ended with ${code}`)) : counted;
}

const hasTests = (folder, ending = '.test.ts') =>
  fs.existsSync(at(folder)) && fs.readdirSync(at(folder), { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith(ending));

/**
 * In the order they run. `needsBuild`: cannot run when the build failed. What draws in a browser or runs inside VS Code waits for
 * things it does not own, and is tried once more before it counts as failed; what runs in Node alone is not.
 */
const steps = [
  { name: 'types', run: types },
  { name: 'lint', run: lint },
  { name: 'unit', run: () => vitest('test/unit') },
  { name: 'conformance', run: () => vitest('test/conformance') },
  { name: 'webview', run: () => vitest('test/webview', ['--retry=1']), when: () => hasTests('test/webview') },
  { name: 'chaos', run: () => vitest('test/chaos'), when: () => hasTests('test/chaos') },
  { name: 'build', run: () => check('build', ['esbuild.mjs', '--tests']) },
  { name: 'integration', needsBuild: true, run: () => runner('integration', ['out/test/integration/run.mjs']) },
  { name: 'participants', needsBuild: true, run: () => runner('participants', ['out/test/integration/run.mjs', '--participants']) },
  { name: 'e2e', needsBuild: true, run: () => runner('e2e', ['out/test/e2e/run.mjs']) },
];

function chosenSteps() {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  if (values.only === undefined) return steps.filter((step) => step.when?.() ?? true);
  const names = values.only.split(',');
  const unknown = names.filter((name) => !steps.some((step) => step.name === name));
  if (unknown.length > 0) throw new Stop(`--only: no step ${unknown.join(', ')}; there are ${steps.map((step) => step.name).join(', ')}`, 2);
  const needBuild = names.some((name) => steps.some((step) => step.name === name && step.needsBuild));
  return steps.filter((step) => names.includes(step.name) || (needBuild && step.name === 'build'));
}

async function prepare(names) {
  await ensureDependencies();
  const inCode = names.some((name) => ['integration', 'participants', 'e2e'].includes(name));
  if (inCode || names.includes('webview')) await ensureSystem(['browser', 'font']);
  if (inCode) await ensureVscodeServer();
}

function printSummary(rows) {
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
  const briefly = (error) => String(error ?? '').trim().split('\n').slice(0, 6).map((line) => `      ${line.slice(0, 300)}\n`).join('');
  const failures = rows.flatMap((row) => row.failures.map((one) => `  ${row.name}: ${one.name}\n${briefly(one.error)}`));
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`);
  console.log(`\n${'step'.padEnd(14)}${'passed'.padStart(8)}${'failed'.padStart(8)}${'skipped'.padStart(9)}${'time'.padStart(10)}`);
  for (const row of rows) {
    console.log(`${row.name.padEnd(14)}${String(row.passed).padStart(8)}${String(row.failed).padStart(8)}${String(row.skipped).padStart(9)}${seconds(row.ms).padStart(10)}`);
  }
  const total = rows.reduce(add, none);
  console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  return total;
}

await main(async () => {
  const chosen = chosenSteps();
  await prepare(chosen.map((step) => step.name));
  fs.mkdirSync(results, { recursive: true });
  const rows = [];
  for (const step of chosen) {
    console.log(`\n== ${step.name}`);
    const began = performance.now();
    const buildFailed = rows.some((row) => row.name === 'build' && row.failed > 0);
    const counts = step.needsBuild && buildFailed ? failure('not run: the build failed') : await step.run();
    rows.push({ name: step.name, ms: performance.now() - began, ...counts });
  }
  if (printSummary(rows).failed > 0) process.exitCode = 1;
});
