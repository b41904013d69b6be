import { describe, expect, it } from 'vitest';
import type { Files } from '../../../src/engine/ports/files';
import { inShort, must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { createFaultyFiles } from '../../fakes/faulty-files';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const one = '正文/001-雨夜.md';
const two = '正文/002-来信.md';
const book = { [one]: '# 雨夜\n\n雨下了三天。门开了，没有人进来。灯还亮着。\n', [two]: '# 来信\n\n信到了。\n' };
const edit = (...edits: readonly (readonly [string, string, string])[]): ReturnType<typeof asks> =>
  asks(call('edit', { edits: edits.map(([path, old, fresh]) => ({ path, old, new: fresh })) }));
const review = { apply: () => 'review' as const };
const both = (): ReturnType<typeof edit> => edit([one, '三天', '五天'], [one, '灯还亮着', '灯灭了'], [two, '信到了', '信没有到']);

const waiting = ({ engine }: EngineBench): readonly string[] => engine.review.pending().map(({ path }) => path);
const turnOf = ({ branch }: EngineBench): string => branch().findLast(({ type }) => type === 'user')?.id ?? '';
const lastWords = (client: ReturnType<typeof createScriptedClient>): string => {
  const message = client.requests.at(-1)?.messages.findLast(({ role }) => role === 'user');
  return typeof message?.content === 'string' ? message.content : '';
};
const changeOf = async ({ engine }: EngineBench, path: string, fresh: string): Promise<[string, string]> => {
  const proposal = engine.review.pending().find((p) => p.path === path);
  const view = await engine.review.view(proposal?.id ?? '');
  const found = view?.changes.find(({ change }) => change.fresh === fresh);
  return [proposal?.id ?? '', found?.change.id ?? ''];
};

describe('a turn in review mode', () => {
  it('changes no file, takes no checkpoint of the agent’s, and ends with what it proposes', () =>
    withEngine(book, createScriptedClient([both(), says('提了两处。')]), async (bench) => {
      const events = await bench.turn('改雨');
      expect(await bench.disk(one)).toBe(book[one]);
      expect(inShort(bench.branch()).filter((line) => line.startsWith('checkpoint agent'))).toEqual([]);
      const proposals = events.find((event) => event.type === 'proposals');
      expect(proposals?.files.map(({ path, kind, state, waiting: count, added, removed }) => [path, kind, state, count, added, removed])).toEqual([
        [one, 'modify', 'pending', 2, 3, 4],
        [two, 'modify', 'pending', 1, 2, 1],
      ]);
      expect(events.some((event) => event.type === 'changes')).toBe(false);
    }, review));

  it('its new chapter is in the outline and the list of chapters as if it were there', () => {
    const client = createScriptedClient([
      asks(call('write', { path: '正文/003-渡口.md', content: '# 渡口\n\n船没有来。\n' }), call('delete', { path: two })),
      asks(call('outline', {})),
      says('好。'),
      says('嗯。'),
    ]);
    return withEngine(book, client, async (bench) => {
      await bench.turn('写渡口');
      const outline = bench.branch().findLast((entry) => entry.type === 'tool');
      const result = outline?.type === 'tool' ? outline.data.result : '';
      expect(result).toContain('003-渡口.md');
      expect(result).not.toContain('002-来信.md');
      await bench.turn('再看看');
      expect(lastWords(client)).toMatch(/【正文目录】\n正文\/ 共 2 个文件[\s\S]*003-渡口\.md/);
      expect(must(await bench.engine.manuscript.chapters()).map(({ path }) => path)).toEqual([one, two]);
    }, review);
  });

  it('going back before it by files and conversation drops what it proposed, and the later turns’ too', () =>
    withEngine(book, createScriptedClient([both(), says('好。'), edit([two, '信没有到', '信丢了']), says('好。')]), async (bench) => {
      await bench.turn('改雨');
      const first = turnOf(bench);
      must(await bench.engine.review.accept(bench.engine.review.pending().slice(0, 1).map(({ id }) => id)));
      await bench.turn('改信');
      const own = must(await bench.engine.checkpoints.list()).find(({ turn }) => turn?.userEntryId === first);
      must(await bench.engine.restore('files-and-conversation', own?.id ?? ''));
      expect(await bench.disk(one)).toBe(book[one]);
      expect(waiting(bench)).toEqual([]);
    }, review));

  it('what waits is never taken for the author’s change, and is there again after the host died', () =>
    withEngine(book, createScriptedClient([both(), says('好。')]), async (bench) => {
      await bench.turn('改雨');
      const client = createScriptedClient([says('还在等。')]);
      await bench.killed(client, async (next) => {
        must(await next.engine.review.load());
        expect(waiting(next)).toEqual([one, two]);
        await next.turn('再说');
        expect(lastWords(client)).not.toContain('【作者的改动】');
        expect(lastWords(client)).toContain(`【对提议的处理】\n${one}　还没处理\n${two}　还没处理`);
      });
    }, review));
});

describe('deciding', () => {
  it('accepting all is one edit and an agent’s checkpoint with the turn; the next turn hears of it and sees no author’s changes', () => {
    const client = createScriptedClient([both(), says('好。'), says('知道了。'), says('嗯。')]);
    return withEngine(book, client, async (bench) => {
      await bench.turn('改雨');
      const turn = turnOf(bench);
      const before = bench.documents.calls.apply;
      const accepted = must(await bench.engine.review.accept(bench.engine.review.pending().map(({ id }) => id)));
      expect(bench.documents.calls.apply - before).toBe(1);
      expect(accepted.refused).toEqual([]);
      expect(await bench.disk(one)).toBe('# 雨夜\n\n雨下了五天。门开了，没有人进来。灯灭了。\n');
      const head = must(await bench.engine.checkpoints.head());
      expect(head).toMatchObject({ author: 'agent', message: '改雨', turn: { userEntryId: turn } });
      await bench.documents.type(two, '信没有到', '信终究没有到');
      await bench.turn('然后呢');
      expect(lastWords(client)).toContain(`【对提议的处理】\n${one}　已接受\n${two}　已接受`);
      const told = lastWords(client);
      expect(told.slice(told.indexOf('【作者的改动】'))).toContain('信终究没有到');
      expect(told.slice(told.indexOf('【作者的改动】'))).not.toContain('三天');
      await bench.turn('还有吗');
      expect(lastWords(client)).not.toContain('【对提议的处理】');
    }, review);
  });

  it('one change alone: the rest waits on; a file with unsaved words keeps them unsaved', () =>
    withEngine(book, createScriptedClient([both(), says('好。')]), async (bench) => {
      await bench.turn('改雨');
      await bench.documents.type(one, '没有人进来', '谁也没有进来');
      const [id, change] = await changeOf(bench, one, '雨下了五天。');
      must(await bench.engine.review.acceptChange(id, change));
      expect(bench.documents.isDirty(one)).toBe(true);
      expect(await bench.documents.text(one)).toBe('# 雨夜\n\n雨下了五天。门开了，谁也没有进来。灯还亮着。\n');
      expect(await bench.disk(one)).toBe(book[one]);
      const records = must(await bench.engine.checkpoints.list());
      expect(records.slice(0, 2).map(({ author }) => author)).toEqual(['agent', 'user']);
      const [same, other] = await changeOf(bench, one, '灯灭了。');
      expect(same).toBe(id);
      must(await bench.engine.review.rejectChange(id, other));
      expect(waiting(bench)).toEqual([two]);
      expect((await bench.engine.review.rows(bench.session.header.id, turnOf(bench)))[0]).toMatchObject({ state: 'accepted', accepted: 1, rejected: 1, added: 1, removed: 1 });
    }, review));

  it('the author’s words in a proposal go into the file, and the next turn is told of them, once', () => {
    const client = createScriptedClient([both(), says('好。'), says('记住了。'), says('嗯。')]);
    return withEngine(book, client, async (bench) => {
      await bench.turn('改雨');
      const [first] = bench.engine.review.pending();
      must(await bench.engine.review.setText(first?.id ?? '', '# 雨夜\n\n雨下了五天五夜。门开了，没有人进来。灯灭了。\n'));
      const [id, change] = await changeOf(bench, one, '灯灭了。');
      must(await bench.engine.review.rejectChange(id, change));
      must(await bench.engine.review.accept([id]));
      expect(await bench.disk(one)).toBe('# 雨夜\n\n雨下了五天五夜。门开了，没有人进来。灯还亮着。\n');
      await bench.turn('继续');
      const told = lastWords(client);
      expect(told).toContain(`${one}　已接受，1 处未采用，作者改了你提议的字句`);
      expect(told).toContain('未采用：灯灭了。');
      expect(told).toMatch(/- .*雨下了五天。/);
      expect(told).toMatch(/\+ .*雨下了五天五夜。/);
      await bench.turn('继续');
      expect(lastWords(client)).not.toContain('五天五夜。\n- ');
    }, review);
  });

  it('a turn that was told and is taken back: the one in its place is told as well', () => {
    const client = createScriptedClient([both(), says('好。'), says('一。'), says('二。')]);
    return withEngine(book, client, async (bench) => {
      await bench.turn('改雨');
      must(await bench.engine.review.reject(bench.engine.review.pending().map(({ id }) => id)));
      await bench.turn('为什么');
      expect(lastWords(client)).toContain(`${one}　未采用`);
      must(await bench.engine.undoTurn(bench.session, { sessionId: bench.session.header.id, userEntryId: turnOf(bench) }));
      await bench.turn('换个说法');
      expect(lastWords(client)).toContain(`${one}　未采用`);
    }, review);
  });

  it('words that the author changed since are a conflict; theirs, or the proposal’s, by choice', () =>
    withEngine(book, createScriptedClient([both(), says('好。')]), async (bench) => {
      await bench.turn('改雨');
      await bench.documents.type(one, '三天', '两夜');
      const ids = bench.engine.review.pending().map(({ id }) => id);
      const done = must(await bench.engine.review.accept(ids));
      expect(done.refused.map(({ path, error }) => [path, error.code])).toEqual([[one, 'review.conflict']]);
      expect(await bench.disk(two)).toContain('信没有到');
      expect(await bench.documents.text(one)).toContain('两夜');
      expect((await bench.engine.review.rows(bench.session.header.id, turnOf(bench)))[0]).toMatchObject({ state: 'conflict' });
      const [id, quiet] = await changeOf(bench, one, '灯灭了。');
      must(await bench.engine.review.acceptChange(id, quiet));
      expect(await bench.documents.text(one)).toContain('两夜。门开了，没有人进来。灯灭了。');
      must(await bench.engine.review.accept([id], { force: true }));
      expect(await bench.documents.text(one)).toContain('雨下了五天。');
      expect(waiting(bench)).toEqual([]);
    }, review));

  it('new, renamed and deleted files come about when they are accepted', () => {
    const client = createScriptedClient([
      asks(call('write', { path: '正文/003-渡口.md', content: '# 渡口\n\n船。\n' }), call('rename', { from: one, to: '正文/001-夜雨.md' }), call('delete', { path: two })),
      edit(['正文/001-夜雨.md', '三天', '五天']),
      says('好。'),
    ]);
    return withEngine(book, client, async (bench) => {
      await bench.turn('大改');
      expect(await bench.disk(one)).toBe(book[one]);
      const done = must(await bench.engine.review.accept(bench.engine.review.pending().map(({ id }) => id)));
      expect(done.refused).toEqual([]);
      expect(await bench.disk('正文/003-渡口.md')).toBe('# 渡口\n\n船。\n');
      expect(await bench.disk('正文/001-夜雨.md')).toContain('五天');
      await expect(bench.disk(one)).rejects.toThrow('ENOENT');
      await expect(bench.disk(two)).rejects.toThrow('ENOENT');
      must(await bench.engine.undoTurn(bench.session, { sessionId: bench.session.header.id, userEntryId: turnOf(bench) }));
      expect(await bench.disk(one)).toBe(book[one]);
      expect(await bench.disk(two)).toBe(book[two]);
      await expect(bench.disk('正文/003-渡口.md')).rejects.toThrow('ENOENT');
    }, review);
  });

  it('undo of a turn takes back what was accepted and drops what waits', () =>
    withEngine(book, createScriptedClient([both(), says('好。')]), async (bench) => {
      await bench.turn('改雨');
      const [first] = bench.engine.review.pending();
      must(await bench.engine.review.accept([first?.id ?? '']));
      expect(must(await bench.engine.undoTurn(bench.session, { sessionId: bench.session.header.id, userEntryId: turnOf(bench) })).words).toBe('改雨');
      expect(await bench.disk(one)).toBe(book[one]);
      expect(waiting(bench)).toEqual([]);
    }, review));

  it('a rejected one can wait again', () =>
    withEngine(book, createScriptedClient([both(), says('好。')]), async (bench) => {
      await bench.turn('改雨');
      const [first] = bench.engine.review.pending();
      must(await bench.engine.review.reject([first?.id ?? '']));
      expect(waiting(bench)).toEqual([two]);
      must(await bench.engine.review.reopen(first?.id ?? ''));
      must(await bench.engine.review.accept([first?.id ?? '']));
      expect(await bench.disk(one)).toContain('五天');
    }, review));

  it('another window that does not hold the session decides nothing, and reads what the first one decides', () =>
    withEngine(book, createScriptedClient([both(), says('好。')]), async (bench) => {
      await bench.turn('改雨');
      const { createEngine } = await import('../../../src/engine/compose');
      const { createNodeFiles } = await import('../../../src/engine/store/node-files');
      const { createFakeClock } = await import('../../fakes/clock');
      const { createFakeIds } = await import('../../fakes/ids');
      const { createMemoryLog } = await import('../../fakes/log');
      const { createMemoryDocuments } = await import('../../fakes/memory-documents');
      const { modelsWith } = await import('../../fakes/models');
      const { createFakeUi } = await import('../../fakes/ui');
      const { ASSETS } = await import('../../fakes/engine-bench');
      const other = must(
        await createEngine({
          ports: {
            files: createNodeFiles(bench.root),
            documents: createMemoryDocuments({ root: bench.root }),
            models: modelsWith(createScriptedClient([])),
            clock: createFakeClock(),
            ids: createFakeIds(7),
            log: createMemoryLog(),
            ui: createFakeUi(),
          },
          assets: ASSETS,
          trusted: () => false,
        }),
      );
      must(await other.review.load());
      const [first, second] = other.review.pending();
      expect(await other.review.accept([first?.id ?? ''])).toMatchObject({ error: { code: 'session.read-only' } });
      expect(await other.review.reject([first?.id ?? ''])).toMatchObject({ error: { code: 'session.read-only' } });
      expect(await other.review.setText(first?.id ?? '', '我')).toMatchObject({ error: { code: 'session.read-only' } });
      must(await bench.engine.review.reject([first?.id ?? '']));
      must(await other.review.refresh(bench.session.header.id));
      expect(other.review.pending().map(({ id }) => id)).toEqual([second?.id]);
      await other.dispose();
    }, review));
});

describe('a disk that is full when what was accepted is to be noted', () => {
  it('accepting once more changes nothing and notes it: texts, new files, names, deletions', () => {
    const [three, four, five] = ['正文/003-夜.md', '正文/004-新.md', '正文/005-名.md'];
    let full = false;
    const files = (under: Files): Files => {
      const faulty = createFaultyFiles(under);
      faulty.faults(({ name, path }) => (full && name === 'writeAtomic' && path.includes('local/review/') ? { kind: 'fail', code: 'store.disk-full' } : undefined));
      return faulty;
    };
    const client = createScriptedClient([
      asks(
        call('edit', { edits: [{ path: one, old: '三天', new: '五天' }] }),
        call('write', { path: four, content: '新的一章。\n' }),
        call('delete', { path: two }),
        call('rename', { from: three, to: five }),
      ),
      says('好。'),
    ]);
    return withEngine({ ...book, [three]: '夜。\n' }, client, async (bench) => {
      await bench.turn('改');
      const ids = bench.engine.review.pending().map(({ id }) => id);
      expect(ids).toHaveLength(4);
      full = true;
      expect(await bench.engine.review.accept(ids)).toMatchObject({ ok: false, error: { code: 'store.disk-full' } });
      full = false;
      expect(must(await bench.engine.review.accept(ids))).toMatchObject({ accepted: expect.arrayContaining([...ids]) as unknown, refused: [] });
      expect(waiting(bench)).toEqual([]);
      expect([await bench.disk(one), await bench.disk(four), await bench.disk(five)]).toEqual([book[one].replace('三天', '五天'), '新的一章。\n', '夜。\n']);
      expect(must(await bench.engine.checkpoints.list()).map(({ author }) => author)).toEqual(['agent', 'user']);
    }, { ...review, files });
  });
});
