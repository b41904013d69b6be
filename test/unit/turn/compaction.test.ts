import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelEvent, ModelMessage, ModelRequest } from '../../../src/engine/ports/models';
import { canonicalMessage } from '../../../src/engine/prompt/canonical';
import { messageTokens, toolTokens } from '../../../src/engine/prompt/measure';
import type { TurnEvent } from '../../../src/engine/turn/events';
import { compactedBranch } from '../../../src/engine/summary/summary-at';
import { countTokens } from '../../../src/engine/text/tokens';
import type { EngineBench } from '../../fakes/engine-bench';
import { collect, inShort, must, withEngine } from '../../fakes/engine-bench';
import type { ScriptedAnswer, ScriptedClient } from '../../fakes/models';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const book = { '正文/001-雨夜.md': '# 雨夜\n\n雨下了三天。\n' };
const SUMMARY = '## 要求\n文风要冷（第 1 轮）。';

/** About `tokens` tokens of words that differ. */
const words = (tokens: number, seed = '雨'): string => Array.from({ length: Math.ceil(tokens / 2) }, (_, at) => `${seed}${at % 10}`).join('');

const isSide = (request: ModelRequest): boolean => request.tools === undefined || request.tools.length === 0;
const contents = (request: ModelRequest): readonly string[] => request.messages.map(({ content }) => content);

async function tokensOf(request: ModelRequest): Promise<number> {
  return (await messageTokens(request.messages, countTokens)) + (await toolTokens(request.tools ?? [], countTokens));
}

/** A model that answers turns by one function and requests for a summary by another. */
function writer(turn: (request: ModelRequest) => ScriptedAnswer, side: (request: ModelRequest) => ScriptedAnswer, options = { window: 12_000, maxOutput: 1_000 }): ScriptedClient {
  const answer: ScriptedAnswer = async function* (request, signal): AsyncGenerator<ModelEvent> {
    const chosen = isSide(request) ? side(request) : turn(request);
    yield* typeof chosen === 'function' ? chosen(request, signal) : chosen;
  };
  return createScriptedClient(Array.from({ length: 500 }, () => answer), options);
}

const turnCalls = (client: ScriptedClient): readonly ModelRequest[] => client.requests.filter((request) => !isSide(request));
const sideCalls = (client: ScriptedClient): readonly ModelRequest[] => client.requests.filter(isSide);
const plain = (): ScriptedAnswer => [{ type: 'text', text: '好。' }, { type: 'done', reason: 'stop' }];
const notices = (events: readonly TurnEvent[]): readonly string[] => events.flatMap((event) => (event.type === 'notice' ? [event.error.code] : []));
const compact = ({ engine, session }: EngineBench): Promise<readonly TurnEvent[]> => collect(engine.turns.compact(session, new AbortController().signal));

/** Turns of about 2,000 tokens until one is more than fits; how many it took. */
async function untilCompacted(bench: EngineBench): Promise<number> {
  for (let turn = 1; turn < 12; turn += 1) {
    await bench.turn(`第${turn}句 ${words(2_000)}`);
    if (bench.branch().some(({ type }) => type === 'summary')) return turn;
  }
  throw new Error('was never compacted');
}

