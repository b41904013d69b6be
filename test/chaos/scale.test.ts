import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createManuscript } from '../../src/engine/manuscript/chapters';
import { createProject } from '../../src/engine/project/open-project';
import { createNodeFiles } from '../../src/engine/store/node-files';
import { createFaultyDisk } from '../fakes/faulty-disk';
import { createFakeIds } from '../fakes/ids';
import { must, turn, withWorld, type World } from '../unit/manuscript/world';
import { openChaosProject, withoutFsync } from './support/project';
import { withTempFolder } from '../fakes/temp-folder';

/** In milliseconds of work (`ms`), which does not depend on what else the machine does, and of the clock. */
const timed = async <T>(run: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number; readonly clock: number }> => {
  const began = performance.now();
  const before = process.cpuUsage();
  const value = await run();
  const { user, system } = process.cpuUsage(before);
  return { value, ms: (user + system) / 1_000, clock: performance.now() - began };
};
const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const chapter = (n: number): string => `# 第${n}章\n\n${`雨下了一夜，第${n}个人没有走。`.repeat(20)}\n`;
const pathOf = (n: number): string => `正文/卷${Math.floor(n / 100) + 1}/${String(n).padStart(4, '0')}.md`;

async function fill(root: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    if (n % 100 === 0) await mkdir(join(root, pathOf(n), '..'), { recursive: true });
    await writeFile(join(root, pathOf(n)), chapter(n));
  }
}

const takes = async (world: World, message: string): Promise<string> => must(await world.checkpoints.take({ author: 'user', message }))?.id ?? '';

/** What a project of so many chapters needs for its first checkpoint, for the one after one change, and to go back. */
function measureChapters(count: number): Promise<{ readonly first: number; readonly next: number; readonly restore: number; readonly list: number }> {
  let result = { first: 0, next: 0, restore: 0, list: 0 };
  return withWorld(
    async (world) => {
      await fill(world.root, count);
      const { root, files, documents, log, clock } = world;
      const project = must(await createProject({ files, ids: createFakeIds(77), log }, { title: '长', language: 'zh' }));
      const first = await timed(() => takes(world, '一'));
      const list = await timed(() => createManuscript({ documents, files, project, log, clock }).chapters());
      const chapters = must(list.value);
      expect(chapters).toHaveLength(count);
      expect(chapters.map(({ path }) => path)).toEqual(Array.from({ length: count }, (_, n) => pathOf(n)));
      const next: number[] = [];
      for (let n = 0; n < 5; n += 1) {
        await writeFile(join(root, pathOf(n * 7)), '改过。\n');
        next.push((await timed(() => takes(world, '改'))).ms);
      }
      const restore = await timed(() => world.checkpoints.restore(first.value));
      expect(must(restore.value).files.map(({ path }) => path)).toEqual([0, 7, 14, 21, 28].map(pathOf));
      const all = await world.all();
      expect(Object.keys(all)).toHaveLength(count);
      for (let n = 0; n < count; n += 1) if (all[pathOf(n)] !== chapter(n)) throw new Error(`${pathOf(n)} is not what it was`);
      result = { first: first.ms, next: median(next), restore: restore.ms, list: list.ms };
    },
    { files: withoutFsync },
  ).then(() => result);
}

describe('a thousand chapters', () => {
  it('are listed in order, kept, and brought back, at no more than a fair price for ten times as many', { timeout: 120_000 }, async () => {
    await measureChapters(20); // warms up
    const small = await measureChapters(100);
    const large = await measureChapters(1_000);
    for (const what of ['first', 'next', 'restore', 'list'] as const) {
      expect(large[what], `${what}: ${large[what].toFixed(0)} ms, of a hundred ${small[what].toFixed(0)} ms`).toBeLessThan(30 * small[what] + 200);
    }
  });

  it('are kept on a slow disk many at a time: 50 ms for each change do not add up', { timeout: 120_000 }, () =>
    withTempFolder(async (root) => {
      await fill(root, 100);
      const disk = createFaultyDisk((ms) => wait(ms));
      const project = openChaosProject(root, { life: 1, node: { fs: disk.fs }, editor: createNodeFiles(root) });
      disk.slow(50);
      const first = await timed(() => project.checkpoints.take({ author: 'user', message: '一' }));
      expect(disk.changes).toBeGreaterThan(400);
      expect(first.clock, `${disk.changes} changes`).toBeLessThan((disk.changes * 50) / 2);
      const before = disk.changes;
      await writeFile(join(root, pathOf(3)), '改过。\n');
      must(await project.checkpoints.take({ author: 'user', message: '二' }));
      expect(disk.changes - before, 'changes of the disk for one changed chapter').toBeLessThan(16);
      disk.slow(0);
    }));
});

