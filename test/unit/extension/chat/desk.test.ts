import { describe, expect, test } from 'vitest';
import type { ModelClient, ModelEvent } from '../../../../src/engine/index';
import { createDesk } from '../../../../src/extension/features/chat/desk';
import type { Desk } from '../../../../src/extension/features/chat/desk';
import { titleOf } from '../../../../src/extension/features/chat/titles';
import type { Host } from '../../../../src/extension/host';
import { fillMessage } from '../../../../src/extension/l10n/translate';
import { createClosing } from '../../../../src/extension/project/closing';
import type { EngineBench } from '../../../fakes/engine-bench';
import { inShort, must, withEngine } from '../../../fakes/engine-bench';
import { createScriptedClient, says } from '../../../fakes/models';

function deskOver({ engine, documents, log }: EngineBench): Desk {
  const kept = new Map<string, unknown>();
  const root = { toString: () => 'file:///novel' };
  const host = {
    log,
    t: fillMessage,
    context: { workspaceState: { get: (key: string) => kept.get(key), update: async (key: string, value: unknown) => void kept.set(key, value) } },
    project: { opened: async () => ({ ok: true, value: { root, engine, documents, files: undefined, readOnly: false } }) },
    signals: { checkpointsChanged: { fire: () => undefined }, turnStarted: { fire: () => undefined } },
  } as unknown as Host;
  const nothing = (): void => undefined;
  return createDesk(host, { window: () => 1000, toolsRefused: () => false, onDeltas: nothing, onStatus: nothing, onShown: nothing, follow: () => ({ dispose: nothing }), onOpened: async () => undefined });
}

const rehearsing = (client: ModelClient): ModelClient => ({ ...client, rehearsal: true });

const withDesk = (client: ModelClient, f: (desk: Desk, bench: EngineBench) => Promise<void>): Promise<void> =>
  withEngine({}, client, async (bench) => {
    const desk = deskOver(bench);
    must(await desk.show(undefined));
    await f(desk, bench);
  });

describe('a conversation that was deleted', () => {
  test('is not shown when the project is opened again, is found where the deleted ones are, and comes back', () =>
    withEngine({}, createScriptedClient([says('好。')]), async (bench) => {
      const { engine, session } = bench;
      const { id } = session.header;
      must(await engine.markSession(id, { title: '雨夜', deleted: true }));
      expect((await engine.sessions.list()).sessions).toMatchObject([{ id, title: '雨夜', deleted: true }]);
      const desk = deskOver(bench);
      must(await desk.open());
      expect(desk.current()).toBeUndefined();
      must(await engine.markSession(id, { deleted: false }));
      const later = deskOver(bench);
      must(await later.open());
      expect(later.current()?.session.title()).toBe('雨夜');
      const running = engine.turns.run(session, { text: '说' }, new AbortController().signal);
      expect(await engine.markSession(id, { deleted: true })).toMatchObject({ error: { code: 'session.busy' } });
      for await (const event of running) void event;
      expect(await engine.markSession('none', { deleted: true })).toMatchObject({ error: { code: 'session.not-found' } });
    }));
});

describe('a new conversation', () => {
  test('is called by its first words, by the next host too', () =>
    withDesk(createScriptedClient([says('好。')]), async (desk, bench) => {
      const chat = must(await desk.sessionFor('  把第一章的雨\n写得更久一些'));
      chat.send('把第一章的雨\n写得更久一些');
      await chat.idle();
      expect(chat.session.title()).toBe('把第一章的雨');
      const { id } = chat.session.header;
      await bench.killed(createScriptedClient(), async ({ engine }) => {
        expect((await engine.sessions.list()).sessions.find((row) => row.id === id)?.title).toBe('把第一章的雨');
        expect(must(await engine.sessions.open(id)).title()).toBe('把第一章的雨');
      });
    }));

  test('is called as it was renamed, by the next host too', () =>
    withDesk(createScriptedClient([says('好。'), says('好。')]), async (desk, bench) => {
      const chat = must(await desk.sessionFor('写雨'));
      must(await chat.session.setMeta('title', '雨夜'));
      chat.send('写雨');
      await chat.idle();
      expect(chat.session.title()).toBe('雨夜');
      const { id } = chat.session.header;
      await bench.killed(createScriptedClient(), async ({ engine }) => {
        expect((await engine.sessions.list()).sessions.find((row) => row.id === id)?.title).toBe('雨夜');
      });
    }));

  test.each([
    ['写雨', '写雨'],
    ['\n\n 写  雨\t夜 \r\n第二行', '写 雨 夜'],
    ['一'.repeat(30), '一'.repeat(30)],
    ['一'.repeat(31), `${'一'.repeat(29)}…`],
    [`${'一'.repeat(28)}👩‍👩‍👧二三`, `${'一'.repeat(28)}👩‍👩‍👧…`],
  ])('with the words %j is called %j', (words, title) => {
    expect(titleOf(words)).toBe(title);
  });
});

describe('the rehearsal', () => {
  test('is told about once in a window, not in every conversation', () =>
    withDesk(rehearsing(createScriptedClient([says('一'), says('二')])), async (desk) => {
      const notices: number[] = [];
      for (const words of ['甲', '乙']) {
        must(await desk.show(undefined));
        const chat = must(await desk.sessionFor(words));
        chat.send(words);
        await chat.idle();
        notices.push(chat.items().filter((item) => item.kind === 'notice').length);
      }
      expect(notices).toEqual([1, 0]);
    }));
});

describe('leaving the project in the middle of a turn', () => {
  test('lets the turn write its end before the engine is disposed of', () => {
    let tell: () => void = () => undefined;
    const reached = new Promise<void>((resolve) => { tell = resolve; });
    const client = createScriptedClient([
      async function* (_, signal): AsyncGenerator<ModelEvent> {
        yield { type: 'text', text: '雨还在' };
        tell();
        await new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }, { once: true }); });
      },
    ]);
    return withDesk(client, async (desk, bench) => {
      const chat = must(await desk.sessionFor('写雨'));
      chat.send('写雨');
      await reached;
      const closing = createClosing({ clock: bench.clock, log: bench.log, mostMs: 2500 });
      closing.before(() => desk.stopTurns());
      closing.close(() => bench.engine.dispose());
      await closing.done();
      expect(chat.running()).toBe(false);
      await bench.killed(createScriptedClient(), async ({ engine }) => {
        const session = must(await engine.sessions.open(chat.session.header.id));
        expect(inShort(session.branch()).at(-1)).toBe('end stopped');
        expect(inShort(session.branch())).toContain('reply stopped 雨还在');
        expect(await engine.turns.interrupted(session)).toBeUndefined();
      });
    });
  });
});
