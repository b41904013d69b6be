import fs from 'node:fs';
import path from 'node:path';
import Mocha from 'mocha';
import { leaveResult, summarise, type TestResult } from '../e2e/harness/results';
import { registerFakeFormatter, saveParticipantsAreOn } from './save-participants';

/** The files that are run once more with save participants on: what writes into chapters. The project is set up by the first of them. */
const savesMatterTo = /^(?:documents|extension-[123])/;

/**
 * Entry of the suite inside the extension host; VS Code calls `run()`. The same bundle serves desktop VS Code and VS Code
 * server. `LIYUAN_RESULT_FILE`: where the result goes. `LIYUAN_GREP`: only tests whose full title matches.
 */
export async function run(): Promise<void> {
  const participants = registerFakeFormatter();
  const mocha = new Mocha({ ui: 'tdd', timeout: 30_000, color: false, reporter: 'dot', retries: 1 });
  const grep = process.env['LIYUAN_GREP'];
  if (grep !== undefined && grep !== '') mocha.grep(grep);
  for (const name of fs.readdirSync(__dirname).filter((file) => file.endsWith('.test.js') && (!saveParticipantsAreOn || savesMatterTo.test(file))).sort()) {
    mocha.addFile(path.join(__dirname, name));
  }
  const tests: TestResult[] = [];
  try {
    await new Promise<void>((resolve) => {
      const runner = mocha.run(() => resolve());
      runner.on('pass', (test) => tests.push({ name: test.fullTitle(), state: 'passed', ...(test.duration === undefined ? {} : { ms: test.duration }) }));
      runner.on('fail', (test, error: Error) => tests.push({ name: test.fullTitle(), state: 'failed', error: error.stack ?? error.message }));
      runner.on('retry', (test: Mocha.Test, error: Error) => { console.error(`tried again: ${test.fullTitle()}: ${error.message}`); });
      runner.on('pending', (test) => tests.push({ name: test.fullTitle(), state: 'skipped' }));
    });
  } finally {
    participants.dispose();
  }
  const result = summarise(tests);
  leaveResult(result);
  if (result.failed > 0) throw new Error(`${result.failed} test(s) failed`);
}
