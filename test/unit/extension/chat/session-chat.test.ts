import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ModelClient, ModelEvent, NewEntry, Session } from '../../../../src/engine/index';
import type { ChatItem } from '../../../../src/protocol/chat';
import { createSessionChat } from '../../../../src/extension/features/chat/session-chat';
import { fillMessage } from '../../../../src/extension/l10n/translate';
import type { EngineBench } from '../../../fakes/engine-bench';
import { inShort, must, withEngine } from '../../../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../../../fakes/models';
import { watch, type Seen } from './seen-chat';

const chapter = '正文/001-雨夜.md';
const book = { [chapter]: '# 雨夜\n\n雨下了三天。\n' };
const edit = (old: string, next: string, callId = 'e1'): readonly ModelEvent[] => call('edit', { edits: [{ path: chapter, old, new: next }] }, callId);

const withChat = <T>(client: ModelClient, f: (seen: Seen, bench: EngineBench) => Promise<T>): Promise<T> =>
  withEngine(book, client, async (bench) => {
    const seen = watch(bench);
    await seen.chat.reload();
    return f(seen, bench);
  });

const rehearsing = (client: ModelClient): ModelClient => ({ ...client, rehearsal: true });

const kinds = (items: readonly ChatItem[]): readonly string[] => items.map((item) => item.kind);

/** A turn whose host is killed while the model hangs in its second call; the next host’s chat. */
function interrupted<T>(next: ModelClient, f: (seen: Seen, bench: EngineBench) => Promise<T>): Promise<T> {
  let tell: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => { tell = resolve; });
  const client = createScriptedClient([
    asks(edit('三天', '五天')),
    async function* (_, signal): AsyncGenerator<ModelEvent> {
      tell();
      await new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }, { once: true }); });
      yield { type: 'done', reason: 'stop' };
    },
  ]);
  return withEngine(book, client, async (bench) => {
    const stop = new AbortController();
    const running = bench.turn('改成五天', stop.signal);
    await reached;
    const result = await bench.killed(next, async (later) => {
      const seen = watch(later);
      await seen.chat.reload();
      return f(seen, later);
    });
    stop.abort();
    await running;
    return result;
  });
}

