import { cp, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withTempFolder } from '../../fakes/temp-folder';
import { codeOf, must, openWorld, type World } from './world';

const FIXTURE = join(__dirname, '../../fixtures/formats/v1');
const c = (n: string): string => `019b0000-${n}-7000-8000-000000000001`;
const [rain, snow] = ['9d24b92ca069e61afe5873dade3eb9e51be8652121e80ea86e46d882f09ec302', '9766748be93566085af65b5a3c367a767c19a200a68aa1838b8d3073592ea512'];
const people = 'a1400c2241f0cb2c23937caaada4bef2ce740407e36f26a5f4c3e1adf06106b2';
const blade = '0de0605a6a56de8157945348bcec50c7b3301faaa648158f3468a858895b0724';
const outline = 'fe9ff872129f5066ffc2f4fdbaed0db87f1818ad469fee41e535f5dbf7a9cebf';
const chapter = '正文/卷一/001-雨夜.md';

/** A copy, so that nothing can be written into the fixture. */
const withFixture = (f: (world: World) => Promise<void>): Promise<void> =>
  withTempFolder(async (root) => {
    await cp(FIXTURE, root, { recursive: true });
    await f(openWorld(root));
  });

describe('checkpoints of format version 1', () => {
  it('are listed newest first, pruned ones left out', () =>
    withFixture(async (world) => {
      expect(must(await world.checkpoints.list()).map(({ id, author, message }) => [id, author, message])).toEqual([
        [c('00c6'), 'agent', '再改（已中止）'],
        [c('00c5'), 'user', '恢复到「导入」'],
        [c('00c4'), 'user', '合并'],
        [c('00c2'), 'user', '作者的改动'],
        [c('00c1'), 'agent', '读第一章，把雨改成雪'],
        [c('00c0'), 'import', '导入'],
      ]);
      expect(must(await world.checkpoints.get(c('00c1'))).ledger).toEqual({ sessionId: c('0000'), entryId: c('0008') });
      expect(must(await world.checkpoints.get(c('00c5'))).restoredFrom).toBe(c('00c0'));
      expect(must(await world.checkpoints.head())).toMatchObject({ id: c('00c6'), aborted: true });
      expect(world.log.of('warn')).toEqual([{ level: 'warn', message: expect.any(String) as string, data: { line: 8 } }]);
    }));

  it('fold along their parents, over two tips and their join', () =>
    withFixture(async (world) => {
      const at = async (n: string): Promise<[string, string][]> => [...must(await world.checkpoints.manifest(c(n)))].sort();
      expect(await at('00c0')).toEqual([[chapter, rain], ['设定/人物.md', people]].sort());
      expect(await at('00c1')).toEqual([[chapter, snow], ['设定/人物.md', people]].sort());
      expect(await at('00c2')).toEqual([[chapter, snow], ['正文/卷一/002-刀.md', blade]].sort());
      expect(await at('00c3')).toEqual([[chapter, snow], ['设定/人物.md', people], ['大纲/总纲.txt', outline]].sort());
      expect(await at('00c4')).toEqual([[chapter, snow], ['设定/人物.md', people], ['正文/卷一/002-刀.md', blade], ['大纲/总纲.txt', outline]].sort());
      expect(await at('00c5')).toEqual(await at('00c0'));
      expect(codeOf(await world.checkpoints.manifest(c('00c6')))).toBe('checkpoint.broken');
    }));

  it('give back the bytes of their files, plain and deflated', () =>
    withFixture(async (world) => {
      const text = async (n: string, path: string): Promise<string> => Buffer.from(must(await world.checkpoints.fileAt(c(n), path)) ?? []).toString();
      expect(await text('00c0', chapter)).toBe('# 雨夜\n\n雨停了。\n');
      expect(await text('00c1', chapter)).toBe('# 雨夜\n\n雪停了。\n');
      expect(await text('00c2', '正文/卷一/002-刀.md')).toBe(`# 刀\n\n${'他没有走，只看着檐下的水线。'.repeat(60)}\n`);
      expect(must(await world.checkpoints.fileAt(c('00c2'), '设定/人物.md'))).toBeUndefined();
    }));

  it('know the state before a turn, and the restore that is still open', () =>
    withFixture(async (world) => {
      expect(must(await world.checkpoints.before({ sessionId: c('0000'), userEntryId: c('0001') })).id).toBe(c('00c0'));
      const open = must(await world.checkpoints.openRestore());
      expect(open).toEqual({ id: c('00d1'), target: c('00c1') });
      must(await world.checkpoints.finishRestore(c('00d1'), 'finish'));
      expect(await readFile(join(world.root, chapter), 'utf8')).toBe('# 雨夜\n\n雪停了。\n');
      expect(must(await world.checkpoints.head())).toMatchObject({ restoredFrom: c('00c1'), message: `恢复 ${basename(chapter)} 到「读第一章，把雨改成雪」`, depth: 0 });
    }));

  it('can be restored', () =>
    withFixture(async (world) => {
      must(await world.checkpoints.finishRestore(c('00d1'), 'undo'));
      must(await world.checkpoints.restore(c('00c4')));
      expect(Object.keys(await world.all())).toEqual(['大纲/总纲.txt', chapter, '正文/卷一/002-刀.md', '设定/人物.md'].sort());
    }));
});
