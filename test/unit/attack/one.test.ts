import { describe, expect, it } from 'vitest';
import { must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const one = '正文/001-雨夜.md';
const two = '正文/002-来信.md';
const book = { [one]: '# 雨夜\n\n雨下了三天。\n', [two]: '# 来信\n\n信到了。\n' };
const review = { apply: () => 'review' as const };
const swap = [{ from: one, to: '正文/002-雨夜.md' }, { from: two, to: '正文/001-来信.md' }];
const names = [{ from: one, to: two }, { from: two, to: one }];
const edit = (path: string, old: string, fresh: string) => asks(call('edit', { edits: [{ path, old, new: fresh }] }));
const lastUser = ({ branch }: EngineBench): string => branch().findLast(({ type }) => type === 'user')?.id ?? '';

async function texts({ engine, documents }: EngineBench): Promise<string> {
  const all: string[] = [];
  for (const { path } of await documents.list('正文')) all.push(await documents.text(path));
  for (const { id } of must(await engine.checkpoints.list())) for (const path of [one, two]) {
    const b = await engine.checkpoints.fileAt(id, path);
    if (b.ok && b.value) all.push(Buffer.from(b.value).toString());
  }
  return all.join('\n');
}

describe('attack', () => {
  it('T1 remove while typing', () =>
    withEngine(book, createScriptedClient([]), async (bench) => {
      let n = 0;
      bench.documents.before('delete', async (p) => { if (n++ === 0) await bench.documents.type(p, '雨下了三天。', '雨下了三天。新的话。'); });
      const r = await bench.engine.arrange.remove([one]);
      console.log('T1', JSON.stringify(r), bench.documents.isDirty(one));
      expect(await texts(bench)).toContain('新的话');
    }));

  it('T2 goBack fails in the middle, then again', () =>
    withEngine(book, createScriptedClient([edit(one, '三天', '五天'), says('a'), edit(two, '信到了', '信丢了'), says('b')]), async (bench) => {
      await bench.turn('一');
      const first = lastUser(bench);
      await bench.turn('二');
      const stop = bench.documents.before('apply', (p) => (p === one ? { code: 'doc.read-only' } : undefined) as never);
      const r = await bench.engine.goBack(bench.session, first, 'files-and-conversation' as never);
      stop();
      console.log('T2', JSON.stringify(r), await bench.disk(one), await bench.disk(two));
      const again = await bench.engine.goBack(bench.session, first, 'files-and-conversation' as never);
      console.log('T2b', JSON.stringify(again));
      expect(await bench.disk(one)).toBe(book[one]);
      expect(await bench.disk(two)).toBe(book[two]);
    }));

  it('T3 proposals and arrange', () =>
    withEngine(book, createScriptedClient([edit(one, '三天。\n', '三天。\n\n又下了一夜。\n'), says('a')]), async (bench) => {
      await bench.turn('一');
      must(await bench.engine.arrange.apply(names));
      const ids = bench.engine.review.pending().map(({ id }) => id);
      const r = await bench.engine.review.accept(ids);
      console.log('T3', JSON.stringify(r), await bench.disk(one), await bench.disk(two));
      expect(await bench.disk(one)).not.toContain('一夜');
      expect(await bench.disk(two)).toContain('一夜');
    }, review));

  it('T3b deletion proposals and arrange, undo of creation', () =>
    withEngine(book, createScriptedClient([asks(call('write', { path: '正文/003-新.md', content: '# 新\n\n新。\n' })), edit(one, '三天。\n', '三天。\n\n又下了一夜。\n'), says('a')]), async (bench) => {
      await bench.turn('一');
      must(await bench.engine.arrange.apply([{ from: one, to: '正文/003-新.md' }, { from: '正文/003-新.md', to: one }]));
      const r = await bench.engine.undoTurn(bench.session, { sessionId: bench.session.header.id, userEntryId: lastUser(bench) });
      const all: Record<string, string> = {};
      for (const { path } of await bench.documents.list('正文')) all[path] = await bench.documents.text(path);
      console.log('T3b', JSON.stringify(r), all);
    }));

  it('T3c undo of an edit after swap', () =>
    withEngine(book, createScriptedClient([edit(one, '三天。\n', '三天。\n\n又下了一夜。\n'), says('a')]), async (bench) => {
      await bench.turn('一');
      must(await bench.engine.arrange.apply(names));
      const r = await bench.engine.undoTurn(bench.session, { sessionId: bench.session.header.id, userEntryId: lastUser(bench) });
      const all: Record<string, string> = {};
      for (const { path } of await bench.documents.list('正文')) all[path] = await bench.documents.text(path);
      console.log('T3c', JSON.stringify(r), all);
    }));

  it('T3d undo of an edit after a rename by the author', () =>
    withEngine(book, createScriptedClient([edit(one, '三天。\n', '三天。\n\n又下了一夜。\n'), says('a')]), async (bench) => {
      await bench.turn('一');
      must(await bench.engine.arrange.apply(swap));
      const r = await bench.engine.undoTurn(bench.session, { sessionId: bench.session.header.id, userEntryId: lastUser(bench) });
      const all: Record<string, string> = {};
      for (const { path } of await bench.documents.list('正文')) all[path] = await bench.documents.text(path);
      console.log('T3d', JSON.stringify(r), all);
    }));
});
