import { mkdir, rmdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok } from '../../../src/engine/ports/result';
import { renameTool } from '../../../src/engine/tools/rename';
import { writeTool } from '../../../src/engine/tools/write';
import { withTempFolder } from '../../fakes/temp-folder';
import { withToolBench } from '../../fakes/tool-context';
import { codeOf, must, turn, withWorld, type World } from './world';

/** Links of every kind below the named folders, which are 正文, 大纲 (a link itself) and 设定. */
async function withLinks(world: World, outside: string): Promise<void> {
  for (const path of ['正文/一.md', '别处/b.md', '设定/人.md', '资料/大纲/总.md', '资料/大纲/细/一.md', '资料/散/s.md', '.隐/c.md']) await world.write(path, `${path}\n`);
  await mkdir(join(outside, 'f'), { recursive: true });
  const links: readonly (readonly [to: string, at: string])[] = [
    ['资料/大纲', '大纲'],
    ['../别处', '正文/附'],
    ['../设定', '正文/设'],
    ['../资料/大纲/细', '正文/纲'],
    ['../.隐', '正文/隐'],
    ['../别处/b.md', '正文/单.md'],
    ['../设定/人.md', '正文/人.md'],
    [join(outside, 'f'), '正文/外'],
    ['细', '资料/大纲/又'],
    ['../散', '资料/大纲/散'],
  ];
  for (const [to, at] of links) await symlink(to, join(world.root, at));
}

const places = ['正文', '正文/新', '正文/附', '正文/附/深', '正文/设', '正文/纲', '正文/隐', '正文/外', '大纲', '大纲/细', '大纲/又', '大纲/散', '设定', '别处'];
const standing = ['正文/一.md', '正文/单.md', '正文/人.md', '大纲/总.md', '大纲/又/一.md', '大纲/散/s.md', '正文/附/b.md', '正文/设/人.md'];

describe('what the agent may write and what checkpoints cover', () => {
  it.each([...places.map((place) => `${place}/new.md`), ...standing])('is the same with links on the way: %s', (path) =>
    withTempFolder((outside) =>
      withWorld(async (world) => {
        await withLinks(world, outside);
        const journal = world.checkpoints.journal(turn(1));
        const allowed = (await journal.locate(path)).ok;
        await mkdir(join(world.root, path, '..'), { recursive: true });
        await writeFile(join(world.root, path), '助手写的。\n');
        const taken = must(await world.checkpoints.take({ author: 'user', message: '看' }));
        expect(must(await world.checkpoints.manifest(taken?.id ?? '')).has(path)).toBe(allowed);
      }),
    ),
  );

  it('names the place and says why', () =>
    withTempFolder((outside) =>
      withWorld(async (world) => {
        await withLinks(world, outside);
        const journal = world.checkpoints.journal(turn(1));
        expect(await journal.locate('正文/附/new.md')).toMatchObject({ ok: false, error: { code: 'path.not-writable', args: { path: '正文/附/new.md' } } });
        expect(codeOf(await journal.locate('正文/外/new.md'))).toBe('path.outside');
        expect(codeOf(await journal.locate('正文/隐/new.md'))).toBe('path.not-writable');
      }),
    ));

  it('is asked for before anything is announced or written', () =>
    withToolBench({ '正文/一.md': '一。\n' }, async ({ context, journalled, run, documents }) => {
      const locate = (path: string): ReturnType<typeof context.journal.locate> =>
        Promise.resolve(path.startsWith('正文/附/') ? { ok: false, error: { code: 'path.not-writable', args: { path } } } : ok(path));
      Object.assign(context.journal, { locate });
      expect(await run(writeTool, { path: '正文/附/new.md', content: '雨。' })).toMatchObject({ error: 'not_writable', path: '正文/附/new.md' });
      expect(await run(renameTool, { from: '正文/一.md', to: '正文/附/一.md' })).toMatchObject({ error: 'not_writable' });
      expect(journalled).toEqual([]);
      expect((await documents.list('正文')).map(({ path }) => path)).toEqual(['正文/一.md']);
    }));
});

describe('a restore where a folder has become a link to elsewhere', () => {
  it('writes nothing there, neither among all files nor alone', () =>
    withWorld(async (world) => {
      await world.write('正文/一.md', '一。');
      await world.write('正文/卷/二.md', '二。');
      const first = must(await world.checkpoints.take({ author: 'user', message: '一' }))?.id ?? '';
      await world.write('别处/b.md', '别的。');
      await world.write('正文/一.md', '一改。');
      await world.remove('正文/卷/二.md');
      await rmdir(join(world.root, '正文/卷'));
      await symlink('../别处', join(world.root, '正文/卷'));
      const again = world.reopen();
      must(await again.checkpoints.restore(first));
      expect([await world.disk('正文/一.md'), await world.disk('别处/二.md')]).toEqual(['一。', undefined]);
      expect(codeOf(await again.checkpoints.restore(first, { path: '正文/卷/二.md' }))).toBe('path.not-writable');
      expect(await world.disk('别处/二.md')).toBeUndefined();
      expect(must(await world.checkpoints.openRestore())).toBeUndefined();
    }));
});
