import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { createManuscript } from '../../../src/engine/manuscript/chapters';
import type { Manuscript } from '../../../src/engine/manuscript/manuscript';
import type { Project } from '../../../src/engine/project/project';
import { createProjectRules } from '../../../src/engine/project/rules';
import { ok } from '../../../src/engine/ports/result';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createFakeClock, FAKE_START } from '../../fakes/clock';
import { createMemoryLog } from '../../fakes/log';
import { createMemoryDocuments, type MemoryDocuments } from '../../fakes/memory-documents';
import { withTempFolder } from '../../fakes/temp-folder';
import { must } from './world';

const config = { v: 1, title: '雨夜', language: 'zh', folders: { manuscript: '正文', texts: ['设定'] } } as const;
const project: Project = { config, rules: createProjectRules(config), machine: 'm', newer: false, update: async () => ok(undefined) };

interface Desk {
  readonly documents: MemoryDocuments;
  readonly manuscript: Manuscript;
  /** Last changed a minute before the clock's time. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  reopen(): Desk;
}

function open(root: string): Desk {
  const documents = createMemoryDocuments({ root });
  const manuscript = createManuscript({ documents, files: createNodeFiles(root), project, log: createMemoryLog(), clock: createFakeClock() });
  return {
    documents,
    manuscript,
    async write(path, content) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
      const when = new Date(FAKE_START - 60_000);
      await utimes(join(root, path), when, when);
    },
    reopen: () => open(root),
  };
}

const withDesk = (f: (desk: Desk) => Promise<void>): Promise<void> => withTempFolder((root) => f(open(root)));

describe('the chapters of a manuscript', () => {
  it('are its .md and .txt files in natural order, with title, volume and 字', () =>
    withDesk(async (desk) => {
      await desk.write('正文/第二卷/第十章.md', '# 第十章 刀\n\n刀光。');
      await desk.write('正文/第二卷/第二章.md', '二。');
      await desk.write('正文/第十卷/1.md', '');
      await desk.write('正文/000-序.md', '---\nstatus: 草稿\n---\n雨下了一夜。');
      await desk.write('正文/.草稿.md', '不算');
      await desk.write('正文/.隐/x.md', '不算');
      await desk.write('正文/第二卷/第三章.txt', '三。');
      await desk.write('正文/表.json', '{}');
      await desk.write('设定/人物.md', '不算');
      expect(must(await desk.manuscript.chapters())).toEqual([
        { path: '正文/000-序.md', volume: '', title: '序', words: 6, status: '草稿', mtime: FAKE_START - 60_000, dirty: false },
        { path: '正文/第二卷/第二章.md', volume: '第二卷', title: '第二章', words: 2, mtime: FAKE_START - 60_000, dirty: false },
        { path: '正文/第二卷/第三章.txt', volume: '第二卷', title: '第三章', words: 2, mtime: FAKE_START - 60_000, dirty: false },
        { path: '正文/第二卷/第十章.md', volume: '第二卷', title: '第十章 刀', heading: '第十章 刀', words: 7, mtime: FAKE_START - 60_000, dirty: false },
        { path: '正文/第十卷/1.md', volume: '第十卷', title: '1', words: 0, mtime: FAKE_START - 60_000, dirty: false },
      ]);
      expect(desk.manuscript.folder).toBe('正文');
    }));

  it('are none where there is no folder', () =>
    withDesk(async (desk) => {
      expect(must(await desk.manuscript.chapters())).toEqual([]);
    }));

  it('count unsaved words, with their title', () =>
    withDesk(async (desk) => {
      await desk.write('正文/a.md', '# 雨\n\n一。');
      must(await desk.manuscript.chapters());
      await desk.documents.type('正文/a.md', '雨', '雪夜');
      await desk.documents.type('正文/a.md', '', '二三。');
      expect(must(await desk.manuscript.chapters())).toMatchObject([{ title: '雪夜', words: 7, dirty: true }]);
    }));

  it('are counted in whatever encoding they have; what is no text counts nothing', () =>
    withDesk(async (desk) => {
      await desk.write('正文/1.md', iconv.encode('雨下了一夜，他没有走。', 'gbk'));
      await desk.write('正文/2-图.md', Buffer.from('89504e470d0a1a0a0000000d', 'hex'));
      expect(must(await desk.manuscript.chapters())).toMatchObject([{ words: 11 }, { title: '图', words: 0 }]);
    }));

  it('are not read again while they look the same, here or after a restart', () =>
    withDesk(async (desk) => {
      for (let n = 1; n <= 40; n += 1) await desk.write(`正文/${n}.md`, '雨。');
      must(await desk.manuscript.chapters());
      expect(desk.documents.calls.bytes).toBe(40);
      await desk.write('正文/7.md', '雨下了。');
      expect(must(await desk.manuscript.chapters())[6]).toMatchObject({ words: 4 });
      expect(desk.documents.calls.bytes).toBe(41);
      const again = desk.reopen();
      expect(must(await again.manuscript.chapters()).map(({ words }) => words)).toEqual(Array.from({ length: 40 }, (_, at) => (at === 6 ? 4 : 2)));
      expect(again.documents.calls.bytes).toBeLessThanOrEqual(1);
    }));
});

describe('what a chapter says about itself', () => {
  it('is its status, its target and its open notes, also unsaved and from the cache', () =>
    withDesk(async (desk) => {
      await desk.write('正文/a.md', '---\nstatus: 修改\ntarget: 3000\n---\n# 雨\n\n一。<!-- 注：太快 --><!-- TODO 查 -->');
      await desk.write('正文/b.md', '---\nstatus: 3\ntarget: 多\n---\n一。');
      const said = { status: '修改', target: 3000, notes: 2, heading: '雨', words: 3 };
      expect(must(await desk.manuscript.chapters())).toMatchObject([said, { words: 2 }]);
      const [, b] = must(await desk.reopen().manuscript.chapters());
      expect([b?.status, b?.target, b?.notes]).toEqual([undefined, undefined, undefined]);
      expect(must(await desk.manuscript.chapter('正文/a.md'))).toMatchObject(said);
      await desk.documents.type('正文/a.md', '修改', '定稿');
      expect(must(await desk.manuscript.chapter('正文/a.md'))).toMatchObject({ ...said, status: '定稿', dirty: true });
      expect(must(await desk.manuscript.chapter('正文/没有.md'))).toBeUndefined();
      expect(must(await desk.manuscript.chapter('设定/a.md'))).toBeUndefined();
    }));
});

describe('3,000 chapters', () => {
  it('are read once; after that a look at all opens no file, and a look at one opens only that one', () =>
    withDesk(async (desk) => {
      for (let at = 1; at <= 3_000; at += 1) await desk.write(`正文/第${Math.ceil(at / 100)}卷/${String(at).padStart(4, '0')}-章.md`, `# 第${at}章\n\n雨。\n`);
      const first = must(await desk.manuscript.chapters());
      expect([first.length, first[2_999]?.title]).toEqual([3_000, '第3000章']);
      const read = desk.documents.calls.bytes;
      expect(read).toBe(3_000);
      const start = performance.now();
      must(await desk.manuscript.chapters());
      const all = performance.now() - start;
      expect(desk.documents.calls.bytes).toBe(read);
      await desk.documents.type('正文/第1卷/0001-章.md', '雨', '雨夜');
      const one = performance.now();
      expect(must(await desk.manuscript.chapter('正文/第1卷/0001-章.md'))?.words).toBe(6);
      const single = performance.now() - one;
      console.log(`3,000 chapters: all again ${all.toFixed(0)} ms, one ${single.toFixed(1)} ms`);
      expect(single).toBeLessThan(Math.max(50, all));
    }), 60_000);
});