describe('a chapter of a megabyte', () => {
  const measureEdit = async (characters: number): Promise<number> => {
    let ms = 0;
    await withWorld(
      async (world) => {
        const line = (n: number): string => `第${n}行，雨下了一夜，他没有走。\n`;
        let text = '';
        for (let n = 0; text.length < characters; n += 1) text += line(n);
        const path = '正文/大.md';
        await world.write(path, text);
        const first = await takes(world, '一');
        const old = line(5);
        const edited = text.replace(old, '第五行没了。\n');
        const run = await timed(async () => {
          await world.agentEdits(turn(1), path, old, '第五行没了。\n');
          const ended = must(await world.checkpoints.endTurn(turn(1), '改', false));
          expect(ended.changes).toMatchObject([{ path, added: 2, removed: 11 }]);
          expect(await world.disk(path)).toBe(edited);
          must(await world.checkpoints.undoTurn(turn(1)));
          expect(await world.disk(path)).toBe(text);
          await world.write(path, edited);
          must(await world.checkpoints.restore(first));
        });
        expect(await world.disk(path)).toBe(text);
        ms = run.ms;
      },
      { files: withoutFsync },
    );
    return ms;
  };

  it('is edited, kept, undone and brought back to the byte', { timeout: 120_000 }, async () => {
    await measureEdit(1_000); // warms up
    const small = await measureEdit(4_000);
    const large = await measureEdit(350_000);
    expect(large, `${large.toFixed(0)} ms, of 4,000 characters ${small.toFixed(0)} ms`).toBeLessThan(100 * small + 1_000);
  });
});

describe('three thousand checkpoints', () => {
  it('cost each what the first ones cost, and every one of them can be had', { timeout: 180_000 }, () =>
    withWorld(
      async (world) => {
        for (let n = 0; n < 20; n += 1) await world.write(`正文/${n}.md`, `起 ${n}\n`);
        const ids: string[] = [];
        const times: number[] = [];
        for (let n = 0; n < 3_000; n += 1) {
          world.clock.advance(1_000);
          await world.write(`正文/${n % 20}.md`, `第 ${n} 次\n`);
          const one = await timed(() => takes(world, `第 ${n} 次`));
          ids.push(one.value);
          times.push(one.ms);
        }
        const early = median(times.slice(100, 400));
        const late = median(times.slice(-300));
        expect(late, `the last ${late.toFixed(1)} ms, the first ${early.toFixed(1)} ms`).toBeLessThan(2 * early + 2);

        const again = world.reopen();
        const opened = await timed(async () => {
          await again.write('正文/0.md', '又一次\n');
          return takes(again, '又一次');
        });
        expect(opened.ms, 'the first one of a new process').toBeLessThan(40 * early + 100);
        expect(must(await again.checkpoints.list())).toHaveLength(3_001);
        for (const n of [0, 1, 63, 64, 65, 1_499, 2_998, 2_999]) {
          const content = must(await again.checkpoints.fileAt(ids[n] ?? '', `正文/${n % 20}.md`));
          expect(Buffer.from(content ?? []).toString(), `checkpoint ${n}`).toBe(`第 ${n} 次\n`);
        }
        const back = await timed(() => again.checkpoints.restore(ids[1_499] ?? ''));
        must(back.value);
        for (let n = 0; n < 20; n += 1) expect(await again.disk(`正文/${n}.md`)).toBe(`第 ${1_480 + n} 次\n`);
        expect(back.ms).toBeLessThan(200 * early + 500);
        expect(must(await again.checkpoints.verify()).bad).toEqual([]);
      },
      { files: withoutFsync },
    ));
});
