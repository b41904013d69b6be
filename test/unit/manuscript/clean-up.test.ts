import { existsSync } from 'node:fs';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckpointRecord } from '../../../src/engine/manuscript/checkpoint-log';
import { removable } from '../../../src/engine/manuscript/clean-up-rules';
import { addLine, emptyState, type LogState } from '../../../src/engine/manuscript/log-state';
import { EngineFailure } from '../../../src/engine/ports/result';
import { sha256Hex } from '../../../src/engine/text/hash';
import { createFaultyFiles, type FaultyFiles } from '../../fakes/faulty-files';
import { codeOf, must, turn, withWorld, type World } from './world';

const DAY = 24 * 3_600_000;
const objectPath = (world: World, text: string): string => join(world.root, '.liyuan/objects', sha256Hex(text).slice(0, 2), sha256Hex(text));
const there = (world: World, text: string): boolean => existsSync(objectPath(world, text));

/** Sets the age of every stored object, by the world's clock. */
async function age(world: World, days: number): Promise<void> {
  const seconds = (world.clock.now() - days * DAY) / 1000;
  for (const entry of await readdir(join(world.root, '.liyuan/objects'), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), seconds, seconds);
  }
}

async function step(world: World, text: string): Promise<string> {
  await world.write('正文/a.md', text);
  return must(await world.checkpoints.take({ author: 'user', message: text }))?.id ?? '';
}

/** 60 checkpoints, then 40 days in which nothing happens. */
async function longAgo(world: World, count = 60): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) ids.push(await step(world, `第${at}稿`));
  world.clock.advance(40 * DAY);
  await age(world, 40);
  return ids;
}

const messages = async (world: World): Promise<string[]> => must(await world.checkpoints.list()).map(({ message }) => message);