describe('the chat of a session', () => {
  test('shows after the turn what it shows when opened again', () =>
    withChat(createScriptedClient([asks(edit('三天', '五天')), says('改', '好了。')]), async ({ chat, items }, bench) => {
      expect(chat.send('改成五天')).toBe(true);
      await chat.idle();
      expect(kinds(items())).toEqual(['user', 'tool', 'assistant', 'changes']);
      expect(items().at(-1)).toMatchObject({ kind: 'changes', undone: false, files: [{ path: chapter, status: 'modified', added: 1, removed: 1 }] });
      const again = watch(bench);
      await again.chat.reload();
      expect(again.items()).toEqual(items());
      expect(await bench.disk(chapter)).toBe('# 雨夜\n\n雨下了五天。\n');
    }));

  test('stops a turn of which something cannot be shown, and follows it to its end', () =>
    withEngine(book, createScriptedClient([says('炸'), says('不该到这里')]), async ({ engine, session, log, branch }) => {
      const chat = createSessionChat({
        engine,
        session,
        log,
        t: fillMessage,
        window: () => 1000,
        toolsRefused: () => false,
        firstRehearsal: () => false,
        onDeltas: (some) => {
          if (JSON.stringify(some).includes('炸') && chat.running()) throw new Error('cannot be shown');
        },
        onStatus: () => undefined,
        onReset: () => undefined,
        onReadOnly: () => undefined,
        onCheckpoint: () => undefined,
        onEnded: () => undefined,
      });
      chat.send('说');
      await chat.idle();
      expect([chat.running(), chat.phase(), engine.turns.busy(session.header.id)]).toEqual([false, 'idle', false]);
      expect(branch().at(-1)?.type).toBe('end');
      expect(chat.items().some((item) => item.kind === 'notice' && item.level === 'error')).toBe(true);
    }));

  test('streams words as appends and says what it is doing', () =>
    withChat(createScriptedClient([says('一', '二', '三')]), async ({ chat, deltas, phases }) => {
      chat.send('数');
      await chat.idle();
      expect(deltas.filter((delta) => delta.op === 'append').map((delta) => delta.text)).toEqual(['二', '三']);
      expect(phases[0]).toBe('preparing');
      expect(phases).toContain('generating');
      expect(phases.at(-1)).toBe('idle');
      expect(chat.usage()).toEqual({ input: 100, output: 10, window: 1000 });
    }));

  test('runs one turn at a time', () =>
    withChat(createScriptedClient([says('一')]), async ({ chat, items }) => {
      expect([chat.send('甲'), chat.send('乙')]).toEqual([true, false]);
      expect(await chat.undo('x')).toEqual({ ok: false, error: { code: 'session.busy' } });
      await chat.idle();
      expect(items().filter((item) => item.kind === 'user')).toHaveLength(1);
    }));

  test('leaves no card open when it is stopped in the middle of a call', () => {
    let tell: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => { tell = resolve; });
    const client = createScriptedClient([
      async function* (_, signal): AsyncGenerator<ModelEvent> {
        yield { type: 'toolCallStart', callId: 'w', name: 'write' };
        tell();
        await new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }, { once: true }); });
      },
    ]);
    return withChat(client, async ({ chat, items, deltas }, bench) => {
      chat.send('写一章');
      await reached;
      chat.stop();
      await chat.idle();
      expect(deltas.flatMap((delta) => (delta.op === 'put' && delta.item.kind === 'tool' ? [delta.item.state] : [])).at(-1)).toBe('failed');
      expect(items().filter((item) => item.kind === 'tool')).toEqual([]);
      const again = watch(bench);
      await again.chat.reload();
      expect(again.items()).toEqual(items());
    });
  });

  test('shows a try that is waited for, and does not wait when it is told not to', () => {
    const patience = [{ type: 'error', error: { code: 'model.rate-limit' }, retryable: true, retryAfterMs: 30_000 }] as const;
    return withChat(createScriptedClient([patience, says('好。')]), async ({ chat, items }, bench) => {
      chat.send('写');
      await vi.waitFor(() => { expect(kinds(items())).toEqual(['user', 'notice']); });
      expect(items()[1]).toMatchObject({ countdown: { ms: 30_000, until: bench.clock.now() + 30_000, attempt: 1 } });
      chat.retryNow();
      await chat.idle();
      expect(kinds(items())).toEqual(['user', 'assistant']);
    });
  });

  test('takes a turn back, files and words', () =>
    withChat(createScriptedClient([asks(edit('三天', '五天')), says('好。')]), async ({ chat, items }, bench) => {
      chat.send('改成五天');
      await chat.idle();
      const undone = must(await chat.undo(items()[0]?.id ?? ''));
      expect(undone).toMatchObject({ words: '改成五天', conflicts: [] });
      expect(items()).toEqual([]);
      expect(await bench.disk(chapter)).toBe(book[chapter]);
    }));

  test('says what an undo left alone', () =>
    withChat(createScriptedClient([asks(edit('三天', '五天')), says('好。')]), async ({ chat, items }, bench) => {
      chat.send('改成五天');
      await chat.idle();
      await bench.documents.put(chapter, new TextEncoder().encode('# 雨夜\n\n雨下了九天。\n'));
      const undone = must(await chat.undo(items()[0]?.id ?? ''));
      expect(undone.conflicts).toHaveLength(1);
      expect(items()).toMatchObject([{ kind: 'notice', level: 'warning' }]);
      expect(await bench.disk(chapter)).toBe('# 雨夜\n\n雨下了九天。\n');
    }));

  test('runs a failed turn once more, in the place of the failed one', () =>
    withChat(createScriptedClient([[{ type: 'error', error: { code: 'model.auth' }, retryable: false }], says('好。')]), async ({ chat, items }) => {
      chat.send('改');
      await chat.idle();
      expect(kinds(items())).toEqual(['user', 'notice']);
      must(await chat.retryLast());
      await chat.idle();
      expect(kinds(items())).toEqual(['user', 'assistant']);
    }));

  test('says an earlier turn again in other words: what came of it and after it is taken back first', () =>
    withChat(createScriptedClient([asks(edit('三天', '五天')), says('一。'), asks(edit('雨下', '雪下', 'e2')), says('二。'), says('三。')]), async ({ chat, items }, bench) => {
      chat.send('改成五天');
      await chat.idle();
      chat.send('改成雪');
      await chat.idle();
      const first = items()[0]?.turnId ?? '';
      expect(must(await chat.planAgain(first))).toEqual({ later: 1, files: [chapter], authored: [] });
      must(await chat.runAgain(first, 'files-and-conversation', '不改了'));
      expect(await chat.runAgain(first, 'conversation')).toMatchObject({ error: { code: 'session.busy' } });
      expect(await chat.switchTurn(first, 1)).toMatchObject({ error: { code: 'session.busy' } });
      await chat.idle();
      expect(items()).toMatchObject([{ kind: 'user', text: '不改了', variant: { at: 2, of: 2 } }, { kind: 'assistant', text: '三。', reply: true }]);
      expect(await bench.disk(chapter)).toBe('# 雨夜\n\n雨下了三天。\n');
      const again = watch(bench);
      await again.chat.reload();
      expect(again.items()).toEqual(items());

      must(await chat.switchTurn(items()[0]?.turnId ?? '', -1));
      expect(items().map((item) => (item.kind === 'user' || item.kind === 'assistant' ? item.text : item.kind))).toEqual(['改成五天', 'tool', '一。', 'changes', '改成雪', 'tool', '二。', 'changes', 'notice']);
      expect(items().filter((item) => item.kind === 'changes').map((item) => item.undone)).toEqual([true, true]);
      expect(items()[0]).toMatchObject({ variant: { at: 1, of: 2 } });
      expect(await bench.disk(chapter)).toBe('# 雨夜\n\n雨下了三天。\n');
    }));

  test('shows a length limit and a missing answer again after it was opened anew', () => {
    const cut = createScriptedClient([
      async function* () {
        yield { type: 'text', text: '雨一直' };
        yield { type: 'done', reason: 'length' };
      },
      says(' '),
    ]);
    return withChat(cut, async ({ chat, items }, bench) => {
      chat.send('写');
      await chat.idle();
      chat.send('再写');
      await chat.idle();
      expect(items().filter((item) => item.kind === 'notice')).toHaveLength(2);
      const again = watch(bench);
      await again.chat.reload();
      expect(again.items().filter((item) => item.kind === 'notice')).toEqual(items().filter((item) => item.kind === 'notice'));
    });
  });

  test('counts the turns after one', () =>
    withChat(createScriptedClient([says('一'), says('二'), says('三')]), async ({ chat, items }) => {
      for (const words of ['甲', '乙', '丙']) {
        chat.send(words);
        await chat.idle();
      }
      const users = items().filter((item) => item.kind === 'user');
      expect(users.map((user) => chat.turnsAfter(user.id))).toEqual([2, 1, 0]);
    }));

  test('gives the changes of a turn for its diffs, and refuses a turn without any', () =>
    withChat(createScriptedClient([asks(edit('三天', '五天')), says('好。'), says('无事。')]), async ({ chat, items }) => {
      chat.send('改');
      await chat.idle();
      chat.send('谈');
      await chat.idle();
      const [first, second] = items().filter((item) => item.kind === 'user');
      expect(must(await chat.changesOf(first?.id ?? ''))).toMatchObject([{ path: chapter, added: 1, removed: 1 }]);
      expect(await chat.changesOf(second?.id ?? '')).toEqual({ ok: false, error: { code: 'checkpoint.not-found' } });
    }));
});

