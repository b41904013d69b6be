import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createArrange, headingPlace, type Arrange } from '../../../src/engine/manuscript/arrange';
import { checkpointMessages } from '../../../src/engine/manuscript/messages';
import { createProjectRules } from '../../../src/engine/project/rules';
import { createFaultyFiles } from '../../fakes/faulty-files';
import { createFakeIds } from '../../fakes/ids';
import { codeOf, must, withWorld, type World } from './world';

const rules = createProjectRules({ v: 1, title: '雨夜', language: 'zh', folders: { manuscript: '正文', texts: ['大纲', '设定'] } });
const arranger = ({ files, documents, checkpoints, log }: World): Arrange =>
  createArrange({ files, documents, checkpoints, rules, ids: createFakeIds(7), log, messages: () => checkpointMessages('zh') });

const a = '正文/第一章 甲.md';
const b = '正文/第二章 乙.md';
const swap = [
  { from: b, to: '正文/第一章 乙.md', heading: { from: '第二章 乙', to: '第一章 乙' } },
  { from: a, to: '正文/第二章 甲.md', heading: { from: '第一章 甲', to: '第二章 甲' } },
] as const;

async function twoChapters(world: World): Promise<void> {
  await world.write(a, '# 第一章 甲\n\n甲。\n');
  await world.write(b, '---\nstatus: 草稿\n---\n# 第二章 乙\n\n# 第二章 乙\n');
}

describe('a plan of renames', () => {
  it('is carried out with its headings, between two checkpoints of the author', () =>
    withWorld(async (world) => {
      await twoChapters(world);
      const { before, after } = must(await arranger(world).apply(swap));
      expect(await world.all()).toEqual({ '正文/第一章 乙.md': '---\nstatus: 草稿\n---\n# 第一章 乙\n\n# 第二章 乙\n', '正文/第二章 甲.md': '# 第二章 甲\n\n甲。\n' });
      const list = must(await world.checkpoints.list());
      expect(list.map(({ id, author, message }) => [id, author, message])).toEqual([[after, 'user', '调整章节（2 章）'], [before, 'user', '打开项目时的样子']]);
      must(await world.checkpoints.restore(before));
      expect(await world.disk(a)).toBe('# 第一章 甲\n\n甲。\n');
      expect(Object.keys(await world.all())).toEqual([a, b]);
    }));

  it('exchanges names through one in between', () =>
    withWorld(async (world) => {
      await world.write('正文/1.md', '一');
      await world.write('正文/2.md', '二');
      must(await arranger(world).apply([{ from: '正文/1.md', to: '正文/2.md' }, { from: '正文/2.md', to: '正文/1.md' }]));
      expect(await world.all()).toEqual({ '正文/1.md': '二', '正文/2.md': '一' });
    }));

  it('takes unsaved words along, and leaves them unsaved', () =>
    withWorld(async (world) => {
      await twoChapters(world);
      await world.documents.type(a, '甲。', '甲，还没存。');
      const { before } = must(await arranger(world).apply(swap));
      expect(await world.documents.text('正文/第二章 甲.md')).toBe('# 第二章 甲\n\n甲，还没存。\n');
      expect(world.documents.isDirty('正文/第二章 甲.md')).toBe(true);
      const kept = must(await world.checkpoints.fileAt(before, a));
      expect(Buffer.from(kept ?? []).toString()).toBe('# 第一章 甲\n\n甲，还没存。\n');
    }));

  it('is all or nothing: a rename that is refused takes the earlier ones back', () =>
    withWorld(async (world) => {
      await twoChapters(world);
      const whole = await world.all();
      let renames = 0;
      const stop = world.documents.before('rename', () => ((renames += 1) === 2 ? { code: 'doc.apply-rejected' } : undefined));
      expect(codeOf(await arranger(world).apply(swap))).toBe('doc.apply-rejected');
      stop();
      expect(await world.all()).toEqual(whole);
    }));

  it('is all or nothing also when the headings are refused, or it is stopped half way', () =>
    withWorld(async (world) => {
      await twoChapters(world);
      const whole = await world.all();
      world.documents.rejectApply();
      expect(codeOf(await arranger(world).apply(swap))).toBe('doc.apply-rejected');
      expect(await world.all()).toEqual(whole);
      const stopped = new AbortController();
      expect(codeOf(await arranger(world).apply(swap, { signal: stopped.signal, progress: () => stopped.abort() }))).toBe('turn.aborted');
      expect(await world.all()).toEqual(whole);
    }));

  it('is not begun when a target is taken, a file is gone, or a name is not allowed', () =>
    withWorld(async (world) => {
      await twoChapters(world);
      await world.write('正文/第三章.md', '三');
      expect(codeOf(await arranger(world).apply([{ from: a, to: '正文/第三章.md' }]))).toBe('doc.exists');
      expect(codeOf(await arranger(world).apply([{ from: '正文/没有.md', to: '正文/有.md' }]))).toBe('doc.not-found');
      expect(codeOf(await arranger(world).apply([{ from: a, to: '别处/甲.md' }]))).toBe('path.not-writable');
      expect(must(await world.checkpoints.list())).toEqual([]);
    }));

  it('leaves a heading alone that says something else by now', () =>
    withWorld(async (world) => {
      await twoChapters(world);
      await world.write(a, '# 新的题目\n');
      must(await arranger(world).apply(swap));
      expect(await world.disk('正文/第二章 甲.md')).toBe('# 新的题目\n');
    }));
});

