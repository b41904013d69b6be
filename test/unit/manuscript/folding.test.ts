import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProjectRules } from '../../../src/engine/project/rules';
import { deleteTool } from '../../../src/engine/tools/delete';
import { editTool } from '../../../src/engine/tools/edit';
import { renameTool } from '../../../src/engine/tools/rename';
import { writeTool } from '../../../src/engine/tools/write';
import type { Receipt, Tool } from '../../../src/engine/tools/tool';
import { withTempFolder } from '../../fakes/temp-folder';
import { withToolBench } from '../../fakes/tool-context';
import { must, openWorld, turn, type World } from './world';

/** A project on a disk as on macOS and Windows. `.liyuan/` is there, as in every project. */
const withFoldingWorld = (f: (world: World) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    const world = openWorld(root, { foldsCase: true });
    await world.files.mkdir('.liyuan/checkpoints');
    await f(world);
  });

const take = async (world: World): Promise<string> => must(await world.checkpoints.take({ author: 'user', message: '取' }))?.id ?? '';
const names = async (world: World): Promise<readonly string[]> => (await readdir(join(world.root, '正文'))).sort();
const manifest = async (world: World, id: string): Promise<readonly string[]> => [...must(await world.checkpoints.manifest(id)).keys()];

/** Runs a tool over a world, as the loop does in turn 1. */
async function use(world: World, tool: Tool, args: Readonly<Record<string, unknown>>): Promise<Receipt> {
  const rules = createProjectRules({ v: 1, title: '', language: 'zh', folders: { manuscript: '正文', texts: ['大纲', '设定'] } });
  return withToolBench({}, async ({ context }) => {
    const outcome = await tool.run(args, { ...context, documents: world.documents, rules, journal: world.checkpoints.journal(turn(1)) });
    return outcome.ok ? outcome.value.receipt : { refused: outcome.error };
  });
}