describe('an interrupted turn', () => {
  test('is shown as one, with what had been done', () =>
    interrupted(createScriptedClient(), async ({ items }) => {
      await Promise.resolve();
      expect(kinds(items())).toEqual(['user', 'tool', 'interrupted']);
      expect(items()[1]).toMatchObject({ state: 'done' });
      expect(items()[2]).toMatchObject({ waiting: false });
    }));

  test('goes on where it was', () =>
    interrupted(createScriptedClient([says('接着说完。')]), async ({ chat, items }, bench) => {
      must(await chat.resume('continue'));
      await chat.idle();
      expect(kinds(items())).toEqual(['user', 'tool', 'assistant', 'changes']);
      const again = watch(bench);
      await again.chat.reload();
      expect(again.items()).toEqual(items());
    }));

  test('is closed as it stands', () =>
    interrupted(createScriptedClient(), async ({ chat, items }, bench) => {
      must(await chat.resume('keep'));
      expect(kinds(items())).toEqual(['user', 'tool', 'assistant', 'changes']);
      expect(inShort(bench.branch()).at(-1)).toBe('end interrupted');
      expect(await bench.disk(chapter)).toBe('# 雨夜\n\n雨下了五天。\n');
    }));

  test('is taken back with its words', () =>
    interrupted(createScriptedClient(), async ({ chat, items }, bench) => {
      expect(must(await chat.resume('undo'))).toMatchObject({ words: '改成五天', mentions: [] });
      expect(items()).toEqual([]);
      expect(await bench.disk(chapter)).toBe(book[chapter]);
    }));

  test('is run anew from its beginning', () =>
    interrupted(createScriptedClient([asks(edit('三天', '七天', 'e2')), says('好。')]), async ({ chat, items }, bench) => {
      must(await chat.resume('retry'));
      await chat.idle();
      expect(kinds(items())).toEqual(['user', 'tool', 'assistant', 'changes']);
      expect(await bench.disk(chapter)).toBe('# 雨夜\n\n雨下了七天。\n');
    }));

  test('does not mix with the next one when the author simply goes on', () =>
    interrupted(createScriptedClient([says('新的一轮。')]), async ({ chat, items }, bench) => {
      chat.send('说点别的');
      await chat.idle();
      const again = watch(bench);
      await again.chat.reload();
      expect(new Map(items().map((item) => [item.id, item]))).toEqual(new Map(again.items().map((item) => [item.id, item])));
      expect(kinds(again.items())).toEqual(['user', 'tool', 'assistant', 'changes', 'user', 'assistant']);
    }));

  test('cannot be resumed twice', () =>
    withChat(createScriptedClient(), async ({ chat }) => {
      expect(await chat.resume('continue')).toEqual({ ok: false, error: { code: 'turn.nothing-open' } });
    }));
});

