import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelEvent } from '../../../src/engine/ports/models';
import type { Entry } from '../../../src/engine/session/entries';
import type { EngineBench } from '../../fakes/engine-bench';
import { collect, inShort, must, withEngine } from '../../fakes/engine-bench';
import type { ScriptedAnswer } from '../../fakes/models';
import { asks, call, createScriptedClient, says } from '../../fakes/models';

const book = { '正文/001-雨夜.md': '# 雨夜\n\n雨下了三天。\n' };
const question = { question: '谁开的门？', options: ['阿沅', '风'] };

/** An answer that gives its events and then hangs until the turn is stopped; `reached` resolves when it hangs. */
function hanging(events: readonly ModelEvent[] = []): {
  readonly answer: ScriptedAnswer;
  readonly reached: Promise<void>;
  readonly text: string;
} {
  let tell = (): void => undefined;
  const reached = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return {
    reached,
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    answer: async function* (_, signal) {
      yield* events;
      tell();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
  };
}

/** Half a second later what streamed in is on the disk. */
async function partialWritten({ clock, root, session }: EngineBench, text: string): Promise<void> {
  clock.advance(500);
  const path = join(root, `.liyuan/local/partial/${session.header.id}.json`);
  while (text !== '' && (!existsSync(path) || !readFileSync(path, 'utf8').includes(text))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Starts a turn, kills its host where the model hangs, and looks at what the next host finds. */
function killedAt<T>(
  before: readonly ScriptedAnswer[],
  hang: ReturnType<typeof hanging>,
  after: readonly ScriptedAnswer[],
  use: (bench: EngineBench, requests: () => readonly unknown[]) => Promise<T>,
): Promise<T> {
  const client = createScriptedClient([...before, hang.answer]);
  return withEngine(book, client, async (bench) => {
    const stop = new AbortController();
    const running = bench.turn('改成五天', stop.signal);
    await hang.reached;
    await partialWritten(bench, hang.text);
    const next = createScriptedClient(after);
    const result = await bench.killed(next, (later) => use(later, () => next.requests));
    stop.abort();
    await running;
    return result;
  });
}

const resume = (bench: EngineBench): ReturnType<typeof collect> =>
  collect(bench.engine.turns.resume(bench.session, new AbortController().signal));

describe('a turn whose host went away', () => {
  it('is found again with what had streamed in', () =>
    killedAt([], hanging([{ type: 'reasoning', text: '想' }, { type: 'text', text: '雨一直下' }]), [], async ({ engine, session }) => {
      expect(await engine.turns.interrupted(session)).toEqual({
        turnId: session.path()[0],
        text: '改成五天',
        partial: { text: '雨一直下', reasoning: '想' },
      });
    }));

  it('goes on with the same messages; the partial text is kept beside the chain', () =>
    killedAt([], hanging([{ type: 'text', text: '雨一直下' }]), [says('好。')], async (bench, requests) => {
      const events = await resume(bench);
      expect(events.at(-1)).toMatchObject({ type: 'ended', status: 'done' });
      expect(inShort(bench.branch())).toEqual(['user 改成五天', 'context', 'reply sealed 好。', 'end done']);
      const context = bench.session.path()[1] ?? '';
      const replies = bench.session.children(context).map((id) => bench.session.get(id) as Entry);
      expect(inShort(replies)).toEqual(['reply stopped 雨一直下', 'reply sealed 好。']);
      const [request] = requests() as readonly { readonly messages: readonly { readonly role: string }[] }[];
      expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
      expect(await bench.engine.turns.interrupted(bench.session)).toBeUndefined();
    }));

  it('sends on resuming exactly what was sent before', async () => {
    const hang = hanging();
    const client = createScriptedClient([asks(call('read', { path: '正文/001-雨夜.md' })), hang.answer]);
    await withEngine(book, client, async (bench) => {
      const stop = new AbortController();
      const running = bench.turn('看', stop.signal);
      await hang.reached;
      const next = createScriptedClient([says('好。')]);
      await bench.killed(next, async (later) => {
        await resume(later);
        expect(next.requests[0]).toEqual(client.requests[1]);
      });
      stop.abort();
      await running;
    });
  });

  it('between an edit and the next answer keeps the edit, does not make it twice, and credits the agent', () =>
    killedAt(
      [asks(call('edit', { path: '正文/001-雨夜.md', old: '三天', new: '五天' }))],
      hanging(),
      [says('改好了。')],
      async (bench) => {
        await resume(bench);
        expect(inShort(bench.branch())).toEqual([
          'user 改成五天',
          'context',
          'step edit',
          'tool ok',
          'reply sealed 改好了。',
          'checkpoint agent 改成五天',
          'end done',
        ]);
        expect(await bench.disk('正文/001-雨夜.md')).toBe('# 雨夜\n\n雨下了五天。\n');
      },
    ));

  it('can be closed as it stands: partial text stays, its edits become the agent’s checkpoint', () =>
    killedAt(
      [asks(call('edit', { path: '正文/001-雨夜.md', old: '三天', new: '五天' }))],
      hanging([{ type: 'text', text: '改好' }]),
      [says('新的。')],
      async (bench) => {
        must(await bench.engine.turns.settle(bench.session));
        expect(inShort(bench.branch()).slice(3)).toEqual([
          'tool ok',
          'reply stopped 改好',
          'checkpoint agent 改成五天（已中止）',
          'end interrupted',
        ]);
        expect(await bench.engine.turns.interrupted(bench.session)).toBeUndefined();
        expect(await bench.engine.turns.settle(bench.session)).toEqual({ ok: true, value: undefined });
        await bench.turn('再来');
        expect(inShort(bench.branch()).slice(-3)).toEqual(['context', 'reply sealed 新的。', 'end done']);
      },
    ));

  it('is closed by itself when the author simply goes on talking', () =>
    killedAt([], hanging([{ type: 'text', text: '雨' }]), [says('好。')], async (bench, requests) => {
      await bench.turn('算了，聊聊');
      expect(inShort(bench.branch())).toEqual([
        'user 改成五天',
        'context',
        'reply stopped 雨',
        'end interrupted',
        'user 算了，聊聊',
        'context',
        'reply sealed 好。',
        'end done',
      ]);
      const [request] = requests() as readonly { readonly messages: readonly { readonly role: string; readonly content: string }[] }[];
      expect(request?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    }));

  it('can be undone: the edits go back, the words come back', () =>
    killedAt([asks(call('edit', { path: '正文/001-雨夜.md', old: '三天', new: '五天' }))], hanging(), [], async (bench) => {
      const turn = { sessionId: bench.session.header.id, userEntryId: bench.session.path()[0] ?? '' };
      const undone = must(await bench.engine.undoTurn(bench.session, turn));
      expect(undone).toMatchObject({ words: '改成五天', undone: ['正文/001-雨夜.md'], conflicts: [] });
      expect(bench.session.leaf()).toBeNull();
      expect(await bench.disk('正文/001-雨夜.md')).toBe('# 雨夜\n\n雨下了三天。\n');
      expect(await bench.engine.turns.interrupted(bench.session)).toBeUndefined();
    }));
});

describe('going back before an interrupted turn', () => {
  const edit = (old: string, fresh: string): ScriptedAnswer => asks(call('edit', { path: '正文/001-雨夜.md', old, new: fresh }));

  /** One turn is over, the next was killed after it had made an edit; the host that finds it. */
  const found = <T>(use: (bench: EngineBench) => Promise<T>): Promise<T> => {
    const hang = hanging();
    return withEngine(book, createScriptedClient([edit('三天', '五天'), says('好。'), edit('五天', '七天'), hang.answer]), async (bench) => {
      await bench.turn('改成五天');
      const stop = new AbortController();
      const running = bench.turn('改成七天', stop.signal);
      await hang.reached;
      const result = await bench.killed(createScriptedClient([says('完。')]), use);
      stop.abort();
      await running;
      return result;
    });
  };
  const first = async ({ engine }: EngineBench): Promise<string> =>
    must(await engine.checkpoints.list()).find(({ message }) => message === '改成五天')?.id ?? '';

  it('closes it once the files are back, its edits under its own words', () =>
    found(async (bench) => {
      const { engine, session, disk } = bench;
      expect(must(await engine.restore('files-and-conversation', await first(bench))).words).toBe('改成五天');
      expect(await disk('正文/001-雨夜.md')).toBe(book['正文/001-雨夜.md']);
      expect(session.leaf()).toBeNull();
      expect(await engine.turns.interrupted(session)).toBeUndefined();
      expect(must(await engine.checkpoints.list()).map(({ message }) => message)).toContain('改成七天（已中止）');
    }));

  it('leaves it open, to be gone on with, when the files cannot be restored', () =>
    found(async (bench) => {
      const { engine, session, documents, disk, branch } = bench;
      const before = inShort(branch());
      const stop = documents.before('put', () => ({ code: 'doc.save-failed' }));
      expect(await engine.restore('files-and-conversation', await first(bench))).toMatchObject({ error: { code: 'restore.failed' } });
      stop();
      expect(await disk('正文/001-雨夜.md')).toContain('七天');
      expect(inShort(branch())).toEqual(before);
      expect(await engine.turns.interrupted(session)).toMatchObject({ text: '改成七天' });
      expect((await resume(bench)).at(-1)).toMatchObject({ type: 'ended', status: 'done' });
      expect(inShort(branch()).slice(-2)).toEqual(['reply sealed 完。', 'end done']);
    }));

  it('leaves it open when its edits cannot be taken back', () =>
    found(async ({ engine, session, documents, disk, branch }) => {
      const before = inShort(branch());
      const open = (await engine.turns.interrupted(session))?.turnId ?? '';
      documents.before('apply', () => ({ code: 'doc.save-failed' }));
      const undone = await engine.undoTurn(session, { sessionId: session.header.id, userEntryId: open });
      expect(undone).toMatchObject({ error: { code: 'doc.save-failed' } });
      expect(await disk('正文/001-雨夜.md')).toContain('七天');
      expect(inShort(branch())).toEqual(before);
      expect(await engine.turns.interrupted(session)).toMatchObject({ text: '改成七天' });
    }));

  it('puts the files back when the conversation cannot be moved', () =>
    found(async (bench) => {
      const { engine, session, disk } = bench;
      Object.assign(session, { setLeaf: () => Promise.resolve({ ok: false, error: { code: 'store.lock-lost' } }) });
      expect(await engine.restore('files-and-conversation', await first(bench))).toMatchObject({ error: { code: 'store.lock-lost' } });
      expect(await disk('正文/001-雨夜.md')).toContain('七天');
    }));
});

describe('a pending question', () => {
  const waiting = <T>(after: readonly ScriptedAnswer[], use: (bench: EngineBench) => Promise<T>): Promise<T> => {
    const client = createScriptedClient([asks(call('read', { path: '正文/001-雨夜.md' }, 'r'), call('ask', question, 'q'), call('list', {}, 'l'))]);
    return withEngine(book, client, async (bench) => {
      const stop = new AbortController();
      const running = bench.turn('给个选项', stop.signal);
      await bench.ui.waiting();
      const result = await bench.killed(createScriptedClient(after), use);
      stop.abort();
      await running;
      return result;
    });
  };

  it('is asked again, and the turn goes on with the answer', () =>
    waiting([says('是风。')], async (bench) => {
      expect(await bench.engine.turns.interrupted(bench.session)).toMatchObject({ pendingAsk: { callId: 'q', ...question } });
      bench.ui.answer({ kind: 'answer', text: '风', by: 'option' });
      const events = await resume(bench);
      expect(events).toContainEqual({ type: 'ask', callId: 'q', ...question });
      expect(inShort(bench.branch()).slice(2)).toEqual([
        'step read ask list',
        'tool ok',
        'choice 风',
        'tool ok',
        'tool {"error":"interrupted"}',
        'reply sealed 是风。',
        'end done',
      ]);
    }));

  it('ends the turn when the author stops at it', () =>
    waiting([], async (bench) => {
      bench.ui.answer({ kind: 'stopped' });
      expect((await resume(bench)).at(-1)).toMatchObject({ status: 'stopped' });
      expect(inShort(bench.branch()).slice(-2)).toEqual(['reply stopped ', 'end stopped']);
    }));
});

describe('killed at every line of its log', () => {
  it('a turn can always be taken up again or closed, and its history stays valid', { timeout: 120_000 }, async () => {
    const client = createScriptedClient([
      asks(call('read', { path: '正文/001-雨夜.md' }, 'r'), call('edit', { path: '正文/001-雨夜.md', old: '三天', new: '五天' }, 'e')),
      says('改好了。'),
    ]);
    await withEngine(book, client, async (bench) => {
      await bench.turn('改成五天');
      const ids = bench.session.path();
      for (let length = 1; length < ids.length; length += 1) {
        for (const how of ['resume', 'settle'] as const) {
          await bench.killed(createScriptedClient([says('接着。')]), async (later) => {
            // The log as it was after `length` entries: what came later does not hang on the path.
            must(await later.session.setLeaf(ids[length - 1] ?? null));
            expect((await later.engine.turns.interrupted(later.session))?.text, `after ${length}`).toBe('改成五天');
            if (how === 'resume') await resume(later);
            else must(await later.engine.turns.settle(later.session));
            const branch = later.branch();
            expect(branch.at(-1)?.type, `${how} after ${length}`).toBe('end');
            const calls = branch.flatMap((entry) => (entry.type === 'step' ? entry.data.calls.map(({ callId }) => callId) : []));
            expect(branch.flatMap((entry) => (entry.type === 'tool' ? [entry.data.callId] : []))).toEqual(calls);
            expect(branch.filter(({ type }) => type === 'reply')).toHaveLength(1);
            expect(await later.disk('正文/001-雨夜.md')).toBe('# 雨夜\n\n雨下了五天。\n');
          });
        }
      }
    });
  });
});

describe('resuming', () => {
  it('where nothing is open says so', () =>
    withEngine(book, createScriptedClient(), async (bench) => {
      expect(await resume(bench)).toEqual([{ type: 'ended', turnId: undefined, status: 'error', error: { code: 'turn.nothing-open' } }]);
    }));
});
