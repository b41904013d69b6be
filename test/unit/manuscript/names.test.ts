import { execFileSync } from 'node:child_process';
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCheckpoints } from '../../../src/engine/manuscript/create-checkpoints';
import { createProjectRules } from '../../../src/engine/project/rules';
import { createSessions } from '../../../src/engine/session/sessions';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createObjectStore } from '../../../src/engine/store/object-store';
import { createFakeClock } from '../../fakes/clock';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog } from '../../fakes/log';
import { createMemoryDocuments } from '../../fakes/memory-documents';
import { withTempFolder } from '../../fakes/temp-folder';
import { codeOf, must, turn, withWorld, type World } from './world';

const NFD = '正文/cafe\u0301.md';
const NFC = '正文/caf\u00e9.md';
const take = async (world: World): Promise<string> => must(await world.checkpoints.take({ author: 'user', message: '取' }))?.id ?? '';

describe('names in another normal form on disk', () => {
  it('stay as they are when the chapter is brought back, and get no twin', () =>
    withWorld(async (world) => {
      await world.write(NFD, '一。');
      const first = await take(world);
      await world.write(NFD, '二。');
      must(await world.checkpoints.restore(first));
      expect(await readdir(join(world.root, '正文'))).toEqual(['cafe\u0301.md']);
      expect(await world.disk(NFD)).toBe('一。');
      must(await world.checkpoints.restore(first, { path: NFD }));
      expect(Buffer.from(must(await world.checkpoints.fileAt(first, NFD)) ?? []).toString()).toBe('一。');
    }));

  it('and the agent’s edits of them are the agent’s', () =>
    withWorld(async (world) => {
      await world.write(NFD, '雨下了一夜。');
      await take(world);
      await world.agentEdits(turn(1), NFC, '一夜', '三夜');
      const { records } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(records).toMatchObject([{ author: 'agent', changed: { modified: [NFC] } }]);
      expect(await readdir(join(world.root, '正文'))).toEqual(['cafe\u0301.md']);
    }));

  it('of a whole folder are found: what lies in it is not taken for deleted', () =>
    withTempFolder(async (root) => {
      const folder = 'Re\u0301cits';
      await mkdir(join(root, folder, 'Anne\u0301e'), { recursive: true });
      await writeFile(join(root, folder, 'Anne\u0301e', '1.md'), 'Un.');
      const files = createNodeFiles(root);
      const log = createMemoryLog();
      const ids = createFakeIds();
      const rules = createProjectRules({ v: 1, title: '', language: 'en', folders: { manuscript: 'R\u00e9cits/Ann\u00e9e', texts: ['R\u00e9cits'] } });
      const checkpoints = createCheckpoints({ files, objects: createObjectStore({ files, ids, log, clock: createFakeClock() }), documents: createMemoryDocuments({ root }), rules, clock: createFakeClock(), ids, log });
      expect(must(await checkpoints.take({ author: 'user', message: '一' }))?.changed.added).toEqual(['R\u00e9cits/Ann\u00e9e/1.md']);
    }));
});

describe('a name that changes in case alone', () => {
  it('is a rename, and is taken back as one', () =>
    withWorld(async (world) => {
      await world.write('正文/chapter.md', '一。');
      const first = await take(world);
      await rename(join(world.root, '正文/chapter.md'), join(world.root, '正文/Chapter.md'));
      const second = must(await world.checkpoints.take({ author: 'user', message: '二' }));
      expect(second?.changed).toEqual({ added: [], modified: [], removed: [], renamed: [['正文/chapter.md', '正文/Chapter.md']] });
      must(await world.checkpoints.restore(first));
      expect(await readdir(join(world.root, '正文'))).toEqual(['chapter.md']);
      must(await world.checkpoints.restore(second?.id ?? ''));
      expect(await world.all()).toEqual({ '正文/Chapter.md': '一。' });
    }));
});

