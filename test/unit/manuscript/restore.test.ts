import { describe, expect, it } from 'vitest';
import { EngineFailure } from '../../../src/engine/ports/result';
import type { Files } from '../../../src/engine/ports/files';
import { sha256Hex } from '../../../src/engine/text/hash';
import { codeOf, must, withWorld, type World } from './world';

const first = { '正文/a.md': '甲。', '正文/b.md': '乙。', '正文/c.md': '丙。' };
const second = { '正文/a.md': '甲！', '正文/c.md': '丙。', '正文/卷一/d.md': '丁。' };

/** Two checkpoints; the second state stands. */
async function begin(world: World): Promise<{ one: string; two: string }> {
  for (const [path, text] of Object.entries(first)) await world.write(path, text);
  const one = must(await world.checkpoints.take({ author: 'user', message: '一' }))?.id ?? '';
  await world.write('正文/a.md', '甲！');
  await world.remove('正文/b.md');
  await world.write('正文/卷一/d.md', '丁。');
  const two = must(await world.checkpoints.take({ author: 'user', message: '二' }))?.id ?? '';
  return { one, two };
}

describe('restoring', () => {
  it('brings every file to the checkpoint and writes the result', () =>
    withWorld(async (world) => {
      const { one, two } = await begin(world);
      const outcome = must(await world.checkpoints.restore(one));
      expect(await world.all()).toEqual(first);
      expect(outcome.pre).toBe(two);
      expect(outcome.files.map(({ path, added, removed }) => [path, added, removed])).toEqual([
        ['正文/a.md', 1, 1], ['正文/b.md', 2, 0], ['正文/卷一/d.md', 0, 2],
      ]);
      expect(must(await world.checkpoints.get(outcome.result))).toMatchObject({ author: 'user', message: '恢复到「一」', restoredFrom: one, parents: [two] });
      const types = (await world.lines()).map(({ type }) => type);
      expect(types).toEqual(['checkpoint', 'checkpoint', 'restore', 'restored', 'checkpoint']);
      expect(must(await world.checkpoints.openRestore())).toBeUndefined();
      must(await world.checkpoints.restore(two));
      expect(await world.all()).toEqual(second);
    }));

  it('saves unsaved words first, so that none is lost', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      await world.documents.type('正文/a.md', '', '还没存的话');
      const outcome = must(await world.checkpoints.restore(one));
      expect(await world.documents.text('正文/a.md')).toBe('甲。');
      expect(world.documents.isDirty('正文/a.md')).toBe(false);
      expect(must(await world.checkpoints.get(outcome.pre))).toMatchObject({ author: 'user', message: '恢复之前' });
      must(await world.checkpoints.restore(outcome.pre));
      expect(await world.disk('正文/a.md')).toBe('甲！还没存的话');
    }));

  it('says beforehand what it would do, and does nothing yet', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      await world.documents.type('正文/c.md', '', '新');
      const plan = must(await world.checkpoints.planRestore(one));
      expect(plan.target.id).toBe(one);
      expect(plan.files.map(({ path, before, after, added, removed }) => [path, before === null, after === null, added, removed])).toEqual([
        ['正文/a.md', false, false, 1, 1],
        ['正文/b.md', true, false, 2, 0],
        ['正文/c.md', false, false, 0, 1],
        ['正文/卷一/d.md', false, true, 0, 2],
      ]);
      expect(await world.all()).toEqual(second);
      expect(await world.lines()).toHaveLength(2);
    }));

  it('restores one file alone', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      const outcome = must(await world.checkpoints.restore(one, { path: '正文/b.md' }));
      expect(await world.all()).toEqual({ ...second, '正文/b.md': '乙。' });
      expect(outcome.files.map(({ path }) => path)).toEqual(['正文/b.md']);
      expect(must(await world.checkpoints.get(outcome.result)).message).toBe('恢复 b.md 到「一」');
      must(await world.checkpoints.restore(one, { path: '正文/卷一/d.md' }));
      expect(await world.disk('正文/卷一/d.md')).toBeUndefined();
      expect(must(await world.checkpoints.planRestore(one, { path: '正文/a.md' })).files).toHaveLength(1);
      expect(codeOf(await world.checkpoints.restore(one, { path: '../x.md' }))).toBe('path.outside');
    }));

  it('writes its result even when nothing differs', () =>
    withWorld(async (world) => {
      const { two } = await begin(world);
      const outcome = must(await world.checkpoints.restore(two));
      expect(outcome).toMatchObject({ pre: two, files: [] });
      expect(must(await world.checkpoints.get(outcome.result))).toMatchObject({ restoredFrom: two, delta: {} });
    }));

  it('never touches files it does not cover', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      await world.write('正文/图.png', 'png');
      await world.write('别的/x.md', '别动');
      must(await world.checkpoints.restore(one));
      expect([await world.disk('正文/图.png'), await world.disk('别的/x.md')]).toEqual(['png', '别动']);
    }));

  it.each<[string, string | undefined, string]>([
    ['missing', undefined, 'object.missing'],
    ['damaged', 'garbage', 'object.corrupt'],
  ])('names a %s object and changes nothing', (_, content, code) =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      const sha = sha256Hex('乙。');
      const path = `.liyuan/objects/${sha.slice(0, 2)}/${sha}`;
      if (content === undefined) await world.remove(path);
      else await world.write(path, content);
      const again = world.reopen();
      expect(await again.checkpoints.restore(one)).toMatchObject({ ok: false, error: { code, args: { sha, path: '正文/b.md' } } });
      expect(await again.all()).toEqual(second);
      expect((await again.lines()).filter(({ type }) => type === 'restore')).toEqual([]);
    }),
  );

  it('refuses a checkpoint that is not there', () =>
    withWorld(async (world) => {
      expect(codeOf(await world.checkpoints.restore('x'))).toBe('checkpoint.not-found');
    }));

  it.each([1, 2, 3])('puts everything back when step %i fails', (nth) =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      let count = 0;
      const fail = (path: string): { code: 'doc.apply-rejected'; args: { path: string } } | undefined => {
        count += 1;
        return count === nth ? { code: 'doc.apply-rejected', args: { path } } : undefined;
      };
      const stops = [world.documents.before('put', fail), world.documents.before('delete', fail)];
      expect(await world.checkpoints.restore(one)).toMatchObject({ ok: false, error: { code: 'restore.failed', args: { reason: 'doc.apply-rejected' } } });
      expect(await world.all()).toEqual(second);
      expect(must(await world.checkpoints.openRestore())).toBeUndefined();
      expect((await world.lines()).at(-1)).toMatchObject({ type: 'restored', outcome: 'undone' });
      stops.forEach((stop) => stop());
      must(await world.checkpoints.restore(one));
      expect(await world.all()).toEqual(first);
    }),
  );

  it('never overwrites words typed while it runs', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      const stop = world.documents.before('delete', async () => {
        stop();
        await world.documents.type('正文/a.md', '', '刚打的字');
      });
      expect(codeOf(await world.checkpoints.restore(one))).toBe('doc.changed');
      expect(await world.documents.text('正文/a.md')).toBe('甲！刚打的字');
      expect(await world.all()).toEqual(second);
    }));

  it.each(['put', 'delete'] as const)('never overwrites words typed at the last moment before a %s', (operation) =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      let into = '';
      const stop = world.documents.before(operation, async (path) => {
        stop();
        into = path;
        await world.documents.type(path, '', '最后一刻');
      });
      expect(codeOf(await world.checkpoints.restore(one))).toBe('doc.changed');
      expect(await world.documents.text(into)).toMatch(/最后一刻$/);
      expect(world.documents.isDirty(into)).toBe(true);
      expect(await world.all()).toEqual(second);
      expect(must(await world.checkpoints.openRestore())).toBeUndefined();
    }));

  it('keeps words typed into a file it has set already, before it goes back', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      const stop = world.documents.before('put', async (path) => {
        if (path !== '正文/b.md') return undefined;
        stop();
        while ((await world.disk('正文/a.md')) !== '甲。') await new Promise((resolve) => void setImmediate(resolve));
        await world.documents.type('正文/a.md', '', '刚打的字');
        return { code: 'store.io', args: { path } };
      });
      expect(codeOf(await world.checkpoints.restore(one))).toBe('restore.failed');
      expect(await world.all()).toEqual(second);
      const [saved] = must(await world.checkpoints.list());
      expect(Buffer.from(must(await world.checkpoints.fileAt(saved?.id ?? '', '正文/a.md')) ?? []).toString()).toBe('甲。刚打的字');
    }));

  /** The author writes into a file each time it is looked at, from the second look on: after what stands there was saved. */
  const writesOn = (world: World, path: string, times: number): (() => void) => {
    let looks = 0;
    const stop = world.documents.before('bytes', async (looked) => {
      if (looked !== path) return;
      looks += 1;
      if (looks >= 2 && looks < 2 + times) await world.write(path, `第${looks}回写的`);
    });
    return stop;
  };
  /** Fails at one file after another was set; from then on the author writes into that one. */
  const failing = (world: World, times: number): void => {
    const stop = world.documents.before('put', async (path) => {
      if (path !== '正文/b.md') return undefined;
      stop();
      while ((await world.disk('正文/a.md')) !== '甲。') await new Promise((resolve) => void setImmediate(resolve));
      writesOn(world, '正文/a.md', times);
      return { code: 'store.io', args: { path } };
    });
  };

  it('saves words that are written between its looks while it goes back', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      failing(world, 1);
      expect(codeOf(await world.checkpoints.restore(one))).toBe('restore.failed');
      expect(await world.all()).toEqual(second);
      expect(await world.kept('正文/a.md')).toContain('第2回写的');
      expect(must(await world.checkpoints.openRestore())).toBeUndefined();
    }));

  it('stays open, and overwrites nothing, when somebody writes on and on; then it can still be undone', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      failing(world, 100);
      expect(codeOf(await world.checkpoints.restore(one))).toBe('restore.failed');
      const written = await world.disk('正文/a.md');
      expect(written).toMatch(/^第\d+回写的$/);
      const again = world.reopen();
      const open = must(await again.checkpoints.openRestore());
      must(await again.checkpoints.finishRestore(open?.id ?? '', 'undo'));
      expect(await again.all()).toEqual(second);
      expect(await again.kept('正文/a.md')).toContain(written);
    }));

  const busy = (): Error => Object.assign(new Error('EBUSY: resource busy or locked, open'), { code: 'EBUSY' });

  it.each(['put', 'delete'] as const)('puts everything back when a %s throws, as on a busy file', (operation) =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      const stop = world.documents.before(operation, (path) => {
        if (path !== '正文/a.md' && operation === 'put') return;
        throw busy();
      });
      expect(await world.checkpoints.restore(one)).toMatchObject({ ok: false, error: { code: 'restore.failed', args: { reason: 'store.busy' } } });
      stop();
      expect(await world.all()).toEqual(second);
      expect(must(await world.checkpoints.openRestore())).toBeUndefined();
      must(await world.checkpoints.restore(one));
      expect(await world.all()).toEqual(first);
    }),
  );

  it('looks for every file before it begins: one that cannot be reached refuses the whole, named', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      for (const thrown of [new EngineFailure({ code: 'path.outside', args: { path: '正文/b.md' } }), busy()]) {
        const stop = world.documents.before('bytes', (path) => {
          if (path === '正文/b.md') throw thrown;
        });
        const code = thrown instanceof EngineFailure ? 'path.outside' : 'store.busy';
        expect(await world.checkpoints.restore(one)).toMatchObject({ ok: false, error: { code, args: { path: '正文/b.md' } } });
        stop();
      }
      expect(await world.all()).toEqual(second);
      expect((await world.lines()).filter(({ type }) => type === 'restore')).toEqual([]);
    }));
});