describe('a clean-up', () => {
  it('says before what goes and how much is freed, and then does just that', { timeout: 30_000 }, () =>
    withWorld(async (world) => {
      await longAgo(world);
      const plan = must(await world.checkpoints.planCleanUp());
      // The newest 50 stay, and the parent of the oldest of them.
      expect(plan.checkpoints.map(({ message }) => message)).toEqual(Array.from({ length: 9 }, (_, at) => `第${8 - at}稿`));
      // Each of them one tag byte and ten bytes of text.
      expect(plan).toMatchObject({ kept: 51, objects: 9, bytes: 9 * (1 + Buffer.byteLength('第0稿')) });
      expect(await world.lines()).toHaveLength(60);
      const done = must(await world.checkpoints.cleanUp(plan.checkpoints.map(({ id }) => id)));
      expect(done).toEqual({ checkpoints: 9, objects: 9, bytes: plan.bytes });
      expect(await messages(world)).toHaveLength(51);
      expect([there(world, '第8稿'), there(world, '第9稿')]).toEqual([false, true]);
      const lines = await world.lines();
      expect(lines).toHaveLength(61);
      expect(lines.at(-1)).toMatchObject({ type: 'prune', ids: plan.checkpoints.map(({ id }) => id) });
      for (const again of [world, world.reopen()]) {
        expect(must(await again.checkpoints.verify())).toMatchObject({ checkpoints: 51, bad: [], broken: [], complete: true });
        expect(must(await again.checkpoints.planCleanUp())).toMatchObject({ checkpoints: [], objects: 0, bytes: 0 });
      }
      const oldest = must(await world.checkpoints.list()).at(-1);
      expect(must(await world.checkpoints.changesOf(oldest?.id ?? ''))).toMatchObject([{ path: '正文/a.md', before: null }]);
      expect(must(await world.checkpoints.restore(oldest?.id ?? '')).files).toHaveLength(1);
      expect(await world.disk('正文/a.md')).toBe('第9稿');
    }));

  it('is planned while others go on with their work, and looks once more when it is carried out', { timeout: 30_000 }, async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    await withWorld(
      async (world) => {
        const [first = ''] = await longAgo(world);
        const planning = world.checkpoints.planCleanUp();
        // Were others made to wait, this would never end.
        must(await world.checkpoints.mark(first, { pinned: true }));
        open();
        const plan = must(await planning);
        expect(plan.checkpoints).toHaveLength(9);
        must(await world.checkpoints.cleanUp(plan.checkpoints.map(({ id }) => id)));
        expect(await messages(world)).toContain('第0稿');
        expect([there(world, '第0稿'), there(world, '第1稿')]).toEqual([true, false]);
      },
      {
        files: (files) => ({
          ...files,
          tree: async (dir) => {
            if (dir === '.liyuan') await gate;
            return files.tree(dir);
          },
        }),
      },
    );
  });

  it('keeps what is pinned or named, with its parent, and takes it once that is taken back', { timeout: 30_000 }, () =>
    withWorld(async (world) => {
      const ids = await longAgo(world);
      must(await world.checkpoints.mark(ids[3] ?? '', { pinned: true }));
      must(await world.checkpoints.mark(ids[6] ?? '', { name: '定稿' }));
      const plan = must(await world.checkpoints.planCleanUp());
      expect(plan.checkpoints.map(({ message }) => message)).toEqual(['第8稿', '第7稿', '第4稿', '第1稿', '第0稿']);
      must(await world.checkpoints.cleanUp(plan.checkpoints.map(({ id }) => id)));
      expect(must(await world.checkpoints.changesOf(ids[3] ?? ''))).toMatchObject([{ before: sha256Hex('第2稿'), after: sha256Hex('第3稿') }]);
      // The one before it is gone: compared with the nearest that is left.
      expect(must(await world.checkpoints.changesOf(ids[5] ?? ''))).toMatchObject([{ before: sha256Hex('第3稿'), after: sha256Hex('第5稿') }]);
      must(await world.checkpoints.mark(ids[3] ?? '', { pinned: false }));
      expect(must(await world.checkpoints.planCleanUp()).checkpoints.map(({ message }) => message)).toEqual(['第3稿', '第2稿']);
    }));

  it('keeps what a list of this machine offers to go back to, a job above all, until the list is gone', { timeout: 30_000 }, () =>
    withWorld(async (world) => {
      const [, second = ''] = await longAgo(world);
      const job = '.liyuan/local/jobs/job.json';
      await world.write(job, JSON.stringify({ v: 1, before: second, state: 'finished' }));
      const plan = must(await world.checkpoints.planCleanUp());
      expect(plan.checkpoints.map(({ message }) => message)).toEqual(['第8稿', '第7稿', '第6稿', '第5稿', '第4稿', '第3稿', '第2稿']);
      must(await world.checkpoints.cleanUp([...plan.checkpoints.map(({ id }) => id), second]));
      must(await world.checkpoints.restore(second));
      expect(await world.disk('正文/a.md')).toBe('第1稿');
      await world.remove(job);
      expect(must(await world.checkpoints.planCleanUp()).checkpoints.map(({ message }) => message)).toContain('第1稿');
    }));

  it('takes only what the person has seen', { timeout: 30_000 }, () =>
    withWorld(async (world) => {
      const ids = await longAgo(world);
      expect(must(await world.checkpoints.cleanUp([ids[0] ?? '', ids[59] ?? '']))).toMatchObject({ checkpoints: 1, objects: 1 });
      expect(await messages(world)).toHaveLength(59);
    }));

  it('removes no young object, and none that a session, a trace or an unreadable line names', { timeout: 30_000 }, () =>
    withWorld(async (world) => {
      await longAgo(world);
      const name = async (path: string, text: string): Promise<void> => {
        await mkdir(dirname(join(world.root, path)), { recursive: true });
        await writeFile(join(world.root, path), `{"type":"x","text":"雨","sha":"${sha256Hex(text)}"}\n`, { flag: 'a' });
      };
      await name('.liyuan/sessions/s.jsonl', '第0稿');
      await name('.liyuan/traces/s.jsonl', '第1稿');
      await name('.liyuan/checkpoints/log.jsonl', '第2稿');
      await name('.liyuan/checkpoints/log (conflict).jsonl', '第3稿');
      await name('.liyuan/cache/x.json', '第4稿');
      const young = world.clock.now() / 1000 - 29 * 86_400;
      await utimes(objectPath(world, '第5稿'), young, young);
      const plan = must(await world.checkpoints.planCleanUp());
      expect(plan).toMatchObject({ objects: 4 });
      must(await world.checkpoints.cleanUp(plan.checkpoints.map(({ id }) => id)));
      const left = Array.from({ length: 9 }, (_, at) => at).filter((at) => there(world, `第${at}稿`));
      expect(left).toEqual([0, 1, 2, 3, 5]);
    }));

  it('sweeps what was never named and writes that were never finished, and tells other windows in the log', () =>
    withWorld(async (world) => {
      await step(world, '一');
      const lost = sha256Hex('谁也不要');
      await world.write(`.liyuan/objects/${lost.slice(0, 2)}/${lost}`, 'x');
      await world.write('.liyuan/objects/0190.tmp', 'half');
      world.clock.advance(40 * DAY);
      await age(world, 40);
      const other = world.reopen();
      await other.write('正文/a.md', '二');
      must(await other.checkpoints.take({ author: 'user', message: '2' }));
      expect(must(await world.checkpoints.cleanUp([]))).toMatchObject({ checkpoints: 0, objects: 2 });
      expect((await world.lines()).at(-1)).toMatchObject({ type: 'prune', ids: [] });
      expect(there(world, '一')).toBe(true);
    }));

  it('is noticed by another window, which then writes an object anew that it had seen before', { timeout: 30_000 }, () =>
    withWorld(async (world) => {
      const ids = await longAgo(world);
      const other = world.reopen();
      // Looks at the folders, and remembers what is there.
      await step(other, '别的');
      must(await world.checkpoints.cleanUp(ids));
      expect(there(world, '第0稿')).toBe(false);
      const id = await step(other, '第0稿');
      expect(must(await other.checkpoints.fileAt(id, '正文/a.md'))).toEqual(Buffer.from('第0稿'));
      expect(must(await other.checkpoints.verify()).bad).toEqual([]);
    }));

  it('waits for an unfinished restore, and plans around what it needs', { timeout: 30_000 }, () =>
    withWorld(async (world) => {
      const ids = await longAgo(world);
      const line = { type: 'restore', id: 'r', target: ids[2], pre: ids[59], files: { '正文/a.md': { before: sha256Hex('第59稿'), after: sha256Hex('第2稿') } }, ts: 1 };
      await writeFile(join(world.root, '.liyuan/checkpoints/log.jsonl'), `${JSON.stringify(line)}\n`, { flag: 'a' });
      expect(must(await world.checkpoints.planCleanUp()).checkpoints.map(({ message }) => message)).not.toContain('第2稿');
      expect(codeOf(await world.checkpoints.cleanUp(ids))).toBe('restore.open');
      must(await world.checkpoints.finishRestore('r', 'undo'));
      must(await world.checkpoints.cleanUp(ids));
      expect(there(world, '第2稿')).toBe(false);
    }));

  it('keeps what undo of a kept turn needs, and says so when the turn is gone', { timeout: 30_000 }, () =>
    withWorld(async (world) => {
      await step(world, '第一句。');
      await world.agentEdits(turn(1), '正文/a.md', '第一句', '第壹句');
      await world.agentEdits(turn(1), '正文/a.md', '第壹句', '第零句');
      const [own] = must(await world.checkpoints.endTurn(turn(1), '改', false)).records;
      must(await world.checkpoints.mark(own?.id ?? '', { pinned: true }));
      await longAgo(world, 55);
      const all = must(await world.checkpoints.list()).map(({ id }) => id);
      must(await world.checkpoints.cleanUp(all));
      expect(there(world, '第壹句。')).toBe(true);
      expect(must(await world.checkpoints.before(turn(1))).message).toBe('第一句。');
      must(await world.checkpoints.mark(own?.id ?? '', { pinned: false }));
      must(await world.checkpoints.cleanUp(all));
      expect([there(world, '第一句。'), there(world, '第壹句。'), there(world, '第零句。')]).toEqual([false, false, false]);
      expect(codeOf(await world.checkpoints.undoTurn(turn(1)))).toBe('checkpoint.not-found');
    }));

  it('writes nothing in an untrusted project, and nothing when there is nothing to do', () =>
    withWorld(async (world) => {
      const id = await step(world, '一');
      expect(codeOf(await world.reopen({ readOnly: true }).checkpoints.cleanUp([]))).toBe('store.read-only');
      expect(must(await world.checkpoints.cleanUp([id]))).toEqual({ checkpoints: 0, objects: 0, bytes: 0 });
      expect(await world.lines()).toHaveLength(1);
    }));

  it('sweeps nothing when a log that may name objects cannot be read, or the prune cannot be written', { timeout: 30_000 }, async () => {
    let faulty: FaultyFiles | undefined;
    await withWorld(
      async (world) => {
        const ids = await longAgo(world);
        await world.write('.liyuan/sessions/s.jsonl', '{}\n');
        for (const broken of ['.liyuan/sessions/s.jsonl', '.liyuan/checkpoints/log.jsonl'] as const) {
          faulty?.faults(({ name, path }) =>
            path === broken && (name === 'append' || (name === 'readRange' && path.includes('sessions'))) ? { kind: 'fail', code: 'store.io' } : undefined,
          );
          expect(codeOf(await world.checkpoints.cleanUp(ids)), broken).toBe('store.io');
          faulty?.faults(undefined);
          expect(there(world, '第0稿')).toBe(true);
          expect(await messages(world)).toHaveLength(60);
        }
      },
      { files: (files) => (faulty = createFaultyFiles(files)) },
    );
  });

  it('stops when the machine has slept, since another window may have taken over', { timeout: 30_000 }, async () => {
    let faulty: FaultyFiles | undefined;
    await withWorld(
      async (world) => {
        const ids = await longAgo(world, 54);
        faulty?.faults(({ name, path }) => {
          if (name === 'remove' && path.includes('/objects/')) world.clock.advance(20_000);
          return undefined;
        });
        expect(codeOf(await world.checkpoints.cleanUp(ids))).toBe('store.lock-lost');
        faulty?.faults(undefined);
        expect(['第0稿', '第1稿', '第2稿'].filter((text) => there(world, text))).toHaveLength(2);
        expect(must(await world.checkpoints.cleanUp(ids))).toMatchObject({ checkpoints: 0, objects: 2 });
      },
      { files: (files) => (faulty = createFaultyFiles(files)) },
    );
  });

  it('stopped at any point leaves every checkpoint that is shown whole, and can be done again', { timeout: 120_000 }, async () => {
    // Three may go: the line that says so, then three objects.
    for (let stop = 1; stop <= 5; stop += 1) {
      let faulty: FaultyFiles | undefined;
      await withWorld(
        async (world) => {
          const ids = await longAgo(world, 54);
          let writes = 0;
          faulty?.faults(({ name }) => {
            if (name === 'remove' || name === 'append') writes += 1;
            return writes >= stop ? { kind: 'fail', code: 'store.io' } : undefined;
          });
          const done = await world.checkpoints.cleanUp(ids).catch((error: unknown) => {
            if (!(error instanceof EngineFailure)) throw error;
            return undefined;
          });
          faulty?.faults(undefined);
          const again = world.reopen({ files: (files) => files });
          expect(must(await again.checkpoints.verify())).toMatchObject({ bad: [], broken: [] });
          if (done?.ok !== true) must(await again.checkpoints.cleanUp(ids));
          expect(must(await again.checkpoints.verify())).toMatchObject({ checkpoints: 51, bad: [], broken: [] });
          expect([there(world, '第2稿'), there(world, '第3稿')]).toEqual([false, true]);
        },
        { files: (files) => (faulty = createFaultyFiles(files)) },
      );
    }
  });
});