describe('a discussion that outgrows the window', () => {
  it('goes on as system → summary → the last turns, whole', () => {
    const client = writer(plain, () => says(SUMMARY));
    return withEngine(book, client, async (bench) => {
      const at = await untilCompacted(bench);
      const before = turnCalls(client).at(-2) as ModelRequest;
      const after = turnCalls(client).at(-1) as ModelRequest;
      expect(await tokensOf(before)).toBeLessThanOrEqual(10_560);
      expect(await tokensOf(after)).toBeLessThanOrEqual(10_560);
      expect(after.messages[0]).toEqual(before.messages[0]);
      expect(after.tools).toEqual(before.tools);
      const first = after.messages[1] as ModelMessage;
      expect(first).toMatchObject({ role: 'user' });
      expect(first.content).toMatch(/^【前情提要】\n## 要求\n文风要冷（第 1 轮）。\n\n【正文目录】/);
      expect(contents(after).at(-1)).toContain(`第${at}句`);
      // The state blocks of the turns in the summary went with them; those of the others are as they were sent.
      const kept = after.messages.slice(2).map(canonicalMessage);
      expect(before.messages.map(canonicalMessage).join()).toContain(kept.slice(0, -1).join());
      const summary = bench.branch().find(({ type }) => type === 'summary');
      expect(summary?.data).toMatchObject({ text: SUMMARY, covers: { floors: [1, expect.any(Number)] }, tokens: await countTokens(SUMMARY) });
      expect(summary?.parentId).toBe(bench.branch().findLast(({ type }) => type === 'context')?.id);
    });
  });

  it('is told to who summarises without state blocks and chapters, with the numbers of its turns', () => {
    const client = writer(
      (request) => (request.messages.at(-1)?.role === 'tool' ? plain() : asks(call('read', { path: '正文/001-雨夜.md' }))),
      () => says(SUMMARY),
    );
    return withEngine(book, client, async (bench) => {
      await untilCompacted(bench);
      const [side] = sideCalls(client);
      const told = side?.messages[1]?.content ?? '';
      expect(told).toMatch(/^【要并入的对话】\n第 1 轮\n作者：第1句/);
      expect(told).toContain('做了：read {"path":"正文/001-雨夜.md"}');
      expect(told).toContain('\n你：好。');
      expect(told).not.toContain('雨下了三天');
      expect(told).not.toContain('【正文目录】');
      expect(side?.messages[0]?.content).toContain('## 要求');
    });
  });

  it('takes the summary before into the next one', () => {
    let made = 0;
    const client = writer(plain, () => says(`提要 ${(made += 1)}`));
    return withEngine(book, client, async (bench) => {
      for (let turn = 1; turn < 14; turn += 1) await bench.turn(`第${turn}句 ${words(2_000)}`);
      const summaries = bench.branch().filter((entry) => entry.type === 'summary');
      expect(summaries.length).toBeGreaterThan(1);
      expect(sideCalls(client)[1]?.messages[1]?.content).toMatch(/^【已有提要】\n提要 1\n\n【要并入的对话】\n第 \d+ 轮/);
      expect(summaries[1]?.data.covers.from).toBe(summaries[0]?.data.covers.from);
      expect(summaries[1]?.data.sources[0]).toBe(summaries[0]?.id);
      const last = turnCalls(client).at(-1) as ModelRequest;
      expect(contents(last).join()).toContain(`提要 ${summaries.length}`);
      expect(contents(last).join()).not.toContain('提要 1\n');
    });
  });

  it('can be rebuilt byte for byte, the call with the summary and the one that asked for it', () => {
    const client = writer(plain, () => says(SUMMARY));
    return withEngine(book, client, async (bench) => {
      await untilCompacted(bench);
      await bench.turn('然后呢');
      await bench.killed(client, async ({ engine, session }) => {
        const traces = must(await engine.traces(session.header.id));
        expect(traces).toHaveLength(client.requests.length);
        expect(traces.filter(({ use }) => use === 'side')).toHaveLength(1);
        for (const [at, request] of client.requests.entries()) {
          const messages = must(await engine.rebuild(traces[at] as (typeof traces)[number]));
          expect(messages.map(canonicalMessage).join('\n'), `call ${at}`).toBe(request.messages.map(canonicalMessage).join('\n'));
        }
        // The summary costs the shared prefix once: the next call shares all that the one with the summary had.
        const turns = traces.filter(({ use }) => use === 'turn');
        const [compacted, next] = turns.slice(-2);
        expect(next?.shared).toBeGreaterThan((compacted?.bytes ?? 0) - 100);
        expect(compacted?.blocks.find(({ kind }) => kind === 'summary')?.title).toBe('【前情提要】');
      });
    });
  });

  it('is whole again at every place before the summary', () => {
    const client = writer(plain, () => says(SUMMARY));
    return withEngine(book, client, async (bench) => {
      await untilCompacted(bench);
      const { session } = bench;
      const parent = bench.branch().find(({ type }) => type === 'summary')?.parentId ?? null;
      const user = session.path(parent).findLast((id) => session.stub(id)?.type === 'user') ?? '';
      must(await session.setLeaf(session.stub(user)?.parentId ?? null));
      expect(compactedBranch(session.branch())).toMatchObject({ summary: undefined });
      const called = client.requests.length;
      await bench.turn('短的');
      // Nothing is summarised for a branch that fits.
      expect(client.requests.slice(called).map(isSide)).toEqual([false]);
      expect(contents(turnCalls(client).at(-1) as ModelRequest)[1]).toMatch(/^【正文目录】[^]*第1句/);
    });
  });
});

describe('a summary that does not come', () => {
  const refusing = (): ScriptedAnswer => [{ type: 'error', error: { code: 'model.auth' }, retryable: false }];

  it('is told and owed, and the turn goes on, the oldest turns left out only when there is no room', () => {
    const client = writer(plain, refusing);
    return withEngine(book, client, async (bench) => {
      const all: TurnEvent[] = [];
      for (let turn = 1; turn < 8; turn += 1) all.push(...(await bench.turn(`第${turn}句 ${words(2_000)}`)));
      expect(notices(all)).toContain('summary.failed');
      expect(notices(all)).toContain('summary.left-out');
      expect(bench.branch().some(({ type }) => type === 'summary')).toBe(false);
      expect(bench.branch().findLast((entry) => entry.type === 'side')?.data).toMatchObject({ job: 'summary', outcome: 'failed', error: 'model.auth' });
      expect(all.flatMap((event) => (event.type === 'ended' ? [event.status] : []))).toEqual(Array.from({ length: 7 }, () => 'done'));
      const last = turnCalls(client).at(-1) as ModelRequest;
      expect(await tokensOf(last)).toBeLessThanOrEqual(12_000);
      expect(contents(last).at(-1)).toContain('第7句');
      expect(contents(last).join()).not.toContain('第1句');
    });
  });

  it('is tried twice more when that can help, and made up for in the next turn', () => {
    let failures = 3;
    const client = writer(plain, () => {
      failures -= 1;
      return failures >= 0 ? [{ type: 'error', error: { code: 'model.overloaded' }, retryable: true }] : says(SUMMARY);
    });
    return withEngine(book, client, async (bench) => {
      let owed = false;
      for (let turn = 1; turn < 12 && !bench.branch().some(({ type }) => type === 'summary'); turn += 1) {
        const running = bench.turn(`第${turn}句 ${words(2_000)}`);
        const ticking = setInterval(() => { bench.clock.advance(1_000); }, 1);
        const told = notices(await running);
        clearInterval(ticking);
        owed ||= told.includes('summary.failed');
      }
      expect(owed).toBe(true);
      expect(sideCalls(client)).toHaveLength(4);
      expect(inShort(bench.branch()).filter((entry) => entry === 'side' || entry === 'summary')).toEqual(['side', 'summary']);
    });
  });

  it('within a minute counts as one that does not come', () => {
    const client = writer(plain, () => async function* (_, signal): AsyncGenerator<ModelEvent> {
      await new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }, { once: true }); });
      yield { type: 'error', error: { code: 'turn.aborted' }, retryable: false };
    });
    return withEngine(book, client, async (bench) => {
      await bench.turn('一');
      await bench.turn('二');
      const ticking = setInterval(() => { bench.clock.advance(20_000); }, 1);
      const events = await compact(bench);
      clearInterval(ticking);
      expect(sideCalls(client)).toHaveLength(3);
      expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'error', error: { code: 'model.idle-timeout' } });
      expect(bench.branch().some(({ type }) => type === 'summary')).toBe(false);
    });
  });

  it('because it was cut off at the output limit, or has no words, is none', () => {
    const answers: ScriptedAnswer[] = [[{ type: 'text', text: '## 要' }, { type: 'done', reason: 'length' }]];
    const client = writer(plain, () => answers.shift() ?? []);
    return withEngine(book, client, async (bench) => {
      await bench.turn('一');
      await bench.turn('二');
      expect((await compact(bench)).at(-1)).toMatchObject({ status: 'error', error: { code: 'model.output-limit' } });
      expect(bench.branch().some(({ type }) => type === 'summary')).toBe(false);
    });
  });
});

