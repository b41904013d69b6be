import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createPresentObjects } from '../../../src/engine/manuscript/present-objects';
import type { Files, FileStat } from '../../../src/engine/ports/files';
import { sha256Hex } from '../../../src/engine/text/hash';
import { must, withWorld, type World } from './world';

const path = (text: string): string => `.liyuan/objects/${sha256Hex(text).slice(0, 2)}/${sha256Hex(text)}`;
const there = (world: World, text: string): boolean => existsSync(join(world.root, path(text)));

/** Two chapters and a checkpoint, whose objects have been looked at. */
async function begun(world: World): Promise<void> {
  await world.write('正文/a.md', '一');
  await world.write('正文/b.md', '二');
  must(await world.checkpoints.take({ author: 'user', message: '1' }));
  await world.clock.advanceAsync(1_000);
  // Behind the look, in its queue.
  must(await world.checkpoints.head());
}

describe('an object that goes while the window is open', () => {
  it('is stored anew soon after the next checkpoint, from the file that still holds its words', () =>
    withWorld(async (world) => {
      await begun(world);
      await world.remove(path('一'));
      await world.write('正文/b.md', '贰');
      must(await world.checkpoints.take({ author: 'user', message: '2' }));
      world.clock.advance(1_000);
      await vi.waitFor(() => expect(there(world, '一')).toBe(true));
      expect(Buffer.from(must(await world.checkpoints.fileAt(must(await world.checkpoints.list())[0]?.id ?? '', '正文/a.md')) ?? []).toString()).toBe('一');
    }));

  it('is written by the next checkpoint where its file was touched', () =>
    withWorld(async (world) => {
      await begun(world);
      await world.remove(path('一'));
      await world.write('正文/a.md', '一');
      await world.write('正文/b.md', '贰');
      must(await world.checkpoints.take({ author: 'user', message: '2' }));
      expect(there(world, '一')).toBe(true);
    }));

  it('is told where its file holds other words by then', () =>
    withWorld(async (world) => {
      await begun(world);
      await world.write('正文/b.md', '贰');
      must(await world.checkpoints.take({ author: 'user', message: '2' }));
      await world.remove(path('一'));
      await world.write('正文/a.md', '壹');
      world.clock.advance(1_000);
      await vi.waitFor(() => expect(world.log.of('warn').map(({ message }) => message)).toContain('a stored text is gone, and its file holds other words by now'));
      expect(there(world, '一')).toBe(false);
    }));

  it('is looked for once after several checkpoints in a row', () =>
    withWorld(async (world) => {
      await begun(world);
      for (const text of ['三', '四', '五']) {
        await world.write('正文/b.md', text);
        must(await world.checkpoints.take({ author: 'user', message: text }));
      }
      expect(world.clock.pending()).toBe(1);
    }));
});

describe('which objects are there', () => {
  const sha = 'aa'.repeat(32);
  const disk = (): { readonly files: Files; readonly asked: () => number; go(): void } => {
    let size = 1;
    let asked = 0;
    const stat = async (): Promise<FileStat> => {
      asked += 1;
      return { size, mtimeNs: 0n, ctimeNs: 0n, ino: 1n, kind: 'file' };
    };
    return { files: { stat } as unknown as Files, asked: () => asked, go: () => void (size = 0) };
  };

  it('is asked once of the disk, and again after a clean-up', async () => {
    const { files, asked, go } = disk();
    const present = createPresentObjects({ files });
    expect([...(await present.among([sha]))]).toEqual([sha]);
    go();
    expect([...(await present.among([sha]))]).toEqual([sha]);
    expect(asked()).toBe(1);
    present.distrust();
    expect([...(await present.among([sha]))]).toEqual([]);
  });

  it('is forgotten of one that is looked for and not there', async () => {
    const { files, go } = disk();
    const present = createPresentObjects({ files });
    present.written([sha]);
    expect([...(await present.missing([sha]))]).toEqual([]);
    go();
    expect([...(await present.missing([sha]))]).toEqual([sha]);
    expect([...(await present.among([sha]))]).toEqual([]);
  });
});
