import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir, stat, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineFailure } from '../../../src/engine/ports/result';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createObjectStore } from '../../../src/engine/store/object-store';
import type { ObjectStore } from '../../../src/engine/store/objects';
import { createFakeClock } from '../../fakes/clock';
import { createFaultyFiles, type FaultyFiles } from '../../fakes/faulty-files';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

const HI = '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4';
const pathOf = (root: string, sha: string): string => join(root, '.liyuan/objects', sha.slice(0, 2), sha);

interface Bench {
  readonly root: string;
  readonly files: FaultyFiles;
  readonly store: ObjectStore;
  /** A second store over the same folder, as after a restart. */
  readonly reopen: () => ObjectStore;
}

const withStore = (f: (bench: Bench) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    const files = createFaultyFiles(createNodeFiles(root));
    const ids = createFakeIds();
    const clock = createFakeClock(Date.now());
    const make = (): ObjectStore => createObjectStore({ files, ids, log: createMemoryLog(), clock });
    await f({ root, files, store: make(), reopen: make });
  });

describe('the object store', () => {
  it('writes an object anew that is put again when its file is old, so that no clean-up takes it before it is named', () =>
    withStore(async ({ root, store, reopen }) => {
      await store.put(Buffer.from('hi'));
      const file = join(root, '.liyuan/objects', HI.slice(0, 2), HI);
      for (const [days, fresh] of [[14, false], [16, true]] as const) {
        const then = Date.now() / 1000 - days * 86_400;
        for (const one of [store, reopen()]) {
          await utimes(file, then, then);
          await one.put(Buffer.from('hi'));
          expect((await stat(file)).mtimeMs > (then + 1) * 1000, `${days}`).toBe(fresh);
        }
      }
    }));

  it('lists its files and removes one, unless that was written anew since', () =>
    withStore(async ({ root, store }) => {
      await store.put(Buffer.from('hi'));
      await writeFile(join(root, '.liyuan/objects/left.tmp'), 'half');
      const entries = [...(await store.entries())].sort((a, b) => (a.path < b.path ? -1 : 1));
      expect(entries.map(({ path, sha, size }) => ({ path, sha, size }))).toEqual([
        { path: `.liyuan/objects/${HI.slice(0, 2)}/${HI}`, sha: HI, size: 3 },
        { path: '.liyuan/objects/left.tmp', sha: undefined, size: 4 },
      ]);
      const [object] = entries;
      if (object === undefined) throw new Error('no object');
      expect(await store.remove({ ...object, mtimeNs: object.mtimeNs - 1n })).toBe(false);
      expect(await store.has(HI)).toBe(true);
      expect(await store.remove(object)).toBe(true);
      expect([await store.has(HI), await store.remove(object)]).toEqual([false, false]);
    }));

  it('names bytes by their SHA-256 and gives them back', () =>
    withStore(async ({ root, store, reopen }) => {
      expect(await store.put(Buffer.from('hi'))).toBe(HI);
      expect(await reopen().get(HI)).toEqual({ ok: true, value: Buffer.from('hi') });
      expect([...(await readFile(pathOf(root, HI)))]).toEqual([0, 0x68, 0x69]);
    }));

  it('keeps 512 bytes as they are and deflates more, saying which in the first byte', () =>
    withStore(async ({ root, store }) => {
      const [small, large] = await store.putAll([Buffer.alloc(512, 'a'), Buffer.alloc(513, 'a')]);
      const smallFile = await readFile(pathOf(root, small!));
      const largeFile = await readFile(pathOf(root, large!));
      expect([smallFile[0], smallFile.length]).toEqual([0, 513]);
      expect(largeFile[0]).toBe(1);
      expect(largeFile.length).toBeLessThan(30);
      expect(inflateRawSync(largeFile.subarray(1)).equals(Buffer.alloc(513, 'a'))).toBe(true);
    }));

  it('keeps bytes that do not shrink as they are', () =>
    withStore(async ({ root, store }) => {
      const noise = Buffer.concat(Array.from({ length: 40 }, (_, i) => createHash('sha256').update(String(i)).digest()));
      const sha = await store.put(noise);
      expect((await readFile(pathOf(root, sha)))[0]).toBe(0);
    }));

  it('says what is missing', () =>
    withStore(async ({ store }) => {
      expect(await store.get(HI)).toEqual({ ok: false, error: { code: 'object.missing', args: { sha: HI } } });
      expect(await store.get('../../project.json')).toEqual({ ok: false, error: { code: 'object.missing', args: { sha: '../../project.json' } } });
      expect(await store.has(HI)).toBe(false);
    }));

  it.each([0, 1, 2])('finds an object cut to %i bytes corrupt, and writes it anew when it is put again', (length) =>
    withStore(async ({ root, store, reopen }) => {
      await store.put(Buffer.from('hi'));
      await truncate(pathOf(root, HI), length);
      const later = reopen();
      expect(await later.has(HI)).toBe(false);
      expect(await later.get(HI)).toEqual({ ok: false, error: { code: 'object.corrupt', args: { sha: HI } } });
      expect(await later.put(Buffer.from('hi'))).toBe(HI);
      expect(await later.get(HI)).toEqual({ ok: true, value: Buffer.from('hi') });
    }));

  it('does not trust an object only because it has the right name and length', () =>
    withStore(async ({ root, store, reopen }) => {
      await store.put(Buffer.from('hi'));
      await writeFile(pathOf(root, HI), Buffer.from([0, 0x68, 0x6a]));
      const later = reopen();
      expect((await later.get(HI)).ok).toBe(false);
      await later.put(Buffer.from('hi'));
      expect((await later.get(HI)).ok).toBe(true);
    }));

  it('notices that an object it wrote has gone', () =>
    withStore(async ({ root, store }) => {
      await store.put(Buffer.from('hi'));
      await unlink(pathOf(root, HI));
      expect(await store.has(HI)).toBe(false);
      await store.put(Buffer.from('hi'));
      expect(await store.has(HI)).toBe(true);
    }));

  it('writes equal bytes once and answers in the order asked', () =>
    withStore(async ({ root, store }) => {
      const [a, b, c] = await store.putAll([Buffer.from('hi'), Buffer.from('ho'), Buffer.from('hi')]);
      expect([a, c]).toEqual([HI, HI]);
      expect(b).toBe(createHash('sha256').update('ho').digest('hex'));
      expect((await readdir(join(root, '.liyuan/objects'))).sort()).toEqual([HI.slice(0, 2), b!.slice(0, 2)].sort());
    }));

  it('fsyncs every object of a batch before it names the first', () =>
    withStore(async ({ files, store }) => {
      await store.putAll([Buffer.from('one'), Buffer.from('two'), Buffer.from('three')]);
      const names = files.seen.map(({ name }) => name).filter((name) => name === 'fsync' || name === 'rename');
      expect(names.slice(0, 6)).toEqual(['fsync', 'fsync', 'fsync', 'rename', 'rename', 'rename']);
      expect(names.slice(6).every((name) => name === 'fsync')).toBe(true);
    }));

  it.each(['writeAtomic', 'fsync', 'rename', 'mkdir'] as const)('names nothing new and leaves nothing behind when %s fails', (name) =>
    withStore(async ({ root, files, store }) => {
      await store.put(Buffer.from('before'));
      files.faults((operation) => (operation.name === name ? { kind: 'fail', code: 'store.disk-full' } : undefined));
      await expect(store.putAll([Buffer.from('hi'), Buffer.from('ho')])).rejects.toBeInstanceOf(EngineFailure);
      files.faults(undefined);
      expect(await store.has(HI)).toBe(false);
      expect(existsSync(pathOf(root, HI))).toBe(false);
      expect((await readdir(join(root, '.liyuan/objects'))).filter((entry) => entry.endsWith('.tmp'))).toEqual([]);
      expect(await store.put(Buffer.from('hi'))).toBe(HI);
    }));

  it('gives a failing disk as a refusal when reading', () =>
    withStore(async ({ files, store, reopen }) => {
      await store.put(Buffer.from('hi'));
      files.faults(() => ({ kind: 'fail', code: 'store.io' }));
      expect(await reopen().get(HI)).toMatchObject({ ok: false, error: { code: 'store.io' } });
    }));

  it('gives back any bytes', () =>
    withStore(({ store, reopen }) =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
          const sha = await store.put(bytes);
          const back = await reopen().get(sha);
          expect(back.ok && Buffer.from(back.value).equals(Buffer.from(bytes))).toBe(true);
        }),
        { numRuns: 40 },
      ),
    ));
});
