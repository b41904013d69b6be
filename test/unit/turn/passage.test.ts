import { describe, expect, it } from 'vitest';
import type { Files } from '../../../src/engine/ports/files';
import { createRehearsalClient } from '../../../src/engine/model/rehearsal';
import type { Passage } from '../../../src/engine/session/passage';
import { readCandidates } from '../../../src/engine/text/candidates';
import { createFakeClock } from '../../fakes/clock';
import { collect, must, withEngine, type EngineBench } from '../../fakes/engine-bench';
import { createFaultyFiles } from '../../fakes/faulty-files';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const PATH = '正文/001-雨夜.md';
const TEXT = '# 雨夜\n\n雨停了。他推开门。\n\n院子里没有人。\n';

function passage(change: Partial<Passage> = {}): Passage {
  const start = TEXT.indexOf('他推开门。');
  const end = start + '他推开门。'.length;
  return { task: 'rewrite', path: PATH, start, end, text: TEXT.slice(start, end), before: TEXT.slice(0, start), after: TEXT.slice(end), ...change };
}

async function offer({ engine, session }: EngineBench, given: Passage): Promise<string> {
  await collect(engine.turns.run(session, { text: '改写选段', passage: given }, new AbortController().signal));
  return session.lastOnBranch('user')?.id ?? '';
}