describe('a clean-up of any history', () => {
  it('leaves every checkpoint that is shown as it was, byte for byte', { timeout: 60_000 }, async () => {
    const edit = fc.record({ file: fc.nat(2), text: fc.nat(9), pinned: fc.nat(9).map((n) => n === 0), gone: fc.nat(9).map((n) => n === 0) });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 65, maxLength: 75 }), fc.boolean(), (edits, restart) =>
        withWorld(async (start) => {
          let world = start;
          const states = new Map<string, Record<string, string>>();
          for (const [at, { file, text, pinned, gone }] of edits.entries()) {
            const path = `正文/${file}.md`;
            if (gone && (await world.disk(path)) !== undefined) await world.remove(path);
            else await world.write(path, `第${text}种写法`);
            const record = must(await world.checkpoints.take({ author: 'user', message: String(at) }));
            if (record === undefined) continue;
            states.set(record.id, await world.all());
            if (pinned) must(await world.checkpoints.mark(record.id, { pinned }));
          }
          world.clock.advance(40 * DAY);
          await age(world, 40);
          if (restart) world = world.reopen();
          const { checkpoints: going } = must(await world.checkpoints.planCleanUp());
          must(await world.checkpoints.cleanUp(going.map(({ id }) => id)));
          const shown = must(await world.checkpoints.list());
          expect(shown).toHaveLength(states.size - going.length);
          const bytes = new Map<string, string>();
          for (const { id } of shown) {
            const state = states.get(id) ?? {};
            const manifest = must(await world.checkpoints.manifest(id));
            expect(Object.fromEntries(manifest)).toEqual(Object.fromEntries(Object.entries(state).map(([path, text]) => [path, sha256Hex(text)])));
            for (const [path, sha] of manifest) {
              if (!bytes.has(sha)) bytes.set(sha, Buffer.from(must(await world.checkpoints.fileAt(id, path)) ?? []).toString());
              expect(bytes.get(sha)).toBe(state[path]);
            }
          }
        }),
      ),
      { numRuns: 6 },
    );
  });
});

