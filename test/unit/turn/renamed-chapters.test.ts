import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says, type ScriptedAnswer } from '../../fakes/models';

const one = '正文/001-雨夜.md';
const two = '正文/002-来信.md';
const book = { [one]: '# 第一章\n\n雨下了三天三夜。\n', [two]: '# 第二章\n\n信到了他的手里。\n' };
const exchange = [
  { from: one, to: two, heading: { from: '第一章', to: '第二章' } },
  { from: two, to: one, heading: { from: '第二章', to: '第一章' } },
];
const exchanged = { [one]: '# 第一章\n\n信到了他的手里。\n', [two]: '# 第二章\n\n雨下了三天三夜。\n' };
const edit = (path: string, old: string, fresh: string): ScriptedAnswer => asks(call('edit', { edits: [{ path, old, new: fresh }] }));
const lastTurn = ({ branch }: EngineBench): string => branch().findLast(({ type }) => type === 'user')?.id ?? '';
const undoLast = async (bench: EngineBench): Promise<unknown> =>
  must(await bench.engine.undoTurn(bench.session, { sessionId: bench.session.header.id, userEntryId: lastTurn(bench) }));

async function chapters(root: string): Promise<Record<string, string>> {
  const names = (await readdir(join(root, '正文'))).sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [`正文/${name}`, await readFile(join(root, '正文', name), 'utf8')] as const)));
}

describe('a chapter whose new name was typed in another normal form', () => {
  it('has the one that all names have: for its checkpoint and for what waits for it', () =>
    withEngine({ '正文/1.md': '雨下了一夜。' }, createScriptedClient([asks(call('edit', { edits: [{ path: '正文/1.md', old: '雨', new: '雪' }] })), says('好')]), async (bench) => {
      const to = '正文/café.md';
      await bench.turn('改');
      must(await bench.engine.arrange.apply([{ from: '正文/1.md', to: to.normalize('NFD') }]));
      expect(must(await bench.engine.checkpoints.list())[0]?.moved).toEqual([['正文/1.md', to.normalize('NFC')]]);
      expect(bench.engine.review.pending()).toMatchObject([{ path: to.normalize('NFC'), from: to.normalize('NFC') }]);
      must(await bench.engine.review.accept(bench.engine.review.pending().map(({ id }) => id)));
      expect(await bench.disk(to.normalize('NFC'))).toBe('雪下了一夜。');
    }, { apply: () => 'review' }));
});

describe('chapters that change their names', () => {
  it('are not half renamed after the host was killed, wherever that was', () =>
    withEngine(book, createScriptedClient([]), async (bench) => {
      const seen: Record<string, string>[] = [];
      const die = async (): Promise<void> => {
        await bench.killed(createScriptedClient([]), async (next) => void seen.push(await chapters(next.root)));
      };
      bench.documents.before('rename', die);
      bench.documents.before('apply', die);
      must(await bench.engine.arrange.apply(exchange));
      expect(seen).toHaveLength(4);
      for (const left of seen) expect(left).toEqual(book);
      expect(await chapters(bench.root)).toEqual(exchanged);
      await bench.killed(createScriptedClient([]), async (next) => { expect(await chapters(next.root)).toEqual(exchanged); });
    }));

  it('are not half renamed when some headings were written as the host was killed', () =>
    withEngine(book, createScriptedClient([]), async (bench) => {
      let died: Promise<void> | undefined;
      bench.documents.before('apply', async () => {
        const text = await bench.disk(two);
        await writeFile(join(bench.root, two), text.replace('第一章', '第二章'));
        died ??= bench.killed(createScriptedClient([]), async (next) => { expect(await chapters(next.root)).toEqual(book); });
        await died;
        await writeFile(join(bench.root, two), text);
      });
      must(await bench.engine.arrange.apply(exchange));
      expect(died).toBeDefined();
    }));

  it('a turn’s edits are taken out of the chapter they are in, whatever it is called by now', () =>
    withEngine(book, createScriptedClient([edit(one, '三夜。\n', '三夜。\n\n又下了一夜。\n'), says('好。')]), async (bench) => {
      await bench.turn('续');
      must(await bench.engine.arrange.apply(exchange));
      await undoLast(bench);
      expect(await chapters(bench.root)).toEqual(exchanged);
    }));

  it('and out of none by that name once the names were taken back', () =>
    withEngine(book, createScriptedClient([edit(one, '三夜。\n', '三夜。\n\n又下了一夜。\n'), says('好。')]), async (bench) => {
      await bench.turn('续');
      const { before } = must(await bench.engine.arrange.apply(exchange));
      must(await bench.engine.checkpoints.restore(before));
      await undoLast(bench);
      expect(await chapters(bench.root)).toEqual(book);
    }));

  it('what is proposed for a chapter goes along with it', () =>
    withEngine(book, createScriptedClient([edit(one, '三夜。\n', '三夜。\n\n又下了一夜。\n'), says('好。')]), async (bench) => {
      await bench.turn('续');
      must(await bench.engine.arrange.apply(exchange));
      const accepted = must(await bench.engine.review.accept(bench.engine.review.pending().map(({ id }) => id)));
      expect(accepted.refused).toEqual([]);
      expect(await chapters(bench.root)).toEqual({ ...exchanged, [two]: '# 第二章\n\n雨下了三天三夜。\n\n又下了一夜。\n' });
    }, { apply: () => 'review' }));

  it('what is proposed never goes into another chapter that was given its name by hand', () =>
    withEngine(book, createScriptedClient([edit(one, '三夜。\n', '三夜。\n\n又下了一夜。\n'), says('好。')]), async (bench) => {
      await bench.turn('续');
      await writeFile(join(bench.root, one), book[two] ?? '');
      await writeFile(join(bench.root, two), book[one] ?? '');
      const accepted = must(await bench.engine.review.accept(bench.engine.review.pending().map(({ id }) => id)));
      expect(accepted.refused.map(({ error }) => error.code)).toEqual(['review.conflict']);
      expect(await chapters(bench.root)).toEqual({ [one]: book[two], [two]: book[one] });
    }, { apply: () => 'review' }));
});
