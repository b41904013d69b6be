import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createManuscript } from '../../../../src/engine/manuscript/chapters';
import { createProgress } from '../../../../src/engine/manuscript/progress/create-progress';
import type { Progress, RefreshOptions } from '../../../../src/engine/manuscript/progress/progress';
import { wordsByDay } from '../../../../src/engine/manuscript/progress/days';
import { dayOf } from '../../../../src/engine/text/day';
import type { Manuscript } from '../../../../src/engine/manuscript/manuscript';
import type { Project } from '../../../../src/engine/project/project';
import { createObjectStore } from '../../../../src/engine/store/object-store';
import { chapterTarget } from '../../../../src/engine/text/chapter-target';
import { readFrontMatter } from '../../../../src/engine/text/front-matter';
import { createFakeIds } from '../../../fakes/ids';
import { must, turn, withWorld, type World } from '../world';

const one = '正文/001-雨夜.md';
const two = '正文/002-渡口.md';
const three = '正文/003-船.md';
const rain = '雨下了一夜，巷口的灯还亮着。\n';
const lamp = '沈砚秋把信收进怀里，往河边的渡口去了。\n';
const cache = '.liyuan/cache/progress.jsonl';

interface Numbers {
  readonly progress: Progress;
  /** Objects read so far. */
  readonly read: () => number;
  /** All days summed: [author, agent]. */
  readonly sums: (options?: RefreshOptions) => Promise<readonly [number, number]>;
}

const manuscriptOf = ({ documents, files, log, clock }: World): Manuscript =>
  createManuscript({ documents, files, log, clock, project: { config: { v: 1, title: '', language: 'zh', folders: { manuscript: '正文', texts: [] } } } as unknown as Project });

function numbersOf(world: World, { busy = () => false, readOnly = false }: { readonly busy?: () => boolean; readonly readOnly?: boolean } = {}): Numbers {
  const { files, log, clock, documents, checkpoints } = world;
  const objects = createObjectStore({ files, log, clock, ids: createFakeIds(0x77) });
  let read = 0;
  const counting = { get: (sha: string) => { read += 1; return objects.get(sha); } };
  const progress = createProgress({ checkpoints, objects: counting, documents, files, log, clock, manuscript: manuscriptOf(world), busy, readOnly });
  return {
    progress,
    read: () => read,
    async sums(options) {
      const { days } = must(await progress.refresh(options));
      return [days.reduce((sum, day) => sum + day.user, 0), days.reduce((sum, day) => sum + day.agent, 0)];
    },
  };
}

const take = async (world: World): Promise<void> => {
  world.clock.advance(1_000);
  must(await world.checkpoints.take({ author: 'user' }));
};