describe('on a disk that folds case', () => {
  it('a chapter that the agent calls by another case is the same one, and what it does there is the agent’s', () =>
    withFoldingWorld(async (world) => {
      await world.write('正文/Ch1.md', '雨下了一夜。\n');
      await world.write('正文/Vol/Ch2.md', '二。\n');
      await world.write('正文/Ch3.md', '三。\n');
      await take(world);
      expect(await use(world, editTool, { edits: [{ path: '正文/ch1.md', old: '一夜', new: '三夜' }] })).toMatchObject({ files: [{ path: '正文/Ch1.md' }] });
      expect(await use(world, writeTool, { path: '正文/vol/ch2.md', content: '二改。\n' })).toMatchObject({ path: '正文/Vol/Ch2.md', done: 'replaced' });
      expect(await use(world, writeTool, { path: '正文/VOL/Ch9.md', content: '九。\n' })).toMatchObject({ path: '正文/Vol/Ch9.md', done: 'created' });
      expect(await use(world, deleteTool, { path: '正文/CH3.md' })).toMatchObject({ path: '正文/Ch3.md', done: 'deleted' });
      const { records } = must(await world.checkpoints.endTurn(turn(1), '改', false));
      expect(records.map(({ author, changed }) => [author, changed])).toEqual([
        ['agent', { added: ['正文/Vol/Ch9.md'], modified: ['正文/Ch1.md', '正文/Vol/Ch2.md'], renamed: [], removed: ['正文/Ch3.md'] }],
      ]);
      const undone = must(await world.checkpoints.undoTurn(turn(1)));
      expect(undone.conflicts).toEqual([]);
      expect(await world.all()).toEqual({ '正文/Ch1.md': '雨下了一夜。\n', '正文/Ch3.md': '三。\n', '正文/Vol/Ch2.md': '二。\n' });
    }));

  it('a rename in case alone is one, is credited, undone and restored', () =>
    withFoldingWorld(async (world) => {
      await world.write('正文/ch1.md', '一。\n');
      const first = await take(world);
      expect(await use(world, renameTool, { from: '正文/CH1.md', to: '正文/Ch1.md' })).toMatchObject({ from: '正文/ch1.md', to: '正文/Ch1.md' });
      const { records } = must(await world.checkpoints.endTurn(turn(1), '改名', false));
      expect(records).toMatchObject([{ author: 'agent', changed: { renamed: [['正文/ch1.md', '正文/Ch1.md']], added: [], removed: [] } }]);
      must(await world.checkpoints.restore(first));
      expect(await names(world)).toEqual(['ch1.md']);
      must(await world.checkpoints.restore(records[0]?.id ?? ''));
      expect(await names(world)).toEqual(['Ch1.md']);
      expect(must(await world.checkpoints.undoTurn(turn(1))).conflicts).toEqual([]);
      expect(await world.all()).toEqual({ '正文/ch1.md': '一。\n' });
    }));

  it('a rename to the name of another chapter in another case is refused, and both are kept', () =>
    withFoldingWorld(async (world) => {
      await world.write('正文/a.md', '甲。\n');
      await world.write('正文/b.md', '乙。\n');
      await take(world);
      expect(await use(world, renameTool, { from: '正文/a.md', to: '正文/B.md' })).toMatchObject({ refused: { code: 'doc.exists' } });
      expect(await world.all()).toEqual({ '正文/a.md': '甲。\n', '正文/b.md': '乙。\n' });
      expect(must(await world.checkpoints.endTurn(turn(1), '改', false)).records).toEqual([]);
    }));

  it('a state that holds two names equal but for case is not restored: both are named, and nothing is written', () =>
    withTempFolder(async (root) => {
      // Made where case counts.
      const linux = openWorld(root);
      await linux.write('正文/Ch1.md', '大写。\n');
      await linux.write('正文/ch1.md', '小写。\n');
      await linux.write('正文/二.md', '二。\n');
      const both = await take(linux);
      expect(await manifest(linux, both)).toEqual(['正文/Ch1.md', '正文/ch1.md', '正文/二.md']);
      await rm(join(root, '正文/ch1.md'));
      await linux.write('正文/二.md', '二改。\n');
      const mac = openWorld(root, { foldsCase: true });
      const one = await take(mac);
      const before = await mac.all();
      for (const restored of [await mac.checkpoints.planRestore(both), await mac.checkpoints.restore(both), await mac.checkpoints.restore(both, { path: '正文/ch1.md' })]) {
        expect(restored).toMatchObject({ ok: false, error: { code: 'path.clash', args: { path: '正文/Ch1.md', other: '正文/ch1.md' } } });
      }
      expect(await mac.all()).toEqual(before);
      expect(must(await mac.checkpoints.openRestore())).toBeUndefined();
      expect(must(await mac.checkpoints.head())?.id).toBe(one);
      // The chapters that it can hold come back one by one.
      must(await mac.checkpoints.restore(both, { path: '正文/二.md' }));
      expect(await mac.disk('正文/二.md')).toBe('二。\n');
      // Where case counts nothing stands in the way.
      must(await linux.checkpoints.restore(both));
      expect(await linux.all()).toEqual({ '正文/Ch1.md': '大写。\n', '正文/ch1.md': '小写。\n', '正文/二.md': '二。\n' });
    }));

  it.each(['undo', 'finish'] as const)('a restore over a rename in case that was cut anywhere can be ended: %s', (how) =>
    withTempFolder(async (top) => {
      for (let cut = 1; cut <= 3; cut += 1) {
        const world = openWorld(join(top, `${how}${cut}`), { foldsCase: true });
        await world.files.mkdir('.').catch(() => undefined);
        await world.write('.liyuan/local/x', '');
        await world.write('正文/ch1.md', '旧。\n');
        await world.write('正文/二.md', '二。\n');
        const first = await take(world);
        await rename(join(world.root, '正文/ch1.md'), join(world.root, '正文/Ch1.md'));
        await world.write('正文/Ch1.md', '全换成新的了。\n');
        await world.write('正文/二.md', '二改。\n');
        await take(world);
        let operations = 0;
        // As when the host is killed: from here on nothing is done any more.
        for (const operation of ['put', 'delete'] as const) {
          world.documents.before(operation, () => {
            operations += 1;
            return operations >= cut ? { code: 'store.io', args: {} } : undefined;
          });
        }
        world.documents.before('bytes', () => (operations >= cut ? { code: 'store.io', args: {} } : undefined));
        expect((await world.checkpoints.restore(first)).ok).toBe(false);
        const again = world.reopen();
        const open = must(await again.checkpoints.openRestore());
        if (open !== undefined) must(await again.checkpoints.finishRestore(open.id, how));
        const wanted = open !== undefined && how === 'finish' ? { '正文/ch1.md': '旧。\n', '正文/二.md': '二。\n' } : { '正文/Ch1.md': '全换成新的了。\n', '正文/二.md': '二改。\n' };
        expect(await again.all(), `cut at ${cut}`).toEqual(wanted);
        expect(await names(again)).toEqual(Object.keys(wanted).map((path) => path.slice('正文/'.length)).sort());
        expect(must(await again.checkpoints.openRestore())).toBeUndefined();
      }
    }),
  );

  it('words typed into a chapter that was opened by another case are those of that chapter', () =>
    withFoldingWorld(async (world) => {
      await world.write('正文/Ch1.md', '一。\n');
      await take(world);
      const dirty = world.documents.dirty.bind(world.documents);
      Object.assign(world.documents, { dirty: () => dirty().map((path) => path.toLowerCase()) });
      await world.documents.type('正文/ch1.md', '', '还没存。\n');
      const id = await take(world);
      expect(await manifest(world, id)).toEqual(['正文/Ch1.md']);
      expect(Buffer.from(must(await world.checkpoints.fileAt(id, '正文/Ch1.md')) ?? []).toString()).toBe('一。\n还没存。\n');
    }));
});

describe('where case counts', () => {
  it('two names equal but for case are both kept, and the agent is refused a third', () =>
    withTempFolder(async (root) => {
      const world = openWorld(root);
      await world.write('正文/Ch1.md', '大写。\n');
      await world.write('正文/ch1.md', '小写。\n');
      const both = await take(world);
      await world.write('正文/ch1.md', '小写改。\n');
      must(await world.checkpoints.restore(both));
      expect(await world.all()).toEqual({ '正文/Ch1.md': '大写。\n', '正文/ch1.md': '小写。\n' });
      expect(await use(world, writeTool, { path: '正文/CH1.md', content: '三。' })).toMatchObject({ refused: { code: 'path.clash', args: { path: '正文/CH1.md' } } });
      expect(await names(world)).toEqual(['Ch1.md', 'ch1.md']);
    }));
});