describe('deleting a chapter', () => {
  it('leaves it where the author types into it just then', () =>
    withWorld(async (world) => {
      await world.write('正文/1.md', '一');
      let typed = false;
      world.documents.before('delete', async (path) => {
        if (!typed) await world.documents.type(path, '一', '一。刚写的。');
        typed = true;
      });
      expect(codeOf(await arranger(world).remove(['正文/1.md']))).toBe('doc.changed');
      expect(await world.documents.text('正文/1.md')).toBe('一。刚写的。');
    }));
});

describe('deleting chapters', () => {
  it('keeps them in the history, unsaved words included', () =>
    withWorld(async (world) => {
      await twoChapters(world);
      await world.documents.type(a, '甲。', '甲，还没存。');
      const { before } = must(await arranger(world).remove([a]));
      expect(Object.keys(await world.all())).toEqual([b]);
      must(await world.checkpoints.restore(before, { path: a }));
      expect(await world.disk(a)).toBe('# 第一章 甲\n\n甲，还没存。\n');
    }));

  it('is all or nothing', () =>
    withWorld(async (world) => {
      await twoChapters(world);
      const whole = await world.all();
      world.documents.before('delete', (path) => (path === b ? { code: 'doc.apply-rejected' } : undefined));
      expect(codeOf(await arranger(world).remove([a, b]))).toBe('doc.apply-rejected');
      expect(await world.all()).toEqual(whole);
    }));
});

it('a heading is found behind front matter, and only where it is the heading', () => {
  expect(headingPlace('---\na: 1 # 雨\n---\n\n#  雨 #\n', '雨')).toBe(21);
  expect(headingPlace('雨\n# 雨\n', '雨')).toBeUndefined();
});

describe('a disk that fails while chapters are arranged', () => {
  const chapters = async (world: World): Promise<void> => {
    await world.write('正文/1.md', '# 第1章\n\n一');
    await world.write('正文/2.md', '# 第2章\n\n二');
  };
  const places = [
    { from: '正文/1.md', to: '正文/2.md', heading: { from: '第1章', to: '第2章' } },
    { from: '正文/2.md', to: '正文/1.md', heading: { from: '第2章', to: '第1章' } },
  ];
  const before = { '正文/1.md': '# 第1章\n\n一', '正文/2.md': '# 第2章\n\n二' };

  it('and is full when the result of deleting is to be kept: the chapters are back', () =>
    withWorld(async (first) => {
      await chapters(first);
      let full = false;
      const world = first.reopen({ files: (files) => {
        const faulty = createFaultyFiles(files);
        faulty.faults(({ name }) => (full && (name === 'append' || name === 'writeAtomic') ? { kind: 'fail', code: 'store.disk-full' } : undefined));
        return faulty;
      } });
      world.documents.before('delete', () => { full = true; });
      expect(codeOf(await arranger(world).remove(['正文/1.md', '正文/2.md']))).toBe('store.disk-full');
      expect(await world.all()).toEqual(before);
    }));

  it('so that a name cannot be taken back: it is, before the next plan', () =>
    withWorld(async (world) => {
      await chapters(world);
      let renames = 0;
      const stop = world.documents.before('rename', () => ((renames += 1) >= 3 ? { code: 'store.io' } : undefined));
      const arrange = arranger(world);
      expect(codeOf(await arrange.apply(places))).toBe('store.io');
      expect(Object.keys(await world.all())).not.toEqual(Object.keys(before));
      stop();
      must(await arranger(world.reopen()).recover());
      expect(await world.all()).toEqual(before);
    }));

  it('or a window killed again while names are taken back: no heading is put into another chapter', () =>
    withWorld(async (world) => {
      await chapters(world);
      // Killed when all was done but for the last checkpoint.
      const later = world.reopen();
      const stopped = new Promise<never>(() => undefined);
      let steps = 0;
      world.documents.before('rename', () => void (steps += 1));
      const taken = world.checkpoints.take.bind(world.checkpoints);
      const reached = new Promise<void>((resolve) => {
        const checkpoints = { ...world.checkpoints, take: async (input: Parameters<typeof taken>[0]) => (steps > 0 ? (resolve(), stopped) : taken(input)) };
        void createArrange({ ...world, checkpoints, rules, ids: createFakeIds(7), messages: () => checkpointMessages('zh') }).apply(places);
      });
      await reached;
      await rm(join(world.root, '.liyuan/locks'), { recursive: true });
      expect(await world.all()).toEqual({ '正文/1.md': '# 第1章\n\n二', '正文/2.md': '# 第2章\n\n一' });
      // The next one dies before the last name.
      let back = 0;
      const dead = new Promise<void>((resolve) => {
        later.documents.before('rename', () => ((back += 1) === 3 ? (resolve(), stopped) : undefined));
        void arranger(later).recover();
      });
      await dead;
      await rm(join(world.root, '.liyuan/locks'), { recursive: true });
      must(await arranger(world.reopen()).recover());
      expect(await world.all()).toEqual(before);
    }));
});