describe('what was written', () => {
  it('is told apart by author and agent, and an existing book is not writing', () =>
    withWorld(async (world) => {
      const { sums } = numbersOf(world);
      await world.write(one, rain);
      await take(world);
      expect(await sums()).toEqual([0, 0]);
      await world.write(one, `${rain}没有人走。\n`);
      await world.agentEdits(turn(1), one, '没有人走。', '没有人走。船也没有来。');
      must(await world.checkpoints.endTurn(turn(1), '写', false));
      expect(await sums()).toEqual([5, 6]);
    }));

  it('is nothing for moves between chapters, renames and deletions, and deleting does not take away', () =>
    withWorld(async (world) => {
      const { sums } = numbersOf(world);
      await world.write(one, rain + lamp);
      await world.write(two, '船家说今天不开船。\n');
      await take(world);
      await world.write(one, `${rain + lamp}新的一句。\n`);
      await take(world);
      expect(await sums()).toEqual([5, 0]);
      await world.write(one, `${rain}新的一句。\n`);
      await world.write(two, `船家说今天不开船。\n${lamp}`);
      await take(world);
      await world.remove(one);
      await world.write('正文/001-1-雨夜.md', `${rain}新的一句。\n`);
      await take(world);
      await world.write('正文/001-1-雨夜.md', rain);
      await take(world);
      expect(await sums()).toEqual([5, 0]);
    }));

  it('is nothing for a cut and a paste with a checkpoint in between, for an undo and for a restore', () =>
    withWorld(async (world) => {
      const { sums } = numbersOf(world);
      await world.write(one, rain + lamp);
      await take(world);
      const [first] = must(await world.checkpoints.list());
      await world.write(one, rain);
      await take(world);
      expect(await sums()).toEqual([0, 0]);
      await world.write(two, lamp);
      await take(world);
      expect(await sums()).toEqual([0, 0]);
      await world.agentEdits(turn(1), one, '巷口的灯还亮着', '街上一个人也没有，只有水声');
      must(await world.checkpoints.endTurn(turn(1), '改', false));
      const agent = (await sums())[1];
      expect(agent).toBeGreaterThan(8);
      must(await world.checkpoints.undoTurn(turn(1)));
      expect(await sums()).toEqual([0, agent]);
      world.clock.advance(90 * 24 * 3_600_000);
      must(await world.checkpoints.restore(first?.id ?? ''));
      expect(await sums()).toEqual([0, agent]);
    }));

  it('is nothing for notes and outlines, nor for a book that is brought in later', () =>
    withWorld(async (world) => {
      const { sums } = numbersOf(world);
      await world.write(one, rain);
      await take(world);
      await world.write('大纲/总纲.md', lamp.repeat(10));
      for (let n = 0; n < 12; n += 1) await world.write(`正文/旧稿/${n}.md`, Array.from({ length: 500 }, (_, i) => `第${n}章第${i}行，他走了很远的路。\n`).join(''));
      await take(world);
      expect(await sums()).toEqual([0, 0]);
      await world.write(three, lamp);
      await take(world);
      expect(await sums()).toEqual([19, 0]);
    }));

  it('falls on the local day of its checkpoint, and days of 23 and 25 hours are days', () => {
    const zone = process.env['TZ'];
    try {
      process.env['TZ'] = 'America/New_York';
      const at = (text: string): number => new Date(text).getTime();
      expect([at('2026-03-08T04:59:59Z'), at('2026-03-08T05:00:00Z'), at('2026-03-09T03:59:59Z'), at('2026-03-09T04:00:00Z')].map(dayOf)).toEqual(['2026-03-07', '2026-03-08', '2026-03-08', '2026-03-09']);
      expect([at('2026-11-01T04:00:00Z'), at('2026-11-02T04:59:59Z'), at('2026-11-02T05:00:00Z')].map(dayOf)).toEqual(['2026-11-01', '2026-11-01', '2026-11-02']);
      const row = (ts: number, who: 'user' | 'agent' | 'nobody', words: number) => ({ id: String(ts), ts, who, words });
      expect(wordsByDay([row(at('2026-11-02T04:00:00Z'), 'agent', 3), row(at('2026-11-01T05:00:00Z'), 'user', 2), row(at('2026-11-01T06:00:00Z'), 'nobody', 9)])).toEqual([{ day: '2026-11-01', user: 2, agent: 3 }]);
    } finally {
      process.env['TZ'] = zone;
    }
  });

  it('at a merge is what neither side had', () =>
    withWorld(async (world) => {
      await world.write(one, rain);
      await take(world);
      const log = join(world.root, '.liyuan/checkpoints/log.jsonl');
      const common = await readFile(log, 'utf8');
      await world.write(one, `${rain}甲机上写的一句。\n`);
      await take(world);
      const left = (await readFile(log, 'utf8')).slice(common.length);
      await writeFile(log, common);
      const other = world.reopen();
      await other.write(one, `${rain}乙机上写的另一句话。\n`);
      await take(other);
      await writeFile(log, (await readFile(log, 'utf8')) + left);
      const merged = world.reopen();
      const { sums, progress } = numbersOf(merged);
      expect(await sums()).toEqual([8 + 10, 0]);
      await merged.write(one, `${rain}甲机上写的一句。\n乙机上写的另一句话。\n合起来又添一句。\n`);
      expect(must(await progress.pending())).toBe(8);
      await take(merged);
      expect(must(await merged.checkpoints.head())?.parents).toHaveLength(2);
      expect(await sums()).toEqual([18 + 8, 0]);
    }));
});