describe('a turn about a passage', () => {
  it('gives the model the passage with its surroundings, once, as a frozen block', async () => {
    const client = createScriptedClient([says('<draft>他把门推开。</draft>')]);
    await withEngine({ [PATH]: TEXT }, client, async (bench) => {
      await offer(bench, passage({ wish: '更慢一些' }));
      const words = client.requests[0]?.messages.at(-1)?.content ?? '';
      expect(words).toContain('【选段】正文/001-雨夜.md\n任务：改写');
      expect(words).toContain('作者的要求：更慢一些');
      expect(words).toContain('<before>\n# 雨夜\n\n雨停了。\n</before>\n<passage>\n他推开门。\n</passage>');
      expect(words.endsWith('\n\n改写选段')).toBe(true);
      const [trace] = must(await bench.engine.traces(bench.session.header.id));
      if (trace === undefined) throw new Error('no trace');
      expect(must(await bench.engine.rebuild(trace)).at(-1)?.content).toBe(words);
    });
  });

  it('changes no file, whatever the model calls', async () => {
    const client = createScriptedClient([
      asks(call('edit', { edits: [{ path: PATH, old: '他推开门。', new: '门开了。' }] })),
      says('<draft>门开了。</draft>'),
    ]);
    await withEngine({ [PATH]: TEXT }, client, async (bench) => {
      await offer(bench, passage());
      expect(await bench.disk(PATH)).toBe(TEXT);
      const result = bench.branch().find((entry) => entry.type === 'tool');
      expect(result?.type === 'tool' && JSON.parse(result.data.result)).toMatchObject({ error: 'offers_only' });
      expect(bench.branch().some((entry) => entry.type === 'checkpoint')).toBe(false);
    });
  });

  it('still offers only after its host went away in the middle', async () => {
    const dead = createScriptedClient([() => { throw new Error('the host is gone'); }]);
    await withEngine({ [PATH]: TEXT }, dead, async (bench) => {
      await offer(bench, passage());
      expect(bench.session.lastOnBranch('user')?.data.passage?.text).toBe('他推开门。');
    });
  });

  it('is accepted as one edit of the agent’s, with a checkpoint of the turn, after the author’s own', async () => {
    await withEngine({ [PATH]: TEXT }, createScriptedClient([says('<draft>他把门推开。</draft>')]), async (bench) => {
      const turn = { sessionId: bench.session.header.id, userEntryId: await offer(bench, passage()) };
      await bench.documents.type(PATH, '# 雨夜', '序\n\n# 雨夜');
      const accepted = must(await bench.engine.acceptPassage(turn, passage(), '他把门推开。'));
      const live = must(await bench.documents.read(PATH)).text;
      expect(live).toBe(`序\n\n${TEXT.replace('他推开门。', '他把门推开。')}`);
      expect(live.slice(accepted.start, accepted.end)).toBe('他把门推开。');
      const [agent, author] = must(await bench.engine.checkpoints.list());
      expect([agent?.author, agent?.turn, author?.author]).toEqual(['agent', turn, 'user']);
      expect(bench.branch().at(-1)).toMatchObject({ type: 'checkpoint', data: { id: agent?.id } });
      must(await bench.engine.undoTurn(bench.session, turn));
      expect(must(await bench.documents.read(PATH)).text).toBe(`序\n\n${TEXT}`);
    });
  });

  it('goes behind the passage when it goes on from there', async () => {
    await withEngine({ [PATH]: TEXT }, createScriptedClient([says('<draft>风进来了。</draft>')]), async (bench) => {
      const given = passage({ task: 'continue' });
      const turn = { sessionId: bench.session.header.id, userEntryId: await offer(bench, given) };
      must(await bench.engine.acceptPassage(turn, given, '风进来了。'));
      expect(await bench.disk(PATH)).toBe(TEXT.replace('他推开门。', '他推开门。风进来了。'));
    });
  });

  it('is put in once, also when it was accepted in a window that was killed right after', async () => {
    await withEngine({ [PATH]: TEXT }, createScriptedClient([says('<draft>风进来了。</draft>')]), async (bench) => {
      const given = passage({ task: 'continue' });
      const turn = { sessionId: bench.session.header.id, userEntryId: await offer(bench, given) };
      must(await bench.engine.acceptPassage(turn, given, '风进来了。'));
      await bench.killed(createScriptedClient(), async (next) => {
        const again = must(await next.engine.acceptPassage(turn, given, '风进来了。'));
        const text = await next.disk(PATH);
        expect(text).toBe(TEXT.replace('他推开门。', '他推开门。风进来了。'));
        expect(text.slice(again.start, again.end)).toBe('风进来了。');
      });
    });
  });

  it('stands, and is not put in twice, where the disk is too full for its checkpoint; the next one has it, as the agent’s', async () => {
    let full = false;
    const filling = (files: Files): Files => {
      const faulty = createFaultyFiles(files);
      faulty.faults(({ name, path }) => (full && name === 'append' && path.includes('checkpoints/') ? { kind: 'fail', code: 'store.disk-full' } : undefined));
      return faulty;
    };
    await withEngine({ [PATH]: TEXT }, createScriptedClient([says('<draft>风进来了。</draft>')]), async (bench) => {
      const given = passage({ task: 'continue' });
      const turn = { sessionId: bench.session.header.id, userEntryId: await offer(bench, given) };
      bench.documents.before('apply', () => { full = true; });
      must(await bench.engine.acceptPassage(turn, given, '风进来了。'));
      expect(await bench.disk(PATH)).toBe(TEXT.replace('他推开门。', '他推开门。风进来了。'));
      full = false;
      must(await bench.engine.checkpoints.take({ author: 'user' }));
      expect(must(await bench.engine.checkpoints.list())[0]).toMatchObject({ author: 'agent', turn });
    }, { files: filling });
  });

  it('changes nothing when the place is gone, or while a turn runs', async () => {
    await withEngine({ [PATH]: TEXT }, createScriptedClient([says('<draft>他把门推开。</draft>')]), async (bench) => {
      const turn = { sessionId: bench.session.header.id, userEntryId: await offer(bench, passage()) };
      await bench.documents.type(PATH, TEXT, '另一个故事。\n');
      const refused = await bench.engine.acceptPassage(turn, passage(), '他把门推开。');
      expect(refused).toMatchObject({ ok: false, error: { code: 'passage.gone', args: { path: PATH } } });
      expect(must(await bench.documents.read(PATH)).text).toBe('另一个故事。\n');
    });
  });

  it.each(['rewrite', 'expand', 'shorten', 'continue', 'alternatives'] as const)('is rehearsed: %s', async (task) => {
    await withEngine({ [PATH]: TEXT }, createRehearsalClient({ language: 'zh', clock: createFakeClock(), pieceMs: 0 }), async (bench) => {
      await offer(bench, passage({ task, text: '雨停了。他推开门。' }));
      const reply = bench.session.lastOnBranch('reply')?.data.text ?? '';
      const { texts, remark } = readCandidates(reply, true);
      expect(texts).toHaveLength(task === 'alternatives' ? 3 : 1);
      expect(texts.every((text) => text !== '' && text !== '雨停了。他推开门。')).toBe(true);
      expect(remark).toContain('排练');
    });
  });
});