describe('what is told once', () => {
  test('that the rehearsal model answered, with the way to a real one', () =>
    withChat(rehearsing(createScriptedClient([says('一'), says('二')])), async ({ chat, items }) => {
      for (const words of ['甲', '乙']) {
        chat.send(words);
        await chat.idle();
      }
      const notices = items().filter((item) => item.kind === 'notice');
      expect(notices).toMatchObject([{ level: 'info', actions: [{ action: 'configureModel' }] }]);
      expect(kinds(items())).toEqual(['user', 'assistant', 'notice', 'user', 'assistant']);
    }));

  test('that the model’s service takes no tools', () =>
    withEngine(book, createScriptedClient([says('一'), says('二'), says('三')]), async (bench) => {
      let refused = false;
      const { chat, items } = watch(bench, () => refused);
      await chat.reload();
      for (const words of ['甲', '乙', '丙']) {
        chat.send(words);
        await chat.idle();
        refused = true;
      }
      expect(kinds(items())).toEqual(['user', 'assistant', 'user', 'assistant', 'notice', 'user', 'assistant']);
      expect(items()[4]).toMatchObject({ level: 'warning', actions: [{ action: 'configureModel' }, { action: 'openTools' }] });
    }));

  test('that lines of the file cannot be read', () =>
    withChat(createScriptedClient([says('一')]), async ({ chat }, bench) => {
      chat.send('甲');
      await chat.idle();
      await appendFile(join(bench.root, `.liyuan/sessions/${bench.session.header.id}.jsonl`), 'half a line\n');
      await bench.killed(createScriptedClient(), async (later) => {
        const seen = watch(later);
        await seen.chat.reload();
        expect(seen.items().at(-1)).toMatchObject({ kind: 'notice', id: 'bad-lines' });
        await seen.chat.reload();
        expect(kinds(seen.items())).toEqual(['user', 'assistant']);
      });
    }));
});