describe('the cache', () => {
  it('lets a new process read only what has changed, and may be deleted, cut or of another version', () =>
    withWorld(async (world) => {
      await world.write(one, rain);
      await take(world);
      for (let n = 1; n <= 20; n += 1) {
        await world.write(one, rain + '他走了。\n'.repeat(n));
        await take(world);
      }
      expect(await numbersOf(world).sums()).toEqual([80, 0]);
      const again = numbersOf(world.reopen());
      expect(await again.sums()).toEqual([80, 0]);
      expect(again.read()).toBe(0);
      await world.write(one, `${rain}${'他走了。\n'.repeat(20)}又回来了。\n`);
      await take(world);
      expect(await again.sums()).toEqual([85, 0]);
      expect(again.read()).toBe(2);

      const file = join(world.root, cache);
      const whole = await readFile(file, 'utf8');
      for (const spoilt of [whole.slice(0, whole.length / 2), whole.replace('"v":1', '"v":0'), whole.replace('"正文"', '"别处"'), '{', `${whole}垃圾\n`]) {
        await writeFile(file, spoilt);
        expect(await numbersOf(world.reopen()).sums()).toEqual([85, 0]);
      }
      await rm(file);
      expect(await numbersOf(world.reopen(), { readOnly: true }).sums()).toEqual([85, 0]);
      expect(await world.disk(cache)).toBeUndefined();
    }));

  it('keeps what was counted when the counting is broken off, and carries on what had left', () =>
    withWorld(async (world) => {
      await world.write(one, rain + lamp);
      await take(world);
      await world.write(one, rain);
      await take(world);
      await world.write(two, lamp);
      await take(world);
      const stop = new AbortController();
      const { sums } = numbersOf(world);
      await sums({ signal: stop.signal, progress: (done) => { if (done === 2) stop.abort(); } });
      expect((await world.disk(cache))?.match(/"(user|nobody)"/g)).toHaveLength(2);
      expect(await numbersOf(world.reopen()).sums()).toEqual([0, 0]);
    }));

  it('says of how many checkpoints the texts are gone', () =>
    withWorld(async (world) => {
      await world.write(one, rain);
      await take(world);
      await world.write(one, rain + lamp);
      await take(world);
      await rm(join(world.root, '.liyuan/objects'), { recursive: true });
      expect(must(await numbersOf(world).progress.refresh())).toEqual({ days: [], lost: 1 });
    }));
});

describe('what is in no checkpoint yet', () => {
  it('counts unsaved words and files on the disk, moves as nothing, and starts from 0 at a checkpoint', () =>
    withWorld(async (world) => {
      const { progress, sums } = numbersOf(world);
      const pending = async (): Promise<number> => must(await progress.pending());
      await world.write(one, rain + lamp);
      await world.write(two, '船家说今天不开船。\n');
      expect(await pending()).toBe(0);
      await take(world);
      expect(await sums()).toEqual([0, 0]);
      expect(await pending()).toBe(0);
      await world.documents.open(two);
      await world.documents.type(two, '', '潮水还没有退。\n');
      expect(await pending()).toBe(7);
      await world.documents.open(one);
      await world.documents.type(one, lamp, '');
      await world.documents.type(two, '', lamp);
      expect(await pending()).toBe(7);
      await take(world);
      expect(await sums()).toEqual([7, 0]);
      expect(await pending()).toBe(0);
    }));

  it('before the first checkpoint is what the book has grown by since it was first seen, and stays so', () =>
    withWorld(async (world) => {
      const { progress, sums } = numbersOf(world);
      await world.write(one, rain + lamp);
      expect(await sums()).toEqual([0, 0]);
      expect(must(await progress.pending())).toBe(0);
      await world.write(one, `${rain + lamp}新写的一句。\n`);
      expect(must(await progress.pending())).toBe(6);
      expect(await numbersOf(world.reopen()).sums()).toEqual([0, 0]);
      await take(world);
      expect([await sums(), must(await progress.pending())]).toEqual([[6, 0], 0]);
      await rm(join(world.root, cache));
      expect(await numbersOf(world.reopen()).sums()).toEqual([6, 0]);
    }));

  it('waits while a turn runs', () =>
    withWorld(async (world) => {
      let busy = false;
      const { progress } = numbersOf(world, { busy: () => busy });
      await world.write(one, rain);
      await take(world);
      await world.documents.open(one);
      await world.documents.type(one, '', '新的。\n');
      expect(must(await progress.pending())).toBe(3);
      busy = true;
      await world.documents.type(one, '', '助手的字。\n');
      expect(must(await progress.pending())).toBe(3);
    }));
});

describe('targets', () => {
  it('come from front matter', async () => {
    const targetIn = (text: string): number | undefined => chapterTarget(readFrontMatter(text)?.data?.['target']);
    expect(['target: 3000', 'target: "3,000 字"', 'target: 很多', 'target: 0', 'status: 草稿'].map((line) => targetIn(`---\n${line}\n---\n正文\n`))).toEqual([3000, 3000, undefined, undefined, undefined]);
    await withWorld(async (world) => {
      await world.write(one, `---\ntarget: 2500\n---\n${'雨下了一夜。'.repeat(2_000)}\n`);
      await world.write(two, rain);
      const chapters = must(await manuscriptOf(world).chapters());
      expect(chapters.flatMap(({ path, target }) => (target === undefined ? [] : [[path, target]]))).toEqual([[one, 2500]]);
    });
  });
});
