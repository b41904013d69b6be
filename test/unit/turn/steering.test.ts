import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/engine/ports/models';
import type { EngineBench } from '../../fakes/engine-bench';
import { collect, inShort, must, withEngine } from '../../fakes/engine-bench';
import type { ScriptedAnswer } from '../../fakes/models';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const chapter = '正文/001-雨夜.md';
const book = { [chapter]: '# 雨夜\n\n雨下了三天。\n' };
const look = asks(call('read', { path: chapter }));

/** Runs `f` while the model answers; then the answer comes. */
const meanwhile =
  (f: () => Promise<unknown>, events: readonly ModelEvent[]): ScriptedAnswer =>
  async function* () {
    await f();
    yield* events;
  };

const texts = (bench: EngineBench): Promise<readonly string[]> =>
  bench.engine.turns.queue.list(bench.session).then((list) => must(list).map(({ text, steer }) => (steer ? `steer ${text}` : text)));

/** A bench whose scripted answers know it. */
function steered(script: (bench: () => EngineBench) => readonly ScriptedAnswer[], f: (bench: EngineBench, requests: () => readonly { readonly messages: readonly unknown[] }[]) => Promise<void>): Promise<void> {
  let bench: EngineBench | undefined;
  const here = (): EngineBench => {
    if (bench === undefined) throw new Error('no bench yet');
    return bench;
  };
  const client = createScriptedClient(script(here));
  return withEngine(book, client, (made) => {
    bench = made;
    return f(made, () => client.requests);
  });
}

const say = (bench: () => EngineBench, ...words: readonly string[]) => async (): Promise<void> => {
  for (const text of words) must(await bench().engine.turns.steer(bench().session, { text }));
};

describe('words that steer a running turn', () => {
  it('are said after the tools under way, in order, as one user message, also in later turns', () =>
    steered(
      (bench) => [meanwhile(say(bench, '只改第一段', '别动结尾'), look), says('好。'), says('还记得。')],
      async (bench, requests) => {
        const events = await bench.turn('改短');
        expect(inShort(bench.branch())).toEqual(['user 改短', 'context', 'step read', 'tool ok', 'steer 只改第一段', 'steer 别动结尾', 'reply sealed 好。', 'end done']);
        expect(requests()[1]?.messages.at(-1)).toEqual({ role: 'user', content: '只改第一段\n\n别动结尾' });
        expect(events.filter(({ type }) => type === 'steered')).toEqual([{ type: 'steered', ids: bench.session.path().slice(4, 6) }]);
        expect(await texts(bench)).toEqual([]);
        await bench.turn('刚才说了什么');
        expect(requests()[2]?.messages.slice(0, requests()[1]?.messages.length)).toEqual(requests()[1]?.messages);
      },
    ));

  it('are on the disk before the model is sent them', () =>
    steered(
      (bench) => [
        meanwhile(say(bench, '别动结尾'), look),
        meanwhile(async () => {
          expect(await bench().disk(`.liyuan/sessions/${bench().session.header.id}.jsonl`)).toContain('"type":"steer","data":{"text":"别动结尾"}');
        }, says('好。')),
      ],
      async (bench) => {
        expect((await bench.turn('改短')).at(-1)).toMatchObject({ status: 'done' });
      },
    ));

  it('can be proved of any old call, byte for byte', () =>
    steered(
      (bench) => [meanwhile(say(bench, '别动结尾', '也别动开头'), look), says('好。'), says('嗯。')],
      async (bench, requests) => {
        await bench.turn('改短');
        await bench.turn('然后呢');
        const traces = must(await bench.engine.traces(bench.session.header.id));
        expect(traces).toHaveLength(3);
        for (const [at, trace] of traces.entries()) expect(must(await bench.engine.rebuild(trace))).toEqual(requests()[at]?.messages);
      },
    ));

  it('wait at the front of the queue when the turn ends before they were said', () =>
    steered(
      (bench) => [
        meanwhile(async () => {
          must(await bench().engine.turns.queue.add(bench().session, { text: '之后' }));
          await say(bench, '马上')();
        }, says('好。')),
      ],
      async (bench) => {
        await bench.turn('聊聊');
        expect(await texts(bench)).toEqual(['马上', '之后']);
        expect(inShort(bench.branch())).not.toContain('steer 马上');
      },
    ));

  it('wait when no turn runs', () =>
    withEngine(book, createScriptedClient(), async (bench) => {
      must(await bench.engine.turns.steer(bench.session, { text: '早了' }));
      expect(await texts(bench)).toEqual(['早了']);
    }));

  it('are all in the words that go back into the box when the turn is undone', () =>
    steered(
      (bench) => [meanwhile(say(bench, '别动结尾'), look), says('好。')],
      async (bench) => {
        await bench.turn('改短');
        const turn = { sessionId: bench.session.header.id, userEntryId: bench.session.path()[0] ?? '' };
        expect(must(await bench.engine.undoTurn(bench.session, turn)).words).toBe('改短\n\n别动结尾');
      },
    ));

  it('never fail a turn: a queue that cannot be read is put aside, and the turn goes on', () =>
    steered(
      (bench) => [
        meanwhile(async () => {
          await say(bench, '别动结尾')();
          await writeFile(join(bench().root, `.liyuan/local/queue/${bench().session.header.id}.json`), '{"v":1,"wor');
        }, look),
        says('好。'),
      ],
      async (bench) => {
        expect((await bench.turn('改短')).at(-1)).toMatchObject({ status: 'done' });
        expect(inShort(bench.branch()).at(-2)).toBe('reply sealed 好。');
      },
    ));
});