describe('what a turn costs', () => {
  /** How often a turn looks at the session, one entry read or looked up counting as one, in a conversation of so many turns. */
  const costAfter = (turns: number): Promise<{ readonly reads: number; readonly deltas: number }> =>
    withEngine(book, createScriptedClient([]), async (bench) => {
      const { session } = bench;
      let reads = 0;
      const counted = new Proxy(session, {
        get: (target, name: keyof Session) => {
          const value: unknown = target[name];
          if (typeof value !== 'function') return value;
          return (...args: readonly unknown[]): unknown => {
            const answer: unknown = Reflect.apply(value, target, args);
            if (['get', 'stub', 'lastOnBranch', 'isOnBranch'].includes(name)) reads += 1;
            if (Array.isArray(answer)) reads += answer.length;
            return answer;
          };
        },
      });
      const turn = (words: string): readonly NewEntry[] => [
        { type: 'user', data: { text: words } },
        { type: 'step', data: { calls: [{ callId: words, name: 'list', args: '{}' }], model: 'm' } },
        { type: 'tool', data: { callId: words, result: '{"entries":[]}', ok: true } },
        { type: 'reply', data: { text: '好。', model: 'm', status: 'sealed' } },
        { type: 'end', data: { status: 'done' } },
      ];
      must(await session.append(Array.from({ length: turns }, (_, i) => turn(`第${i}轮`)).flat(), { durable: false }));
      const seen = watch({
        ...bench,
        session: counted,
        engine: {
          ...bench.engine,
          turns: {
            ...bench.engine.turns,
            async *run() {
              const [user, ...rest] = must(await session.append(turn('再来'), { durable: false }));
              yield { type: 'started', turnId: user!.id, sessionId: session.header.id, model: 'm', rehearsal: false };
              for (const entry of [user!, ...rest]) yield { type: 'entry', entry };
              yield { type: 'ended', turnId: user!.id, status: 'done' };
            },
          },
        },
      });
      await seen.chat.reload();
      reads = 0;
      const before = seen.deltas.length;
      seen.chat.send('再来');
      await seen.chat.idle();
      expect(seen.items()).toHaveLength(3 * (turns + 1));
      return { reads, deltas: seen.deltas.length - before };
    });

  test('is the same after 10 turns and after 1,000', async () => {
    const short = await costAfter(10);
    expect(await costAfter(1000)).toEqual(short);
    expect(short.reads).toBeLessThan(60);
  });
});

describe('earlier turns summarised by hand', () => {
  const summary = '## 要求\n文风要冷。';
  const three = (): ModelClient => createScriptedClient([says('一好'), says('二好'), says('三好'), says(summary), says('四好')]);
  const marks = (items: readonly ChatItem[]): readonly string[] =>
    items.flatMap((item) => (item.kind === 'user' ? [`${item.text}${item.summarised === true ? '*' : ''}`] : item.kind === 'summary' ? [`${item.floors.join('–')} ${item.state}`] : []));

  test('are marked, above a row with its words; taken back and used again; the same when opened anew', () =>
    withChat(three(), async ({ chat, items, phases }, bench) => {
      for (const text of ['一', '二', '三']) {
        chat.send(text);
        await chat.idle();
      }
      expect(await chat.compact()).toEqual({ ok: true, value: undefined });
      expect(phases).toContain('compacting');
      expect(marks(items())).toEqual(['一*', '二*', '三', '1–2 active']);
      const row = items().find((item) => item.kind === 'summary');
      expect(row).toMatchObject({ text: summary, tokens: 9 });
      const again = watch(bench);
      await again.chat.reload();
      expect(again.items()).toEqual(items());

      must(await chat.useSummary(row?.id ?? '', false));
      expect(marks(items())).toEqual(['一', '二', '三', '1–2 undone']);
      must(await chat.useSummary(row?.id ?? '', true));
      expect(marks(items())).toEqual(['一*', '二*', '三', '1–2 active']);
      chat.send('四');
      await chat.idle();
      expect(marks(items())).toEqual(['一*', '二*', '三', '1–2 active', '四']);

      must(await chat.rewriteSummary(row?.id ?? '', '我自己的话'));
      expect(marks(items())).toEqual(['一*', '二*', '三', '1–2 merged', '四', '1–2 active']);
      expect(items().at(-1)).toMatchObject({ text: '我自己的话', own: true });
    }));

  test('that cannot be is a remark, and no turn is offered again for it', () =>
    withChat(createScriptedClient([says('一好')]), async ({ chat, items }) => {
      chat.send('一');
      await chat.idle();
      expect(await chat.compact()).toMatchObject({ ok: false, error: { code: 'summary.nothing' } });
      expect(items().at(-1)).toMatchObject({ kind: 'notice', level: 'info', actions: [] });
      expect(chat.running()).toBe(false);
    }));
});