describe('by hand', () => {
  it('about half is summarised; taken back, everything is sent as before; and again', () => {
    const client = writer(plain, () => says(SUMMARY));
    return withEngine(book, client, async (bench) => {
      const { engine, session } = bench;
      for (const text of ['一', '二', '三', '四']) await bench.turn(text);
      const whole = turnCalls(client).at(-1) as ModelRequest;
      const events = await compact(bench);
      expect(events.flatMap((event) => (event.type === 'phase' ? [event.phase] : []))).toEqual(['compacting']);
      expect(events.at(-1)).toEqual({ type: 'ended', turnId: undefined, status: 'done' });
      const summary = bench.branch().findLast((entry) => entry.type === 'summary');
      expect(summary?.data.covers.floors).toEqual([1, 2]);

      must(await engine.turns.useSummary(session, summary?.id ?? '', false));
      await bench.turn('五');
      expect(turnCalls(client).at(-1)?.messages.slice(0, whole.messages.length)).toEqual(whole.messages);
      must(await engine.turns.useSummary(session, summary?.id ?? '', true));
      await bench.turn('六');
      const last = contents(turnCalls(client).at(-1) as ModelRequest);
      expect(last[1]).toMatch(/^【前情提要】[^]*三$/);
      expect(last.join()).not.toContain('\n二');
    });
  });

  it('can be said in the author’s words: those are sent, the old ones stay and are back when the new are taken out of use', () => {
    const client = writer(plain, () => says(SUMMARY));
    return withEngine(book, client, async (bench) => {
      const { engine, session } = bench;
      for (const text of ['一', '二', '三', '四']) await bench.turn(text);
      await compact(bench);
      const summaries = (): readonly Extract<ReturnType<typeof bench.branch>[number], { type: 'summary' }>[] => bench.branch().filter((entry) => entry.type === 'summary');
      const [old] = summaries();
      expect(await engine.turns.rewriteSummary(session, old?.id ?? '', ' \n')).toMatchObject({ error: { code: 'summary.nothing' } });
      must(await engine.turns.rewriteSummary(session, old?.id ?? '', '\n文风要更冷。\n'));
      const [first, own] = summaries();
      expect(first).toEqual(old);
      expect(own?.data).toEqual({ text: '文风要更冷。', covers: old?.data.covers, sources: [old?.id], tokens: await countTokens('文风要更冷。'), by: 'author' });
      expect(await engine.turns.rewriteSummary(session, old?.id ?? '', '再改')).toMatchObject({ error: { code: 'session.unknown-entry' } });
      await bench.turn('五');
      const sent = (): string | undefined => contents(turnCalls(client).at(-1) as ModelRequest)[1];
      expect(sent()).toContain('文风要更冷。');
      expect(sent()).not.toContain(SUMMARY);
      must(await engine.turns.useSummary(session, own?.id ?? '', false));
      await bench.turn('六');
      expect(sent()).toContain(SUMMARY);
    });
  });

  it('is refused while a turn runs, for a single turn, for an interrupted one, and for what is no summary', () => {
    let reached: () => void = () => undefined;
    const inTurn = new Promise<void>((resolve) => { reached = resolve; });
    const client = createScriptedClient([
      says('好。'),
      async function* (_, signal): AsyncGenerator<ModelEvent> {
        reached();
        await new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }, { once: true }); });
        yield { type: 'done', reason: 'stop' };
      },
    ]);
    return withEngine(book, client, async (bench) => {
      await bench.turn('一');
      expect((await compact(bench)).at(-1)).toMatchObject({ error: { code: 'summary.nothing' } });
      expect(await bench.engine.turns.useSummary(bench.session, bench.session.leaf() ?? '', false)).toMatchObject({ error: { code: 'session.unknown-entry' } });
      const stop = new AbortController();
      const running = bench.turn('二', stop.signal);
      await inTurn;
      expect((await compact(bench)).at(-1)).toMatchObject({ error: { code: 'session.busy' } });
      expect(await bench.engine.turns.useSummary(bench.session, bench.session.leaf() ?? '', false)).toMatchObject({ error: { code: 'session.busy' } });
      await bench.killed(client, async (later) => {
        expect((await compact(later)).at(-1)).toMatchObject({ error: { code: 'summary.turn-open' } });
      });
      stop.abort();
      await running;
    });
  });

  it('stopped on the way, nothing has come of it', () => {
    const stop = new AbortController();
    const client = writer(plain, () => async function* (): AsyncGenerator<ModelEvent> {
      stop.abort();
      yield { type: 'text', text: '半份' };
      await Promise.resolve();
      yield { type: 'done', reason: 'stop' };
    });
    return withEngine(book, client, async (bench) => {
      await bench.turn('一');
      await bench.turn('二');
      const before = bench.branch().length;
      const events = await collect(bench.engine.turns.compact(bench.session, stop.signal));
      expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'stopped' });
      expect(bench.branch()).toHaveLength(before);
    });
  });
});