describe('long names and deep folders', () => {
  it('of 200 bytes a part are kept and brought back', () =>
    withWorld(async (world) => {
      const path = `正文/${'卷'.repeat(66)}ab/${'章'.repeat(65)}ab.md`;
      await world.agentCreates(turn(1), path, '一。');
      const record = must(await world.checkpoints.endTurn(turn(1), '写', false)).records.at(-1);
      expect(record?.changed.added).toEqual([path]);
      await world.remove(path);
      must(await world.checkpoints.restore(record?.id ?? ''));
      expect(await world.all()).toEqual({ [path]: '一。' });
    }));

  it('of a hundred levels are kept and brought back', () =>
    withWorld(async (world) => {
      const path = `正文/${Array.from({ length: 100 }, (_, n) => `卷${n}`).join('/')}/深.md`;
      await world.write(path, '底。');
      const first = await take(world);
      await world.remove(path);
      must(await world.checkpoints.restore(first));
      expect(await world.all()).toEqual({ [path]: '底。' });
    }));

  it('are not written where some system could not open them', () => {
    const { writable } = createProjectRules({ v: 1, title: '', language: 'zh', folders: { manuscript: '正文', texts: [] } });
    const inside = (bytes: number): string => `正文/${'a/'.repeat((bytes - 7 - 4) / 2)}b.md`;
    expect(writable(inside(799)).ok).toBe(true);
    expect(writable(inside(801))).toMatchObject({ ok: false, error: { code: 'path.too-long', args: { limit: 800 } } });
  });

  it('that the system itself cannot open are named, and no checkpoint takes their chapters for deleted', () =>
    withWorld(async (world) => {
      await world.write('正文/一.md', '一。');
      const first = await take(world);
      // Deeper than any absolute path may be: made step by step from inside.
      const part = 'd'.repeat(200);
      execFileSync('sh', ['-c', `i=0; while [ $i -lt 25 ]; do mkdir ${part} && cd ${part}; i=$((i+1)); done; echo x > deep.md`], { cwd: join(world.root, '正文'), stdio: 'ignore' });
      expect(await world.checkpoints.take({ author: 'user', message: '二' })).toMatchObject({ ok: false, error: { code: 'path.too-long' } });
      expect(must(await world.checkpoints.head())?.id).toBe(first);
      execFileSync('rm', ['-rf', part], { cwd: join(world.root, '正文') });
    }));
});

describe('links', () => {
  it('that lead a folder of ours out of the project are refused, and nothing is written there', () =>
    withTempFolder((elsewhere) =>
      withWorld(async (world) => {
        await mkdir(join(world.root, '.liyuan'), { recursive: true });
        for (const name of ['sessions', 'checkpoints', 'objects']) await symlink(elsewhere, join(world.root, '.liyuan', name));
        await world.write('正文/一.md', '一。');
        const { files, clock, log } = world;
        const sessions = createSessions({ files, clock, ids: createFakeIds(3), log, machine: 'machine-a' });
        expect(codeOf(await sessions.create({ kind: 'agent', title: '一' }))).toBe('path.outside');
        expect(codeOf(await world.checkpoints.take({ author: 'user', message: '一' }))).toBe('path.outside');
        expect(await readdir(elsewhere)).toEqual([]);
      }),
    ));

  it('that a chapter was replaced by count as its removal: the words outside are never taken in', () =>
    withTempFolder((elsewhere) =>
      withWorld(async (world) => {
        await writeFile(join(elsewhere, 'secret.md'), '外面的话。');
        await world.write('正文/一.md', '一。');
        const first = await take(world);
        await world.remove('正文/一.md');
        await symlink(join(elsewhere, 'secret.md'), join(world.root, '正文/一.md'));
        expect(must(await world.checkpoints.take({ author: 'user', message: '二' }))?.changed.removed).toEqual(['正文/一.md']);
        expect(Buffer.from(must(await world.checkpoints.fileAt(first, '正文/一.md')) ?? []).toString()).toBe('一。');
      }),
    ));
});
