import fs from 'node:fs';
import path from 'node:path';
import { withEngine } from '../test/fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../test/fakes/models';
import { sampleNovelFiles } from '../test/fakes/sample-novel';
import { at } from '../scripts/lib/paths.mjs';
import type { Bench, BenchCase } from './framework';
import { rewrites } from './rewrites';

const TURNS = 30;
const LIMIT_MB = 3;

/** What `folder` takes on a disk of 4 KB blocks, in bytes. */
function onDisk(folder: string): number {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.reduce((sum, name) => {
    const stat = fs.statSync(path.join(folder, name));
    return sum + (stat.isFile() ? Math.ceil(stat.size / 4096) * 4096 : 4096);
  }, 0);
}

async function run(bench: Bench): Promise<void> {
  const files = sampleNovelFiles();
  const script = rewrites(files, TURNS).flatMap(({ chapter, old, fresh }) => [
    asks(call('read', { path: chapter })),
    asks(call('edit', { path: chapter, old, new: fresh })),
    says('改好了，这一句收得更稳，前后的节奏没有动。'.repeat(4)),
  ]);
  await withEngine(files, createScriptedClient(script, { window: 1_000_000 }), async ({ turn, root }) => {
    for (let n = 0; n < TURNS; n += 1) {
      const events = await turn(`第${n + 1}轮：读一章，把开头一句改得更稳。`);
      const ended = events.find((event) => event.type === 'ended');
      if (ended?.type !== 'ended' || ended.status !== 'done') throw new Error(`turn ${n + 1} ended with ${ended?.type === 'ended' ? ended.status : 'nothing'}`);
    }
    const store = path.join(root, '.liyuan');
    const value = onDisk(store) / 1_000_000;
    bench.figure({
      id: 'B15',
      name: `.liyuan/ after ${TURNS} turns on the sample novel, each reading and editing a chapter, on the disk`,
      value,
      unit: 'MB',
      goal: `≤ ${LIMIT_MB} MB`,
      ok: value <= LIMIT_MB,
    });
    bench.note(fs.readdirSync(store, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => `${entry.name} ${(onDisk(path.join(store, entry.name)) / 1000).toFixed(0)} KB`).join(', '));
  }, { assets: at('assets') });
}

export const cases: readonly BenchCase[] = [{ id: 'B15', title: 'Size of the store', run }];