describe('a service that finds the call too long', () => {
  const overflow: ScriptedAnswer = [{ type: 'error', error: { code: 'model.context-overflow' }, retryable: false }];

  it('is asked once more after compaction', () => {
    let full = false;
    const client = writer(() => {
      if (!full) return plain();
      full = false;
      return overflow;
    }, () => says(SUMMARY));
    return withEngine(book, client, async (bench) => {
      for (const text of ['一', '二', '三']) await bench.turn(text);
      full = true;
      const events = await bench.turn('四');
      expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'done' });
      expect(client.requests.slice(-3).map(isSide)).toEqual([false, true, false]);
      expect(contents(client.requests.at(-1) as ModelRequest)[1]).toMatch(/^【前情提要】/);
    });
  });

  it('and again after that, is believed', () => {
    let full = false;
    const client = writer(() => (full ? overflow : plain()), () => says(SUMMARY));
    return withEngine(book, client, async (bench) => {
      for (const text of ['一', '二', '三']) await bench.turn(text);
      full = true;
      const events = await bench.turn('四');
      expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'error', error: { code: 'model.context-overflow' } });
      expect(client.requests.slice(-3).map(isSide)).toEqual([false, true, false]);
    });
  });

  it('counts more tokens than we do: that is learned from its usage', () => {
    const client = writer(
      () => async function* (request): AsyncGenerator<ModelEvent> {
        yield { type: 'text', text: '好。' };
        yield { type: 'usage', usage: { input: 2 * (await tokensOf(request)), output: 1 } };
        yield { type: 'done', reason: 'stop' };
      },
      () => says(SUMMARY),
      { window: 20_000, maxOutput: 1_000 },
    );
    return withEngine(book, client, async (bench) => {
      await untilCompacted(bench);
      for (const request of turnCalls(client)) expect(2 * (await tokensOf(request))).toBeLessThanOrEqual(20_000);
    });
  });
});

