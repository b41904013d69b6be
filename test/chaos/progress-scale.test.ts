import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckpointRecord } from '../../src/engine/manuscript/checkpoint-log';
import { filesOf, treeOf } from '../../src/engine/manuscript/manifest';
import { createProgress } from '../../src/engine/manuscript/progress/create-progress';
import { ok } from '../../src/engine/ports/result';
import { createObjectStore } from '../../src/engine/store/object-store';
import { sha256Hex } from '../../src/engine/text/hash';
import { createFakeIds } from '../fakes/ids';
import { withoutFsync } from './support/project';
import { must, withWorld, type World } from '../unit/manuscript/world';

const CHAPTERS = 300;
const CHECKPOINTS = 3_000;
const NEW = '他把信又看了一遍，没有说话，外面的雨还在下。';
const pathOf = (n: number): string => `正文/${String(n).padStart(4, '0')}.md`;

/** A book of 300 chapters of 3,000 字 with 3,000 checkpoints over ten years, each with one more sentence in the middle of a chapter; what a machine would have left. */
async function tenYears(world: World): Promise<void> {
  const objects = createObjectStore({ files: world.files, log: world.log, clock: world.clock, ids: createFakeIds(0x55) });
  const chapters = Array.from({ length: CHAPTERS }, (_, n) => Array.from({ length: 100 }, (_line, i) => `第${n}章第${i}行，沈砚秋沿着河堤走，潮水一寸一寸退下去，灯在雾里。\n`));
  const manifest = new Map<string, string>();
  const texts: Uint8Array[] = [];
  const set = (n: number): string => {
    const bytes = Buffer.from((chapters[n] as string[]).join(''));
    texts.push(bytes);
    const sha = sha256Hex(bytes);
    manifest.set(pathOf(n), sha);
    return sha;
  };
  for (let n = 0; n < CHAPTERS; n += 1) set(n);
  const lines: string[] = [];
  const began = world.clock.now();
  for (let n = 0; n <= CHECKPOINTS; n += 1) {
    const at = (n * 37) % CHAPTERS;
    if (n > 0) (chapters[at] as string[]).splice((n * 13) % 100, 0, `${NEW}第${n}回。\n`);
    const sha = n === 0 ? '' : set(at);
    const full = n % 64 === 0;
    const record: CheckpointRecord = {
      v: 1, type: 'checkpoint', id: `c${n}`, ts: began + n * 29 * 3_600_000, author: n % 3 === 0 ? 'agent' : 'user', message: `${n}`,
      changed: { added: [], modified: n === 0 ? [] : [pathOf(at)], renamed: [], removed: [] },
      parents: n === 0 ? [] : [`c${n - 1}`], depth: n % 64, tree: full ? treeOf(manifest) : 'x',
      ...(full ? { files: filesOf(manifest) } : { delta: { [pathOf(at)]: sha } }),
    };
    lines.push(JSON.stringify(record));
  }
  for (let from = 0; from < texts.length; from += 500) await objects.putAll(texts.slice(from, from + 500));
  const log = join(world.root, '.liyuan/checkpoints/log.jsonl');
  await mkdir(dirname(log), { recursive: true });
  await writeFile(log, `${lines.join('\n')}\n`);
}

const timed = async <T>(run: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> => {
  const began = performance.now();
  const value = await run();
  return { value, ms: performance.now() - began };
};

describe('three thousand checkpoints', () => {
  it('are counted once, from then on only what is new; nothing else waits for it', { timeout: 180_000 }, () =>
    withWorld(
      async (world) => {
        await tenYears(world);
        const open = () => {
          const { files, log, clock, documents, checkpoints } = world.reopen();
          const objects = createObjectStore({ files, log, clock, ids: createFakeIds(0x56) });
          let read = 0;
          const progress = createProgress({ checkpoints, objects: { get: (sha) => { read += 1; return objects.get(sha); } }, documents, files, log, clock, manuscript: { folder: '正文', chapters: () => Promise.resolve(ok([])), chapter: () => Promise.resolve(ok(undefined)) }, busy: () => false });
          return { progress, checkpoints, read: () => read };
        };
        let longest = 0;
        let last = performance.now();
        const beat = setInterval(() => {
          longest = Math.max(longest, performance.now() - last);
          last = performance.now();
        }, 1);
        const first = open();
        must(await first.checkpoints.records());
        longest = 0;
        last = performance.now();
        const cold = await timed(() => first.progress.refresh());
        clearInterval(beat);
        const words = must(cold.value).days.reduce((sum, { user, agent }) => sum + user + agent, 0);
        // 22 字 and 第n回。: four, since a number is one word.
        expect(words).toBe(CHECKPOINTS * 26);
        const second = open();
        const log = await timed(() => second.checkpoints.records());
        const warm = await timed(() => second.progress.refresh());
        expect(must(warm.value)).toEqual(must(cold.value));
        expect(second.read()).toBe(0);
        console.log(`3,000 checkpoints, 300 chapters: cold ${cold.ms.toFixed(0)} ms (longest hold ${longest.toFixed(0)} ms), warm ${warm.ms.toFixed(0)} ms after the log was read in ${log.ms.toFixed(0)} ms`);
        expect(cold.ms).toBeLessThan(30_000);
        expect(warm.ms).toBeLessThan(300);
      },
      { files: withoutFsync },
    ));
});
