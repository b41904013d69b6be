import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { APART_MS, QUIET_MS, watchQuietEdits } from '../../../src/engine/manuscript/quiet-checkpoints';
import type { DocumentEvent } from '../../../src/engine/ports/documents';
import { createMemoryLog } from '../../fakes/log';
import { createFakeClock, type FakeClock } from '../../fakes/clock';
import { must, withWorld, type World } from './world';

interface Outside {
  readonly world: World;
  readonly clock: FakeClock;
  /** Another program writes a file. */
  write(path: string, text: string): Promise<void>;
  /** Lets time pass, and whatever it sets off end. */
  wait(ms: number): Promise<void>;
  setBusy(busy: boolean): void;
  count(): Promise<number>;
  told(): number;
}

const withOutside = (f: (outside: Outside) => Promise<void>): Promise<void> =>
  withWorld(async (world) => {
    await mkdir(join(world.root, '正文'), { recursive: true });
    await writeFile(join(world.root, '正文/a.md'), '零');
    const clock = createFakeClock();
    let tell: (event: DocumentEvent) => void = () => undefined;
    let busy = false;
    let told = 0;
    let work: Promise<unknown> = Promise.resolve();
    const stop = watchQuietEdits({
      documents: { watch: (listener) => ((tell = listener), () => (tell = () => undefined)) },
      rules: { covered: (path) => path.startsWith('正文/') },
      checkpoints: {
        take: (input) => {
          const taken = world.checkpoints.take(input);
          work = taken;
          return taken;
        },
      },
      clock,
      log: createMemoryLog(),
      busy: () => busy,
      onTaken: () => (told += 1),
    });
    await f({
      world,
      clock,
      write: async (path, text) => {
        await writeFile(join(world.root, path), text);
        tell({ kind: 'changed', path, source: 'disk' });
      },
      wait: async (ms) => {
        clock.advance(ms);
        await work;
        await Promise.resolve();
      },
      setBusy: (now) => (busy = now),
      count: async () => must(await world.checkpoints.list()).length,
      told: () => told,
    });
    stop();
    tell({ kind: 'changed', path: '正文/a.md', source: 'disk' });
    expect(clock.pending()).toBe(0);
  });

it('what another program wrote is the author’s checkpoint once it has been quiet for 30 s', () =>
  withOutside(async ({ world, write, wait, count, told }) => {
    must(await world.checkpoints.take({ author: 'user' }));
    const before = await count();
    await write('正文/a.md', '一');
    await wait(QUIET_MS - 1);
    await write('正文/a.md', '一二');
    await wait(QUIET_MS - 1);
    expect(await count()).toBe(before);
    await wait(1);
    expect([await count(), told()]).toEqual([before + 1, 1]);
    expect(must(await world.checkpoints.head())?.author).toBe('user');
  }));

it('there is at most one in ten minutes, and the last state is kept in the end', () =>
  withOutside(async ({ world, write, wait, count }) => {
    must(await world.checkpoints.take({ author: 'user' }));
    const before = await count();
    await write('正文/a.md', '一');
    await wait(QUIET_MS);
    await write('正文/a.md', '二');
    await wait(QUIET_MS);
    expect(await count()).toBe(before + 1);
    await wait(APART_MS - QUIET_MS);
    expect(await count()).toBe(before + 2);
  }));

it('what is not covered, or did not change after all, makes none; while a turn runs it waits', () =>
  withOutside(async ({ world, write, wait, count, setBusy, clock }) => {
    must(await world.checkpoints.take({ author: 'user' }));
    const before = await count();
    await write('notes.md', 'x');
    expect(clock.pending()).toBe(0);
    setBusy(true);
    await write('正文/a.md', '一');
    await wait(QUIET_MS);
    expect(await count()).toBe(before);
    setBusy(false);
    await wait(QUIET_MS);
    expect(await count()).toBe(before + 1);
    await write('正文/a.md', '一');
    await wait(APART_MS);
    expect(await count()).toBe(before + 1);
  }));

it('words that another program wrote under unsaved ones have a checkpoint of their own, once', () =>
  withWorld(async (world) => {
    await mkdir(join(world.root, '正文'), { recursive: true });
    await writeFile(join(world.root, '正文/a.md'), '一。');
    must(await world.checkpoints.take({ author: 'user' }));
    const before = must(await world.checkpoints.list()).length;
    await world.documents.type('正文/a.md', '', '没存的');
    await writeFile(join(world.root, '正文/a.md'), '别的程序写的。');
    must(await world.checkpoints.take({ author: 'user' }));
    must(await world.checkpoints.take({ author: 'user' }));
    const list = must(await world.checkpoints.list());
    expect(list).toHaveLength(before + 2);
    const at = async (n: number): Promise<string> => Buffer.from(must(await world.checkpoints.fileAt(list[n]?.id ?? '', '正文/a.md')) ?? []).toString();
    expect([await at(0), await at(1)]).toEqual(['一。没存的', '别的程序写的。']);
    must(await world.checkpoints.restore(list[2]?.id ?? ''));
    expect(await world.disk('正文/a.md')).toBe('一。');
  }));