describe('a service that counts fewer tokens than we do', () => {
  it('has its window used: the discussion is summarised later than without its figures', async () => {
    const turnsUntilFull = async (usage: boolean): Promise<number> => {
      const client = writer(
        () => async function* (request): AsyncGenerator<ModelEvent> {
          yield { type: 'text', text: '好。' };
          if (usage) yield { type: 'usage', usage: { input: Math.round(0.6 * (await tokensOf(request))), output: 1 } };
          yield { type: 'done', reason: 'stop' };
        },
        () => says(SUMMARY),
        { window: 12_000, maxOutput: 1_000 },
      );
      let turns = 0;
      await withEngine(book, client, async (bench) => {
        await untilCompacted(bench);
        turns = turnCalls(client).length;
        if (usage) for (const request of turnCalls(client)) expect(0.6 * (await tokensOf(request))).toBeLessThanOrEqual(12_000);
      });
      return turns;
    };
    expect(await turnsUntilFull(true)).toBeGreaterThan(1.3 * (await turnsUntilFull(false)));
  });
});

describe('in any discussion', () => {
  it('no call exceeds the window, and every turn is either in the summary or whole', async () => {
    const someTurn = fc.record({ size: fc.integer({ min: 5, max: 3_000 }), reads: fc.integer({ min: 0, max: 2 }), then: fc.constantFrom('go on', 'by hand', 'undo', 'back', 'fail') });
    await fc.assert(
      fc.asyncProperty(fc.array(someTurn, { minLength: 3, maxLength: 9 }), fc.integer({ min: 10_000, max: 16_000 }), (plan, window) => {
        let failing = false;
        const reads = { left: 0 };
        const client = writer(
          () => {
            reads.left -= 1;
            return reads.left >= 0 ? asks(call('read', { path: '正文/001-雨夜.md' })) : plain();
          },
          () => (failing ? [{ type: 'error', error: { code: 'model.auth' }, retryable: false }] : says(SUMMARY)),
          { window, maxOutput: 1_000 },
        );
        return withEngine(book, client, async (bench) => {
          const { session, engine } = bench;
          for (const [at, step] of plan.entries()) {
            reads.left = step.reads;
            failing = step.then === 'fail';
            const called = client.requests.length;
            const events = await bench.turn(`〔${at}〕${words(step.size)}`);
            expect(events.at(-1)).toMatchObject({ status: 'done' });
            const sent = client.requests.slice(called).findLast((request) => !isSide(request)) as ModelRequest;
            for (const request of client.requests.slice(called)) expect(await tokensOf(request)).toBeLessThanOrEqual(window);
            const branch = session.branch();
            const whole = new Set(compactedBranch(branch).entries.map(({ id }) => id));
            const text = contents(sent).join('\n');
            const dropped = notices(events).includes('summary.left-out');
            for (const entry of branch) {
              if (entry.type !== 'user') continue;
              // The words are there to the last sign, or not at all.
              const there = text.includes(entry.data.text);
              if (!dropped) expect(there).toBe(whole.has(entry.id));
              expect(text.includes(entry.data.text.slice(0, entry.data.text.indexOf('〕') + 1))).toBe(there);
            }
            expect(text.includes(SUMMARY)).toBe(whole.size < branch.length);
            if (step.then === 'by hand') await compact(bench);
            const summary = compactedBranch(session.branch()).summary;
            if (step.then === 'undo' && summary !== undefined) must(await engine.turns.useSummary(session, summary.id, false));
            if (step.then === 'back') {
              const users = branch.filter(({ type }) => type === 'user');
              must(await session.setLeaf(users.at(Math.floor(users.length / 2))?.parentId ?? null));
            }
          }
        });
      }),
      { numRuns: 12 },
    );
  }, 60_000);
});
