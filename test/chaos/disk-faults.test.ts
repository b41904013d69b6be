import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { EngineFailure, type Result } from '../../src/engine/ports/result';
import { createProject, openProject } from '../../src/engine/project/open-project';
import type { Project } from '../../src/engine/project/project';
import type { Session } from '../../src/engine/session/session';
import { createNodeFiles } from '../../src/engine/store/node-files';
import { sha256Hex } from '../../src/engine/text/hash';
import { createFaultyDisk, type FaultyDisk } from '../fakes/faulty-disk';
import { createFakeIds } from '../fakes/ids';
import { createMemoryLog } from '../fakes/log';
import { withTempFolder } from '../fakes/temp-folder';
import { filesOf, must, openChaosProject, type ChaosProject } from './support/project';

interface Desk {
  readonly root: string;
  readonly disk: FaultyDisk;
  readonly project: ChaosProject;
  readonly settings: Project;
  readonly session: Session;
  readonly first: string;
}

const chapters = { '正文/001.md': '雨下了一夜。\n'.repeat(300), '正文/002.md': '他没有走。\n', '设定/人物.txt': '甲：不说话。\n' };
const now = { '正文/001.md': '天亮了。\n'.repeat(200), '正文/003.md': '谁也没有来。\n' };

/** A project with one checkpoint, other words standing since, and a session of two entries. */
const withDesk = (f: (desk: Desk) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    const plain = createNodeFiles(root);
    must(await createProject({ files: plain, ids: createFakeIds(900), log: createMemoryLog() }, { title: '雨夜', language: 'zh' }));
    await mkdir(join(root, '设定'), { recursive: true });
    for (const [path, text] of Object.entries(chapters)) await writeFile(join(root, path), text);
    const disk = createFaultyDisk((ms) => wait(ms));
    const node = { fs: disk.fs, patienceMs: 40 };
    const project = openChaosProject(root, { life: 1, node, editor: plain });
    const settings = must(await openProject({ files: createNodeFiles(root, node), ids: createFakeIds(901), log: createMemoryLog() }));
    const session = must(await project.sessions.create({ kind: 'agent', title: '起' }));
    must(await session.append([say('一'), say('二')], { durable: true }));
    const first = must(await project.checkpoints.take({ author: 'user', message: '一' }))?.id ?? '';
    for (const path of Object.keys(chapters)) await rm(join(root, path));
    for (const [path, text] of Object.entries(now)) await writeFile(join(root, path), text);
    try {
      await f({ root, disk, project, settings, session, first });
    } finally {
      disk.room(undefined);
      disk.protect(undefined);
      disk.hold(undefined);
      await session.close();
    }
  });

const say = (text: string): { type: 'user'; data: { text: string } } => ({ type: 'user', data: { text } });
const bytes = Uint8Array.from({ length: 9_000 }, (_, i) => (i * 7919 + ((i * i) >> 3)) & 255);

const asResult = async <T>(run: () => Promise<T>): Promise<Result<T>> => {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    if (error instanceof EngineFailure) return { ok: false, error: error.error };
    throw error;
  }
};

interface Operation {
  readonly name: string;
  run(desk: Desk): Promise<Result<unknown>>;
  /** What it is to have done, read from the disk by another process. */
  seen(desk: Desk, other: ChaosProject): Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
  /** A file that another program may hold, in whose way it is. */
  readonly holds: string;
}

const texts = async (desk: Desk): Promise<readonly string[]> =>
  (await readFile(join(desk.root, `.liyuan/sessions/${desk.session.header.id}.jsonl`), 'utf8'))
    .split('\n')
    .slice(1, -1)
    .flatMap((line) => (JSON.parse(line) as { data: { text?: string } }).data.text ?? []);
const messages = async (other: ChaosProject): Promise<readonly string[]> => must(await other.checkpoints.list()).map(({ message }) => message).reverse();

