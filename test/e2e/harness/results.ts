import fs from 'node:fs';
import path from 'node:path';

export interface TestResult {
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly ms?: number;
  readonly error?: string;
}

/** What every runner of ours leaves behind for `npm test`. */
export interface RunResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly tests: readonly TestResult[];
}

export function summarise(tests: readonly TestResult[]): RunResult {
  const count = (state: TestResult['state']): number => tests.filter((test) => test.state === state).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), tests };
}

/** Writes the result where `LIYUAN_RESULT_FILE` says, when it says. */
export function leaveResult(result: RunResult): void {
  const file = process.env['LIYUAN_RESULT_FILE'];
  if (file === undefined || file === '') return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify(result, null, 1));
}
