import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReviewState } from '../../../src/engine/review/proposal';
import { createReviewStore, type ReviewStore } from '../../../src/engine/review/review-store';
import { propose, emptyReview, tweaked } from '../../../src/engine/review/state';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createObjectStore } from '../../../src/engine/store/object-store';
import { createFakeClock } from '../../fakes/clock';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog, type MemoryLog } from '../../fakes/log';
import { withTempFolder } from '../../fakes/temp-folder';

const withStore = (f: (store: ReviewStore, root: string, log: MemoryLog) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    const files = createNodeFiles(root);
    const log = createMemoryLog();
    const ids = createFakeIds();
    const objects = createObjectStore({ files, ids, log, clock: createFakeClock() });
    await mkdir(join(root, '.liyuan/local'), { recursive: true });
    await f(createReviewStore({ files, objects, ids, log }), root, log);
  });

function example(): ReviewState {
  const edit = { known: undefined, from: '正文/001.md', base: '甲。\r\n乙。', path: '正文/001.md', text: '甲。\r\n丙。' };
  const state = propose(emptyReview('s1'), 't1', [edit, { ...edit, from: null, base: null, path: '正文/002.md', text: '' }], { id: () => 'p1', now: 5 });
  const [first] = state.proposals;
  return first === undefined ? state : tweaked(state, first, '甲。\r\n丁。');
}

describe('proposals on the disk', () => {
  it('are there again as they were, the author’s words beside the agent’s', () =>
    withStore(async (store) => {
      const state = example();
      await store.save(state);
      expect(await store.sessions()).toEqual(['s1']);
      expect(await store.load('s1')).toEqual(state);
      expect(await store.load('s2')).toEqual(emptyReview('s2'));
    }));

  it('that cannot be read are put aside, never overwritten', () =>
    withStore(async (store, root, log) => {
      await mkdir(join(root, '.liyuan/local/review'), { recursive: true });
      await writeFile(join(root, '.liyuan/local/review/s1.json'), '{"v":1,"prop');
      expect(await store.load('s1')).toEqual(emptyReview('s1'));
      await store.save(example());
      await writeFile(join(root, '.liyuan/local/review/s1.json'), '{"v":1,"once more');
      expect(await store.load('s1')).toEqual(emptyReview('s1'));
      const names = await readdir(join(root, '.liyuan/local/review'));
      expect(names.map((name) => name.replace(/\.[0-9a-f-]{36}\./, '.<id>.'))).toEqual(['s1.json.<id>.unreadable', 's1.json.<id>.unreadable']);
      expect(log.of('warn').map(({ message }) => message)).toEqual(Array<string>(2).fill('proposals cannot be read and are put aside'));
    }));
});