describe('which checkpoints may go', () => {
  const now = 1_000 * DAY;
  interface Sketch {
    readonly days: number;
    readonly back: number;
    readonly turn: number | undefined;
    readonly pinned: boolean;
    readonly pruned: boolean;
  }
  const build = (sketches: readonly Sketch[]): LogState => {
    const state = emptyState();
    for (const [at, { back, turn: of, days }] of sketches.entries()) {
      const record: CheckpointRecord = {
        v: 1, type: 'checkpoint', id: `c${at}`, ts: now - days * DAY, author: of === undefined ? 'user' : 'agent', message: '',
        ...(of === undefined ? {} : { turn: { ...turn(of) } }),
        changed: { added: [], modified: [], renamed: [], removed: [] }, parents: at === 0 ? [] : [`c${Math.max(0, at - 1 - back)}`], depth: 0, tree: '', files: {},
      };
      addLine(state, record);
    }
    for (const [at, { pinned }] of sketches.entries()) if (pinned) addLine(state, { type: 'mark', target: `c${at}`, pinned, ts: 1 });
    addLine(state, { type: 'prune', ids: sketches.flatMap(({ pruned }, at) => (pruned ? [`c${at}`] : [])), ts: 1 });
    return state;
  };
  const sketch = fc.record({
    days: fc.nat(400),
    back: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) }),
    turn: fc.option(fc.nat(20), { nil: undefined }),
    pinned: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    pruned: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  });

  it('are never young, newest, pinned, a tip, or the parent of one of these', () => {
    fc.assert(
      fc.property(fc.array(sketch, { minLength: 50, maxLength: 120 }), (sketches) => {
        const state = build(sketches);
        const going = new Set(removable(state, now).map(({ id }) => id));
        const shown = [...state.records.values()].filter(({ id }) => !state.pruned.has(id));
        for (const { id, ts, parents } of shown) {
          const at = Number(id.slice(1));
          const sure = now - ts < 30 * DAY || sketches[at]?.pinned === true || state.tips.has(id);
          if (sure) expect([id, ...parents].filter((one) => going.has(one))).toEqual([]);
        }
        expect([...going].filter((id) => state.pruned.has(id))).toEqual([]);
        expect(shown.length - going.size).toBeGreaterThanOrEqual(Math.min(50, shown.length));
      }),
      { numRuns: 200 },
    );
  });
});
