import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/lib/paths.mjs';
import { chapterCount, chapterFolder, git, gitRepository, must, openCheckpoints, settle } from './checkpoint-project';
import { calibrate, median, referenceCalibrationMs, type Bench, type BenchCase } from './framework';
import { loadNow } from './workbenches';

const changed = 50;
const inHostGoalMs = 3_000;

async function run(bench: Bench): Promise<void> {
  const ours = chapterFolder(bench.folder());
  const theirs = chapterFolder(bench.folder());
  gitRepository(theirs.root);
  const checkpoints = openCheckpoints(ours.root);
  const states = [(await must(checkpoints.take({ author: 'user', message: '0' })))?.id ?? ''];
  for (let n = 0; n < changed; n += 1) {
    ours.write(n * 10, 1);
    theirs.write(n * 10, 1);
  }
  states.push((await must(checkpoints.take({ author: 'user', message: '1' })))?.id ?? '');
  git(theirs.root, 'commit', '-q', '-a', '-m', '1');
  git(theirs.root, 'branch', 'one');
  git(theirs.root, 'branch', 'zero', 'HEAD~1');
  await settle();
  // Back and forth between the two states.
  let turn = 0;
  await bench.compare({
    id: 'B5a',
    name: `restore ${chapterCount} chapters of which ${changed} differ, saving first, all or nothing`,
    ours: async () => {
      const target = states[turn % 2] ?? '';
      const start = performance.now();
      const outcome = await must(checkpoints.restore(target));
      const ms = performance.now() - start;
      if (outcome.files.length !== changed) throw new Error(`${outcome.files.length} files were restored`);
      return ms;
    },
    baseline: async () => {
      const start = performance.now();
      git(theirs.root, 'checkout', '-q', turn % 2 === 0 ? 'zero' : 'one');
      return performance.now() - start;
    },
    before: () => {
      // Both sides go the same way twice: once ours, once git.
      calls += 1;
      turn = Math.floor((calls - 1) / 2);
    },
    baselineName: 'git checkout',
    samples: 41,
    maxRatio: 1,
  });
  inHost(bench);
}

/** The same in the real host, with the editor's files and its extension host: by the integration test that restores as many. */
function inHost(bench: Bench): void {
  const measured = path.join(bench.folder(), 'times.json');
  const node = (...args: string[]): Buffer =>
    execFileSync(process.execPath, args, { cwd: root, env: { ...process.env, LIYUAN_MEASURE_FILE: measured }, stdio: ['ignore', 'pipe', 'inherit'] });
  node('scripts/vscode-server.mjs');
  node('esbuild.mjs', '--tests');
  bench.note(loadNow());
  const before = calibrate();
  node('out/test/integration/run.mjs', '--grep', 'restores fifty of five hundred');
  const scale = median([before, calibrate()]) / referenceCalibrationMs;
  // The first one finds everything cold.
  const value = median((JSON.parse(fs.readFileSync(measured, 'utf8')) as number[]).slice(1));
  bench.figure({
    id: 'B5b',
    name: `the same in the real host`,
    value,
    unit: 'ms',
    goal: `≤ ${inHostGoalMs} ms (× ${scale.toFixed(2)} for this machine)`,
    ok: value <= inHostGoalMs * scale,
  });
}

let calls = 0;

export const cases: readonly BenchCase[] = [{ id: 'B5', title: 'Restoring', run }];