/** A host that dies while the model hangs in its `hangAt`th answer. */
function killed(hangAt: number, before: (bench: () => EngineBench) => () => Promise<unknown>, after: readonly ScriptedAnswer[], use: (bench: EngineBench, requests: () => readonly { readonly messages: readonly unknown[] }[]) => Promise<void>): Promise<void> {
  let tell: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => { tell = resolve; });
  return steered(
    (bench) => [
      meanwhile(hangAt === 1 ? () => Promise.resolve() : before(bench), look),
      async function* (_, signal) {
        if (hangAt === 1) await before(bench)();
        tell();
        await new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }, { once: true }); });
        yield* [];
      },
    ],
    async (bench) => {
      const stop = new AbortController();
      const running = bench.turn('改短', stop.signal);
      await reached;
      const next = createScriptedClient(after);
      await bench.killed(next, (later) => use(later, () => next.requests));
      stop.abort();
      await running;
    },
  );
}

const resume = (bench: EngineBench): ReturnType<typeof collect> => collect(bench.engine.turns.resume(bench.session, new AbortController().signal));

describe('words that steer, when the host is killed', () => {
  it('after they were said: the turn goes on with them, once', () =>
    killed(2, (bench) => say(bench, '别动结尾'), [says('好。')], async (bench, requests) => {
      await resume(bench);
      expect(inShort(bench.branch()).slice(2)).toEqual(['step read', 'tool ok', 'steer 别动结尾', 'reply sealed 好。', 'end done']);
      expect(requests()[0]?.messages.at(-1)).toEqual({ role: 'user', content: '别动结尾' });
    }));

  it('before they were said: they wait, and a turn that goes on is told them', () =>
    killed(1, (bench) => say(bench, '别动结尾'), [says('好。')], async (bench, requests) => {
      expect(await texts(bench)).toEqual(['steer 别动结尾']);
      await resume(bench);
      expect(requests()[0]?.messages.at(-1)).toEqual({ role: 'user', content: '别动结尾' });
      expect(await texts(bench)).toEqual([]);
    }));

  it('before they were said: they are ordinary words of the queue once the turn is closed', () =>
    killed(1, (bench) => say(bench, '别动结尾'), [says('新的。')], async (bench, requests) => {
      must(await bench.engine.turns.settle(bench.session));
      expect(await texts(bench)).toEqual(['别动结尾']);
      await bench.turn('再来');
      expect(JSON.stringify(requests())).not.toContain('别动结尾');
    }));

  it('between their entry and the queue: they are not said twice', () =>
    killed(2, (bench) => say(bench, '别动结尾'), [says('好。')], async (bench) => {
      const id = bench.session.path().find((one) => bench.session.stub(one)?.type === 'steer') ?? '';
      const file = join(bench.root, `.liyuan/local/queue/${bench.session.header.id}.json`);
      await writeFile(file, JSON.stringify({ v: 1, words: [{ id, text: '别动结尾', steer: true }, { id: 'next', text: '之后' }] }));
      expect(await texts(bench)).toEqual(['之后']);
      await resume(bench);
      expect(inShort(bench.branch()).filter((one) => one.startsWith('steer'))).toEqual(['steer 别动结尾']);
      expect(await readFile(file, 'utf8')).toContain('之后');
    }));
});

describe('a turn that begins with queued words', () => {
  it('takes them out of the queue with their entry, under the same id', () =>
    withEngine(book, createScriptedClient([says('好。')]), async (bench) => {
      const { queue } = bench.engine.turns;
      const [first, second] = must(await queue.add(bench.session, { text: '一' })).concat(must(await queue.add(bench.session, { text: '二' })).slice(1));
      await collect(bench.engine.turns.run(bench.session, { queued: first?.id ?? '' }, new AbortController().signal));
      expect(bench.branch()[0]).toMatchObject({ type: 'user', id: first?.id, data: { text: '一' } });
      expect(must(await queue.list(bench.session)).map(({ id }) => id)).toEqual([second?.id]);
    }));

  it('ends at once where they are gone', () =>
    withEngine(book, createScriptedClient([]), async (bench) => {
      const events = await collect(bench.engine.turns.run(bench.session, { queued: 'gone' }, new AbortController().signal));
      expect(events).toEqual([{ type: 'ended', turnId: undefined, status: 'stopped' }]);
      expect(bench.branch()).toEqual([]);
    }));
});