const operations: readonly Operation[] = [
  {
    name: 'an append',
    run: ({ session }) => session.append([say('三'.repeat(500))], { durable: true }),
    seen: texts,
    before: ['一', '二'],
    after: ['一', '二', '三'.repeat(500)],
    holds: '.jsonl',
  },
  {
    name: 'a checkpoint',
    run: ({ project }) => project.checkpoints.take({ author: 'user', message: '二' }),
    seen: (_, other) => messages(other),
    before: ['一'],
    after: ['一', '二'],
    holds: 'checkpoints/log.jsonl',
  },
  {
    name: 'a restore',
    run: ({ project, first }) => project.checkpoints.restore(first),
    seen: async ({ root }, other) => Object.fromEntries(await filesOf(other, root)),
    before: now,
    after: chapters,
    holds: 'checkpoints/log.jsonl',
  },
  {
    name: 'an object',
    run: ({ project }) => asResult(() => project.objects.put(bytes)),
    seen: (_, other) => other.objects.has(sha256Hex(bytes)),
    before: false,
    after: true,
    holds: '.tmp',
  },
  {
    name: 'the settings',
    run: ({ settings }) => settings.update({ title: '长夜' }),
    seen: async ({ root }) => (JSON.parse(await readFile(join(root, '.liyuan/project.json'), 'utf8')) as { title: string }).title,
    before: '雨夜',
    after: '长夜',
    holds: 'project.json',
  },
  {
    name: 'a new session',
    run: ({ project }) => project.sessions.create({ kind: 'agent', title: '另一局' }).then(async (made) => {
      if (made.ok) await made.value.close();
      return made;
    }),
    seen: async (_, other) => (await other.sessions.list()).sessions.map(({ title }) => title).sort(),
    before: ['起'],
    after: ['另一局', '起'],
    holds: '.jsonl',
  },
  {
    name: 'an edit in the journal',
    run: ({ project }) =>
      project.checkpoints.journal({ sessionId: 's', userEntryId: 'turn' }).record({ path: '正文/003.md', before: Buffer.from('谁也没有来。\n'), after: bytes }),
    seen: async ({ root }) => {
      const text = await readFile(join(root, '.liyuan/local/edits/turn.jsonl'), 'utf8').catch(() => '');
      return text.split('\n').length - 1;
    },
    before: 0,
    after: 1,
    holds: '.jsonl',
  },
];

/** Leftovers of half-done writes. */
async function temporary(root: string): Promise<readonly string[]> {
  const names = await readdir(root, { recursive: true });
  return names.filter((name) => name.endsWith('.tmp'));
}

let reader = 1_000;
/** Nothing is half done: all of it is there or nothing is, no line is torn, nothing is left lying about. */
async function checkHalves(operation: Operation, desk: Desk, outcome: Result<unknown>): Promise<void> {
  const other = openChaosProject(desk.root, { life: (reader += 1) });
  // It may not even have been able to write that it went back: then it is asked about, and ending it changes nothing.
  const open = must(await other.checkpoints.openRestore());
  if (open !== undefined) must(await other.checkpoints.finishRestore(open.id, 'undo'));
  const seen = await operation.seen(desk, other);
  expect(seen).toEqual(outcome.ok ? operation.after : operation.before);
  expect(await temporary(desk.root)).toEqual([]);
  for (const name of ['.liyuan/checkpoints/log.jsonl', `.liyuan/sessions/${desk.session.header.id}.jsonl`]) {
    expect((await readFile(join(desk.root, name), 'utf8')).endsWith('\n')).toBe(true);
  }
  expect(must(await other.checkpoints.verify()).bad).toEqual([]);
}

describe.each(operations)('$name', (operation) => {
  it('on a disk that fills up after any number of bytes says so, and is done when there is room', { timeout: 60_000 }, async () => {
    const outcomes: string[] = [];
    for (let room = 0; outcomes.at(-1) !== 'ok' && room < 40_000; room = Math.ceil(room * 1.35) + 7) {
      await withDesk(async (desk) => {
        desk.disk.room(room);
        const outcome = await operation.run(desk);
        outcomes.push(outcome.ok ? 'ok' : outcome.error.code);
        desk.disk.room(undefined);
        await checkHalves(operation, desk, outcome);
        if (outcome.ok) return;
        must(await operation.run(desk));
        await checkHalves(operation, desk, { ok: true, value: undefined });
      });
    }
    expect([...new Set(outcomes)]).toEqual(['store.disk-full', 'ok']);
  });

  it.each(['EACCES', 'EROFS'] as const)('in a folder that may not be written (%s) says so and changes nothing', (errno) =>
    withDesk(async (desk) => {
      desk.disk.protect(errno);
      const outcome = await operation.run(desk);
      expect(outcome).toMatchObject({ ok: false, error: { code: 'store.read-only', args: { errno } } });
      desk.disk.protect(undefined);
      await checkHalves(operation, desk, outcome);
      must(await operation.run(desk));
      await checkHalves(operation, desk, { ok: true, value: undefined });
    }));

  it.each(['EBUSY', 'EPERM', 'EACCES'] as const)('on a file that another program holds (%s) says so and changes nothing', (errno) =>
    withDesk(async (desk) => {
      desk.disk.hold(operation.holds, errno);
      const outcome = await operation.run(desk);
      expect(outcome.ok ? 'ok' : outcome.error.code).toBe(errno === 'EBUSY' || operation.holds === 'project.json' ? 'store.busy' : 'store.read-only');
      desk.disk.hold(undefined);
      await checkHalves(operation, desk, outcome);
      must(await operation.run(desk));
      await checkHalves(operation, desk, { ok: true, value: undefined });
    }));

  it('on a disk where every change takes 50 ms is done all the same', { timeout: 30_000 }, () =>
    withDesk(async (desk) => {
      desk.disk.slow(50);
      const outcome = await operation.run(desk);
      must(outcome);
      await checkHalves(operation, desk, outcome);
    }));
});
