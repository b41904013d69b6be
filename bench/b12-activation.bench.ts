import type { Bench, BenchCase } from './framework';
import { packExtension } from './packed';
import { loadNow, withWorkbenches } from './workbenches';

const limitBytes = 3_000_000;

async function run(bench: Bench): Promise<void> {
  const { file, bytes } = await packExtension(bench.folder());
  await withWorkbenches('bench-b12', async (context) => {
    const workbench = await context.open({ vsix: file });
    const { page } = workbench;
    bench.note(loadNow());
    await bench.absolute({
      id: 'B12a',
      name: 'activation in the real host, as 「Show Running Extensions」 counts it: code loaded, activate() called',
      goalMs: 150,
      samples: 9,
      before: () => workbench.reload(),
      async run() {
        await workbench.command('Developer: Show Running Extensions');
        const time = page.locator('.runtime-extensions-editor .extension').filter({ hasText: '梨园' }).locator('.activation-time');
        const told = time.filter({ hasText: /\d+ms/ });
        await told.waitFor({ state: 'visible', timeout: 60_000 });
        return Number(/(\d+)ms/.exec(await told.innerText())?.[1]);
      },
    });
    bench.note(loadNow());
  });
  bench.figure({ id: 'B12b', name: 'size of the .vsix', value: bytes / 1_000_000, unit: 'MB', goal: `≤ ${limitBytes / 1_000_000} MB`, ok: bytes <= limitBytes });
}

export const cases: readonly BenchCase[] = [{ id: 'B12', title: 'Waking up', run }];
