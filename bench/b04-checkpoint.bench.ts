import type { Checkpoints } from '../src/engine/manuscript/checkpoints';
import { chapterCount, chapterFolder, git, gitRepository, gitVersion, must, openCheckpoints, settle } from './checkpoint-project';
import { median, type Bench, type BenchCase } from './framework';

const many = 2_000;
const early = 10;

async function run(bench: Bench): Promise<void> {
  const ours = chapterFolder(bench.folder());
  const theirs = chapterFolder(bench.folder());
  gitRepository(theirs.root);
  bench.note(gitVersion());
  const checkpoints = openCheckpoints(ours.root);
  let began = performance.now();
  await must(checkpoints.take({ author: 'user', message: '0' }));
  bench.note(`the first checkpoint of ${chapterCount} chapters: ${(performance.now() - began).toFixed(0)} ms`);
  await settle();
  await must(checkpoints.take({ author: 'user', message: '0' }));

  let version = 0;
  const change = (write: (n: number, version: number) => void): void => {
    version += 1;
    write((version * 37) % chapterCount, version);
  };
  await bench.compare({
    id: 'B4a',
    name: `checkpoint after one of ${chapterCount} chapters changed`,
    ours: async () => {
      change(ours.write);
      const start = performance.now();
      await must(checkpoints.take({ author: 'agent', message: 'x' }));
      return performance.now() - start;
    },
    baseline: async () => {
      change(theirs.write);
      const start = performance.now();
      git(theirs.root, 'add', '-A');
      git(theirs.root, 'commit', '-q', '-m', 'x');
      return performance.now() - start;
    },
    // As at the ends of turns: not several within two seconds.
    before: settle,
    baselineName: 'git add -A && git commit',
    samples: 11,
    maxRatio: 0.5,
  });

  // A project grown to 2,000 checkpoints at the pace of a script, and a young one beside it.
  const grown = chapterFolder(bench.folder());
  const long = openCheckpoints(grown.root);
  await must(long.take({ author: 'user', message: '0' }));
  await settle();
  const times: number[] = [];
  for (let n = 1; n <= many; n += 1) {
    grown.write((n * 37) % chapterCount, n);
    began = performance.now();
    await must(long.take({ author: 'agent', message: `${n}` }));
    times.push(performance.now() - began);
  }
  const fresh = chapterFolder(bench.folder());
  const young = openCheckpoints(fresh.root);
  await must(young.take({ author: 'user', message: '0' }));
  let step = many;
  const one = async (write: (n: number, version: number) => void, into: Checkpoints): Promise<number> => {
    step += 1;
    write((step * 37) % chapterCount, step);
    const start = performance.now();
    await must(into.take({ author: 'agent', message: `${step}` }));
    return performance.now() - start;
  };
  await bench.compare({
    id: 'B4b',
    name: `the ${many}th checkpoint against the ${early}th`,
    ours: () => one(grown.write, long),
    baseline: () => one(fresh.write, young),
    before: settle,
    baselineName: `around the ${early}th`,
    samples: 2 * early - 1,
    maxRatio: 1.3,
  });

  // The dearest kind are those that write a whole manifest or their caches: by kind, so that one hiccup of the machine is none of it.
  const every = 64;
  const byPlace = Array.from({ length: every }, (_, place) => median(times.filter((__, n) => n % every === place)));
  const dearest = Math.max(...byPlace);
  const usual = median(times);
  bench.figure({ id: 'B4c', name: 'the dearest kind of checkpoint against the usual one', value: dearest / usual, unit: '×', goal: '≤ 2 ×', ok: dearest / usual <= 2 });

  // After a restart, with 2,000 behind.
  began = performance.now();
  grown.write(1, many + 100);
  const again = openCheckpoints(grown.root);
  await must(again.take({ author: 'agent', message: 'cold' }));
  bench.note(`the first checkpoint of a new process with ${many} behind it: ${(performance.now() - began).toFixed(1)} ms`);
  began = performance.now();
  const listed = await must(again.list());
  bench.note(`listing all ${listed.length}: ${(performance.now() - began).toFixed(1)} ms`);
}

export const cases: readonly BenchCase[] = [{ id: 'B4', title: 'Taking checkpoints', run }];
