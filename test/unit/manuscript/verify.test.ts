import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { storeKinds } from '../../../src/engine/manuscript/store-size';
import { sha256Hex } from '../../../src/engine/text/hash';
import { codeOf, must, withWorld, type World } from './world';

const objectOf = (text: string): string => `.liyuan/objects/${sha256Hex(text).slice(0, 2)}/${sha256Hex(text)}`;

async function step(world: World, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) await world.write(path, text);
  return must(await world.checkpoints.take({ author: 'user', message: 'x' }))?.id ?? '';
}

describe('「校验」', () => {
  it('folds every checkpoint and reads every object', () =>
    withWorld(async (world) => {
      await step(world, { '正文/a.md': '一', '正文/b.md': '二' });
      await step(world, { '正文/a.md': '三' });
      const seen: string[] = [];
      expect(must(await world.checkpoints.verify({ progress: (done, total) => seen.push(`${done}/${total}`) }))).toEqual({
        checkpoints: 2, objects: 3, complete: true, broken: [], bad: [],
      });
      expect(seen).toEqual(['0/3']);
    }));

  it('names what is damaged or missing, with the checkpoints and files it hurts', () =>
    withWorld(async (world) => {
      const first = await step(world, { '正文/a.md': '一', '正文/b.md': '二', '正文/同.md': '一' });
      const second = await step(world, { '正文/a.md': '三' });
      await world.write(objectOf('一'), 'damaged');
      await rm(join(world.root, objectOf('三')));
      const { bad } = must(await world.reopen().checkpoints.verify());
      expect(bad).toEqual([
        { sha: sha256Hex('一'), code: 'object.corrupt', checkpoints: [{ id: first, paths: ['正文/a.md', '正文/同.md'] }, { id: second, paths: ['正文/同.md'] }] },
        { sha: sha256Hex('三'), code: 'object.missing', checkpoints: [{ id: second, paths: ['正文/a.md'] }] },
      ]);
    }));

  it('finds damage in what only conversations use', () =>
    withWorld(async (world) => {
      await step(world, { '正文/a.md': '一' });
      await world.write(objectOf('提示词'), 'damaged');
      expect(must(await world.checkpoints.verify()).bad).toEqual([{ sha: sha256Hex('提示词'), code: 'object.corrupt', checkpoints: [] }]);
    }));

  it('can be broken off, and says that it was', () =>
    withWorld(async (world) => {
      for (let at = 0; at < 20; at += 1) await world.write(`正文/${at}.md`, `${at}`);
      await step(world, {});
      const stop = new AbortController();
      const found = must(await world.checkpoints.verify({ signal: stop.signal, progress: (done) => { if (done > 0) stop.abort(); } }));
      expect(found).toMatchObject({ complete: false, objects: 17 });
    }));

  it('lets others work in between', () =>
    withWorld(async (world) => {
      for (let at = 0; at < 200; at += 1) await world.write(`正文/${at}.md`, `${at}`);
      await step(world, {});
      // Were the others made to wait, this would come too late to break anything off.
      const stop = new AbortController();
      let other: Promise<unknown> | undefined;
      const progress = (): void => {
        other ??= world.checkpoints.head().then(() => { stop.abort(); });
      };
      expect(must(await world.checkpoints.verify({ signal: stop.signal, progress })).complete).toBe(false);
      await other;
    }));
});

describe('the size of the store', () => {
  it('is told by kind, in bytes and files', () =>
    withWorld(async (world) => {
      await world.write('.liyuan/project.json', '{}');
      await world.write('.liyuan/sessions/s.jsonl', 'x'.repeat(10));
      await world.write('.liyuan/sessions/t.jsonl', 'x'.repeat(5));
      await world.write('.liyuan/objects/aa/y', 'x'.repeat(7));
      await world.write('.liyuan/cache/z.json', 'x');
      const size = must(await world.checkpoints.storeSize());
      expect(size.kinds.map(({ kind }) => kind)).toEqual([...storeKinds]);
      expect(size.kinds.filter(({ files }) => files > 0)).toEqual([
        { kind: 'objects', files: 1, bytes: 7 },
        { kind: 'sessions', files: 2, bytes: 15 },
        { kind: 'cache', files: 1, bytes: 1 },
        { kind: 'other', files: 1, bytes: 2 },
      ]);
      expect(size.bytes).toBe(25);
    }));

  it('is nothing where there is nothing yet', () =>
    withWorld(async (world) => {
      expect(codeOf(await world.checkpoints.storeSize())).toBe('ok');
      expect(must(await world.checkpoints.storeSize()).bytes).toBe(0);
    }));
});
