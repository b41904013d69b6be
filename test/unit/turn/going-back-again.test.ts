import { describe, expect, it } from 'vitest';
import { must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { asks, call, createScriptedClient, says, type ScriptedAnswer } from '../../fakes/models';

const one = '正文/001-雨夜.md';
const two = '正文/002-来信.md';
const book = { [one]: '# 雨夜\n\n雨下了三天。\n', [two]: '# 来信\n\n信到了。\n' };
const edit = (path: string, old: string, fresh: string): ScriptedAnswer => asks(call('edit', { edits: [{ path, old, new: fresh }] }));
const lastTurn = ({ branch }: EngineBench): string => branch().findLast(({ type }) => type === 'user')?.id ?? '';

describe('going back once more', () => {
  it('takes back all turns, also those that were put back when it failed the first time', () =>
    withEngine(book, createScriptedClient([edit(one, '三天', '五天'), says('好。'), edit(two, '信到了', '信丢了'), says('好。')]), async (bench) => {
      await bench.turn('一');
      const first = lastTurn(bench);
      await bench.turn('二');
      const stop = bench.documents.before('apply', (path) => (path === one ? { code: 'store.read-only' } : undefined));
      expect(await bench.engine.goBack(bench.session, first, 'files-and-conversation')).toMatchObject({ error: { code: 'store.read-only' } });
      stop();
      expect(await bench.disk(two)).toContain('信丢了');
      must(await bench.engine.goBack(bench.session, first, 'files-and-conversation'));
      expect([await bench.disk(one), await bench.disk(two)]).toEqual([book[one], book[two]]);
    }));

  it('a turn that was undone and restored can be undone again', () =>
    withEngine(book, createScriptedClient([edit(one, '三天。\n', '三天。\n\n又一夜。\n'), says('好。')]), async (bench) => {
      await bench.turn('一');
      const turn = { sessionId: bench.session.header.id, userEntryId: lastTurn(bench) };
      const own = must(await bench.engine.checkpoints.head());
      must(await bench.engine.checkpoints.undoTurn(turn));
      expect(await bench.engine.checkpoints.undoTurn(turn)).toMatchObject({ error: { code: 'undo.nothing' } });
      must(await bench.engine.checkpoints.restore(own?.id ?? ''));
      expect(await bench.disk(one)).toContain('又一夜');
      must(await bench.engine.checkpoints.undoTurn(turn));
      expect(await bench.disk(one)).toBe(book[one]);
    }));
});
