import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Files } from '../../../src/engine/ports/files';
import { createSessionSearch, type SessionSearch } from '../../../src/engine/session/search';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createMemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

const alive = new AbortController().signal;

interface Bench {
  readonly root: string;
  readonly search: SessionSearch;
  /** Bytes of session files that were read. */
  readonly read: () => number;
  again(): SessionSearch;
  put(id: string, ...lines: readonly string[]): Promise<void>;
  add(id: string, ...lines: readonly string[]): Promise<void>;
}

const said = (type: string, text: string, n = 1): string => JSON.stringify({ id: `${type}${n}`, parentId: null, ts: n, type, data: { text, model: 'm', status: 'sealed', calls: [] } });
const header = (id: string): string => JSON.stringify({ v: 1, type: 'session', id, kind: 'agent', title: 'x', createdAt: 1 });

const withSearch = (f: (bench: Bench) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    await mkdir(join(root, '.liyuan/sessions'), { recursive: true });
    const real = createNodeFiles(root);
    let bytes = 0;
    const files: Files = {
      ...real,
      readRange: async (path, offset, length) => {
        if (length > 4096) bytes += length;
        return real.readRange(path, offset, length);
      },
    };
    const again = (): SessionSearch => createSessionSearch({ files, log: createMemoryLog(), readOnly: false });
    const file = (id: string): string => join(root, '.liyuan/sessions', `${id}.jsonl`);
    await f({
      root,
      search: again(),
      read: () => bytes,
      again,
      put: (id, ...lines) => writeFile(file(id), [header(id), ...lines, ''].join('\n')),
      add: (id, ...lines) => appendFile(file(id), `${lines.join('\n')}\n`),
    });
  });

describe('searching what was said', () => {
  it('finds the author’s words, replies, and words between steps; not thinking, not what tools gave', () =>
    withSearch(async ({ search, put }) => {
      await put('a', said('user', '把铜哨\n写响一点'));
      await put('b', said('reply', '铜哨响了。铜哨又响了。'), said('step', '先找铜哨', 2));
      await put('c', JSON.stringify({ id: 't', parentId: null, ts: 1, type: 'tool', data: { callId: 'c', result: '铜哨', ok: true } }));
      const found = await search.find('铜哨', { signal: alive });
      expect(found.map(({ id, count }) => [id, count]).sort()).toEqual([['a', 1], ['b', 3]]);
      expect(found.find(({ id }) => id === 'b')).toEqual({ id: 'b', count: 3, before: '先找', match: '铜哨', after: '' });
      expect((await search.find('铜哨 写响', { signal: alive })).map(({ id }) => id)).toEqual(['a']);
      expect(await search.find('  ', { signal: alive })).toEqual([]);
    }));

  it('does not mind the case of letters, and gives the words as they are written there', () =>
    withSearch(async ({ search, put }) => {
      await put('a', said('user', 'The BELL rings'));
      expect(await search.find('bell', { signal: alive })).toMatchObject([{ match: 'BELL' }]);
    }));

  it('reads no more than what is new, also after a restart, and sees what has been added', () =>
    withSearch(async ({ search, again, put, add, read }) => {
      await put('a', ...Array.from({ length: 300 }, (_, n) => said('reply', `潮水涨了又退，第 ${n} 次。`, n)));
      await search.find('铜哨', { signal: alive });
      const first = read();
      expect(first).toBeGreaterThan(20_000);
      expect(await search.find('第 299 次', { signal: alive })).toHaveLength(1);
      expect(await again().find('第 299 次', { signal: alive })).toHaveLength(1);
      expect(read()).toBe(first);
      await add('a', said('user', '铜哨响了', 900));
      expect(await again().find('铜哨', { signal: alive })).toHaveLength(1);
      expect(read()).toBe(first);
    }));

  it('takes a file that was put in the place of another for a new one, and a damaged cache for none', () =>
    withSearch(async ({ search, again, put, root }) => {
      await put('a', said('user', '铜哨'));
      expect(await search.find('铜哨', { signal: alive })).toHaveLength(1);
      await put('a', said('user', '换了一个很长很长的说法，里面没有那个东西'));
      expect(await search.find('铜哨', { signal: alive })).toEqual([]);
      const cache = join(root, '.liyuan/cache/words');
      expect(await readdir(cache)).toEqual(['a']);
      await writeFile(join(cache, 'a'), 'broken');
      expect(await again().find('说法', { signal: alive })).toHaveLength(1);
      await rm(cache, { recursive: true });
      expect(await again().find('说法', { signal: alive })).toHaveLength(1);
    }));

  it('leaves a line that is still being written for the next search', () =>
    withSearch(async ({ search, put, root }) => {
      await put('a', said('user', '一'));
      const line = said('user', '铜哨', 2);
      await appendFile(join(root, '.liyuan/sessions/a.jsonl'), line.slice(0, 30));
      expect(await search.find('铜哨', { signal: alive })).toEqual([]);
      await appendFile(join(root, '.liyuan/sessions/a.jsonl'), `${line.slice(30)}\n`);
      expect(await search.find('铜哨', { signal: alive })).toHaveLength(1);
    }));

  it('gives nothing once it was aborted, and no more than it is asked for', () =>
    withSearch(async ({ search, put }) => {
      for (let n = 0; n < 12; n += 1) await put(`s${n}`, said('user', '铜哨'));
      expect(await search.find('铜哨', { signal: AbortSignal.abort() })).toEqual([]);
      expect(await search.find('铜哨', { signal: alive, most: 5 })).toHaveLength(5);
    }));

  it('is fast over 500 conversations once it has seen them', () =>
    withSearch(async ({ search, put }) => {
      for (let n = 0; n < 500; n += 1) await put(`s${n}`, ...Array.from({ length: 20 }, (_, m) => said('reply', `第 ${n} 次对话里第 ${m} 句：潮水涨了又退。`, m)));
      await search.find('铜哨', { signal: alive });
      const since = performance.now();
      expect(await search.find('第 250 次', { signal: alive })).toHaveLength(1);
      // Generous: the machine may be busy with other tests. Without the cache it takes several times as long.
      expect(performance.now() - since).toBeLessThan(2_000);
    }), 60_000);
});
