import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineFailure } from '../../../src/engine/ports/result';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { sweepLater, sweepTemporary } from '../../../src/engine/store/sweep-temporary';
import { createFakeClock, FAKE_START } from '../../fakes/clock';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

const HOUR = 3_600_000;
const never = new AbortController().signal;

const begin = async (root: string): Promise<void> => {
  for (const dir of ['objects/aa', 'cache/offsets', 'local/partial', 'sessions']) await mkdir(join(root, '.liyuan', dir), { recursive: true });
};
const put = async (root: string, path: string, age: number): Promise<void> => {
  await writeFile(join(root, '.liyuan', path), 'x');
  const at = new Date(FAKE_START - age);
  await utimes(join(root, '.liyuan', path), at, at);
};
const left = async (root: string): Promise<string[]> =>
  (await readdir(join(root, '.liyuan'), { recursive: true })).filter((name) => name.includes('.') || name.includes('kept')).map((name) => name.replaceAll('\\', '/')).sort();

describe('temporary files that a killed process has left', () => {
  it('are removed once they are older than an hour, and nothing else is', () =>
    withTempFolder(async (root) => {
      await begin(root);
      const old = ['objects/0199.tmp', 'objects/.0199.tmp.1f.tmp', 'cache/.stat.json.2.tmp', 'cache/offsets/.x.3.tmp', 'local/partial/.y.4.tmp'];
      const kept = ['objects/new.tmp', 'objects/aa/kept', 'cache/stat.json', 'local/kept', 'sessions/.z.5.tmp'];
      for (const path of old) await put(root, path, HOUR + 1_000);
      for (const path of kept) await put(root, path, path === 'objects/new.tmp' ? HOUR - 1_000 : 9 * HOUR);
      const log = createMemoryLog();
      await sweepTemporary({ files: createNodeFiles(root), clock: createFakeClock(), log }, never);
      expect(await left(root)).toEqual([...kept].sort());
    }));

  it('are left for the next time when they cannot be removed', () =>
    withTempFolder(async (root) => {
      await begin(root);
      await put(root, 'objects/a.tmp', 2 * HOUR);
      await put(root, 'cache/b.tmp', 2 * HOUR);
      const files = createNodeFiles(root);
      const remove = (path: string): Promise<void> =>
        path.includes('objects') ? Promise.reject(new EngineFailure({ code: 'store.io', args: { path } })) : files.remove(path);
      await sweepTemporary({ files: { ...files, remove }, clock: createFakeClock(), log: createMemoryLog() }, never);
      expect(await left(root)).toEqual(['objects/a.tmp']);
    }));

  it('are removed so many at a time, the rest the next time', () =>
    withTempFolder(async (root) => {
      await begin(root);
      for (let n = 0; n < 10; n += 1) await put(root, `objects/${n}.tmp`, 2 * HOUR);
      const deps = { files: createNodeFiles(root), clock: createFakeClock(), log: createMemoryLog() };
      await sweepTemporary(deps, never, 6);
      expect(await left(root)).toHaveLength(4);
      await sweepTemporary(deps, never, 6);
      expect(await left(root)).toEqual([]);
    }));

  it('are not looked for before the project has been open for a while, nor once it is closed', () =>
    withTempFolder(async (root) => {
      await begin(root);
      await put(root, 'objects/a.tmp', 2 * HOUR);
      const clock = createFakeClock();
      const deps = { files: createNodeFiles(root), clock, log: createMemoryLog() };
      const stop = sweepLater(deps);
      clock.advance(10_000);
      await stop();
      clock.advance(60_000);
      expect(await left(root)).toEqual(['objects/a.tmp']);
      const again = sweepLater(deps);
      clock.advance(60_000);
      await expect.poll(() => left(root)).toEqual([]);
      await again();
    }));
});
