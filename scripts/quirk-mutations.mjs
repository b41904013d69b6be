// npm run quirks: takes the handling of each quirk of model endpoints out, one after the other, in a copy, and looks whether the tests that show
// the quirk fail. The last line is `N seen failing, M not`.  --only words: those whose quirk or title has these words.
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { at } from './lib/paths.mjs';
import { mutations } from './lib/quirk-mutations.mjs';
import { capture, main } from './lib/run.mjs';

const copy = at('out/quirks');
const there = (file) => `${copy}/${file}`;

function makeCopy() {
  fs.rmSync(copy, { recursive: true, force: true });
  fs.mkdirSync(copy, { recursive: true });
  for (const name of ['src', 'assets', 'test/conformance', 'test/fakes', 'test/setup', 'package.json', 'tsconfig.json', 'vitest.config.mts']) {
    fs.cpSync(at(name), there(name), { recursive: true });
  }
  fs.symlinkSync(fs.realpathSync(at('node_modules')), there('node_modules'), 'junction');
}

const escaped = (words) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Every test of a file with these words in its title (all without words), and whether it passed. */
async function run(test, named) {
  const report = there('report.json');
  fs.rmSync(report, { force: true });
  const only = named === undefined ? [] : ['-t', escaped(named)];
  const args = ['node_modules/vitest/vitest.mjs', 'run', test, ...only, '--testTimeout', '3000', '--reporter', 'json', '--outputFile', report];
  const { stdout, stderr } = await capture(process.execPath, args, { cwd: copy, env: { ...process.env, NO_COLOR: '1' } });
  if (!fs.existsSync(report)) return { tests: [], output: `${stdout}${stderr}` };
  const { testResults } = JSON.parse(fs.readFileSync(report, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults).map(({ fullName, status }) => ({ name: fullName, passed: status === 'passed', failed: status === 'failed' }));
  return { tests, output: `${stdout}${stderr}` };
}

main(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
  const chosen = mutations.filter(({ quirk, named }) => `${quirk} ${named}`.includes(values.only));
  makeCopy();
  const whole = new Map();
  for (const test of new Set(chosen.map((one) => one.test))) whole.set(test, (await run(test)).tests);
  let seen = 0;
  const unseen = [];
  for (const { quirk, file, text, by, named, test } of chosen) {
    const before = fs.readFileSync(there(file), 'utf8');
    const shown = whole.get(test).filter(({ name }) => name.includes(named));
    fs.writeFileSync(there(file), before.replace(text, () => by));
    const { tests, output } = await run(test, named);
    fs.writeFileSync(there(file), before);
    const failed = tests.filter((one) => one.failed).length;
    const good = before.split(text).length === 2 && shown.length > 0 && shown.every(({ passed }) => passed) && failed > 0;
    if (good) seen += 1;
    else unseen.push(`${quirk} (${named})\n${output.slice(0, 400)}`);
    console.log(`${good ? 'seen' : 'NOT SEEN'}  ${quirk} — ${named}: ${String(failed)} of ${String(shown.length)} fail`);
  }
  for (const one of unseen) console.log(one);
  console.log(`${String(seen)} seen failing, ${String(unseen.length)} not`);
  if (unseen.length > 0) process.exitCode = 1;
});