/** Stops working at the `nth` write of any kind, for ever, as a killed process or a full disk does. */
function dyingFiles(nth: () => number): (files: Files) => Files {
  let writes = 0;
  return (files) => {
    const guarded = <A extends unknown[], R>(f: (...args: A) => Promise<R>) => async (...args: A): Promise<R> => {
      writes += 1;
      if (writes >= nth()) throw new EngineFailure({ code: 'store.disk-full', args: { path: String(args[0]) } });
      return f(...args);
    };
    return { ...files, append: guarded(files.append), writeAtomic: guarded(files.writeAtomic), rename: guarded(files.rename) };
  };
}

describe('a restore that was cut off', () => {
  /** Leaves a restore open with `applied` of its three steps carried out. */
  const cutOff = async (world: World, applied: number): Promise<{ one: string; two: string; again: World }> => {
    const ids = await begin(world);
    let count = 0;
    const die = (): { code: 'store.io' } | undefined => (++count > applied ? { code: 'store.io' } : undefined);
    world.documents.before('put', die);
    world.documents.before('delete', die);
    expect(codeOf(await world.checkpoints.restore(ids.one))).toBe('restore.failed');
    return { ...ids, again: world.reopen() };
  };

  it.each([1, 2])('offers to be finished after %i steps, and ends byte-equal to the checkpoint', (applied) =>
    withWorld(async (world) => {
      const { one, again } = await cutOff(world, applied);
      const open = must(await again.checkpoints.openRestore());
      expect(open?.target).toBe(one);
      expect(codeOf(await again.checkpoints.restore(one))).toBe('restore.open');
      must(await again.checkpoints.finishRestore(open?.id ?? '', 'finish'));
      expect(await again.all()).toEqual(first);
      expect(must(await again.checkpoints.openRestore())).toBeUndefined();
      expect(must(await again.checkpoints.head())).toMatchObject({ restoredFrom: one, message: '恢复到「一」' });
      const lines = (await again.lines()).length;
      must(await again.checkpoints.finishRestore(open?.id ?? '', 'finish'));
      must(await again.checkpoints.finishRestore(open?.id ?? '', 'undo'));
      expect(await again.all()).toEqual(first);
      expect(await again.lines()).toHaveLength(lines);
    }),
  );

  it.each([1, 2])('offers to be undone after %i steps, and ends byte-equal to before', (applied) =>
    withWorld(async (world) => {
      const { again } = await cutOff(world, applied);
      const open = must(await again.checkpoints.openRestore());
      must(await again.checkpoints.finishRestore(open?.id ?? '', 'undo'));
      expect(await again.all()).toEqual(second);
      expect(must(await again.checkpoints.take({ author: 'user', message: 'x' }))).toBeUndefined();
    }),
  );

  it('keeps what the author has typed since, before it finishes or undoes', () =>
    withWorld(async (world) => {
      const { again } = await cutOff(world, 2);
      await again.documents.type('正文/a.md', '', '后来打的');
      const typed = await again.documents.text('正文/a.md');
      const open = must(await again.checkpoints.openRestore());
      must(await again.checkpoints.finishRestore(open?.id ?? '', 'undo'));
      expect(await again.all()).toEqual(second);
      const records = must(await again.checkpoints.list());
      const texts = await Promise.all(records.map(({ id }) => again.checkpoints.fileAt(id, '正文/a.md').then((found) => Buffer.from(must(found) ?? []).toString())));
      expect(texts).toContain(typed);
    }));

  it('saves words that are written between its looks while it is finished', () =>
    withWorld(async (world) => {
      const { again } = await cutOff(world, 1);
      const open = must(await again.checkpoints.openRestore());
      let looks = 0;
      again.documents.before('bytes', async (path) => {
        if (path === '正文/a.md' && ++looks === 2) await again.write('正文/a.md', '刚写的');
      });
      must(await again.checkpoints.finishRestore(open?.id ?? '', 'finish'));
      expect(await again.all()).toEqual(first);
      expect(await again.kept('正文/a.md')).toContain('刚写的');
    }));

  it('can be finished after a file was busy', () =>
    withWorld(async (world) => {
      const { again } = await cutOff(world, 1);
      const open = must(await again.checkpoints.openRestore());
      const stop = again.documents.before('bytes', () => {
        throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
      });
      expect(await again.checkpoints.finishRestore(open?.id ?? '', 'finish')).toMatchObject({ ok: false, error: { code: 'restore.failed' } });
      stop();
      must(await again.checkpoints.finishRestore(open?.id ?? '', 'finish'));
      expect(await again.all()).toEqual(first);
    }));

  it('can be left as it is found when the objects of both sides are gone', () =>
    withWorld(async (world) => {
      const { one, again } = await cutOff(world, 1);
      const stands = await again.all();
      const open = must(await again.checkpoints.openRestore())?.id ?? '';
      for (const text of ['甲。', '甲！', '乙。', '丁。']) {
        const sha = sha256Hex(text);
        await again.remove(`.liyuan/objects/${sha.slice(0, 2)}/${sha}`);
      }
      const other = again.reopen();
      expect(codeOf(await other.checkpoints.finishRestore(open, 'finish'))).toBe('object.missing');
      expect(codeOf(await other.checkpoints.finishRestore(open, 'undo'))).toBe('object.missing');
      must(await other.checkpoints.finishRestore(open, 'leave'));
      must(await other.checkpoints.finishRestore(open, 'leave'));
      expect(await other.all()).toEqual(stands);
      expect((await other.lines()).at(-1)).toMatchObject({ type: 'restored', of: open, outcome: 'left' });
      expect(must(await other.reopen().checkpoints.openRestore())).toBeUndefined();
      expect(codeOf(await other.checkpoints.restore(one))).toBe('object.missing');
      must(await other.checkpoints.take({ author: 'user', message: '之后' }));
      expect(must(await other.checkpoints.head())).not.toHaveProperty('restoredFrom');
    }));

  it.each([
    ['before', 0, { outcome: 'undone' }],
    ['after', 3, { outcome: 'done' }],
  ] as const)('is over when every file stands as %s it, and asked about only while it has done nothing; the next one goes on', (_, applied, last) =>
    withWorld(async (world) => {
      const { one, two } = await begin(world);
      // From the first change of a file, or the last one on, nothing can be written any more, as on a full disk.
      let full = false;
      let changes = 0;
      const fill = (): { code: 'store.disk-full' } | undefined => {
        full ||= applied === 0;
        return full ? { code: 'store.disk-full' } : undefined;
      };
      const stops = [world.documents.before('put', fill), world.documents.before('delete', fill)];
      world.documents.watch(({ source }) => {
        changes += source === 'disk' ? 1 : 0;
        if (applied > 0 && changes === applied) full = true;
      });
      const append = world.files.append.bind(world.files);
      Object.assign(world.files, {
        append: (...given: Parameters<typeof append>) => (full ? Promise.reject(new EngineFailure({ code: 'store.disk-full', args: {} })) : append(...given)),
      });
      expect((await world.checkpoints.restore(one)).ok).toBe(false);
      const again = world.reopen();
      expect(await again.all()).toEqual(applied === 0 ? second : first);
      const asked = must(await again.checkpoints.openRestore());
      expect(asked?.target).toBe(applied === 0 ? one : undefined);
      if (asked !== undefined) must(await again.checkpoints.finishRestore(asked.id, 'undo'));
      expect((await again.lines()).filter(({ type }) => type === 'restored')).toMatchObject([last]);
      if (applied > 0) expect(must(await again.checkpoints.head())).toMatchObject({ restoredFrom: one, message: '恢复到「一」' });
      must(await again.checkpoints.restore(two));
      expect(await again.all()).toEqual(second);
      // The window that met the full disk goes on too, once there is room.
      full = false;
      for (const stop of stops) stop();
      changes = -99;
      must(await world.checkpoints.restore(one));
      expect(await world.all()).toEqual(first);
    }),
  );

  it('is its own machine’s: its lines that came to another one by a merge hold nothing up there', () =>
    withWorld(
      async (world) => {
        const { one } = await cutOff(world, 1);
        expect((await world.lines()).find(({ type }) => type === 'restore')).toMatchObject({ machine: 'machine-b' });
        const here = world.reopen({ machine: 'machine-a' });
        expect(must(await here.checkpoints.openRestore())).toBeUndefined();
        expect(must(await world.reopen().checkpoints.openRestore())).toMatchObject({ target: one });
        must(await here.checkpoints.restore(one));
        expect(await here.all()).toEqual(first);
        expect(must(await here.checkpoints.openRestore())).toBeUndefined();
      },
      { machine: 'machine-b' },
    ));

  it('stands before or after, never between, whatever write fails for good', async () => {
    const seen = new Set<string>();
    for (let nth = 1; nth <= 16; nth += 1) {
      await withWorld(async (world) => {
        const { one } = await begin(world);
        await world.documents.type('正文/c.md', '', '未存');
        let limit = Number.MAX_SAFE_INTEGER;
        const dying = world.reopen({ files: dyingFiles(() => limit) });
        await dying.documents.type('正文/c.md', '', '未存');
        must(await dying.checkpoints.head());
        limit = nth;
        const restored = await dying.checkpoints.restore(one);
        const all = await world.all();
        const isAfter = JSON.stringify(all) === JSON.stringify(first);
        // What was unsaved may have come to the disk with the way back; it is never lost.
        const isBefore = [second, { ...second, '正文/c.md': '丙。未存' }].some((state) => JSON.stringify(all) === JSON.stringify(state));
        expect([isAfter, isBefore]).toContain(true);
        if (restored.ok) expect(isAfter).toBe(true);
        else {
          // Afterwards, with a sound disk, the offer ends byte-equal on the side that was chosen.
          const again = world.reopen();
          const open = must(await again.checkpoints.openRestore());
          if (open !== undefined) {
            must(await again.checkpoints.finishRestore(open.id, 'finish'));
            expect(await again.all()).toEqual(first);
          }
          must(await again.checkpoints.take({ author: 'user', message: '之后' }));
          expect(must(await again.checkpoints.verify())).toMatchObject({ bad: [], broken: [] });
        }
        seen.add(`${restored.ok ? 'done' : 'failed'}/${isAfter ? 'after' : 'before'}`);
      });
    }
    expect([...seen].sort()).toEqual(['done/after', 'failed/after', 'failed/before'].filter((kind) => seen.has(kind)));
    expect(seen.has('done/after') && seen.has('failed/before')).toBe(true);
  });

  it('records its result with the next checkpoint when only that was lost', () =>
    withWorld(async (world) => {
      const { one } = await begin(world);
      must(await world.checkpoints.restore(one));
      const lines = await world.lines();
      await world.write('.liyuan/checkpoints/log.jsonl', lines.slice(0, -1).map((line) => `${JSON.stringify(line)}\n`).join(''));
      const again = world.reopen();
      expect(must(await again.checkpoints.take({ author: 'user', message: '作者的改动' }))).toMatchObject({ restoredFrom: one, message: '恢复到「一」' });
    }));
});
