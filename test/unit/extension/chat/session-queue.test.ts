import { describe, expect, test } from 'vitest';
import type { ModelEvent } from '../../../../src/engine/index';
import type { SessionChat } from '../../../../src/extension/features/chat/session-chat';
import type { QueuedRow } from '../../../../src/protocol/chat';
import type { EngineBench } from '../../../fakes/engine-bench';
import { inShort, must, withEngine } from '../../../fakes/engine-bench';
import type { ScriptedAnswer } from '../../../fakes/models';
import { asks, call, createScriptedClient, says } from '../../../fakes/models';
import { watch } from './seen-chat';

const chapter = '正文/001-雨夜.md';
const book = { [chapter]: '# 雨夜\n\n雨下了三天。\n' };

interface Bench extends EngineBench {
  readonly chat: SessionChat;
  /** The queue as a view has it. */
  shown(): readonly QueuedRow[];
  kinds(): readonly string[];
}

async function chatOf(bench: EngineBench): Promise<Bench> {
  const { chat, items, deltas } = watch(bench);
  await chat.reload();
  return {
    ...bench,
    chat,
    shown: () => deltas.flatMap((delta) => (delta.op === 'queue' ? [delta.queue] : [])).at(-1) ?? [],
    kinds: () => items().map(({ kind }) => kind),
  };
}

/** An answer that waits until it is let go, or the turn is stopped. */
function gate(events: readonly ModelEvent[]): { readonly answer: ScriptedAnswer; readonly reached: Promise<void>; go(): void } {
  let reach: () => void = () => undefined;
  let go: () => void = () => undefined;
  const reached = new Promise<void>((resolve) => { reach = resolve; });
  const gone = new Promise<void>((resolve) => { go = resolve; });
  return {
    reached,
    go: () => { go(); },
    answer: async function* (_, signal) {
      reach();
      await Promise.race([gone, new Promise<void>((resolve) => { signal.addEventListener('abort', () => { resolve(); }, { once: true }); })]);
      yield* events;
    },
  };
}

const withChat = <T>(script: readonly ScriptedAnswer[], f: (bench: Bench) => Promise<T>): Promise<T> =>
  withEngine(book, createScriptedClient(script), async (bench) => f(await chatOf(bench)));

describe('the queue of a chat', () => {
  test('sends what waits, one turn after the other, when the turn before has ended well', () => {
    const first = gate(says('一好。'));
    return withChat([first.answer, says('二好。'), says('三好。')], async ({ chat, shown, branch, kinds }) => {
      chat.send('一');
      await first.reached;
      must(await chat.enqueue({ text: '二' }, false));
      must(await chat.enqueue({ text: '三' }, false));
      expect(shown().map(({ text }) => text)).toEqual(['二', '三']);
      first.go();
      await chat.idle();
      expect(inShort(branch()).filter((one) => /^(user|end)/.test(one))).toEqual(['user 一', 'end done', 'user 二', 'end done', 'user 三', 'end done']);
      expect(shown()).toEqual([]);
      expect(kinds()).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
    });
  });

  test('keeps what waits after a stop, until the person sends it', () => {
    const first = gate([]);
    return withChat([first.answer, says('二好。'), says('三好。')], async ({ chat, shown, branch }) => {
      chat.send('一');
      await first.reached;
      must(await chat.enqueue({ text: '二' }, false));
      must(await chat.enqueue({ text: '三' }, true));
      chat.stop();
      await chat.idle();
      expect(shown().map(({ text, steer }) => [text, steer])).toEqual([['三', false], ['二', false]]);
      must(await chat.queueAct({ how: 'send', id: shown()[1]?.id ?? '' }));
      await chat.idle();
      // That turn ended well, so the other one went after it.
      expect(inShort(branch()).filter((one) => one.startsWith('user'))).toEqual(['user 一', 'user 二', 'user 三']);
    });
  });

  test('keeps what waits after an error', () => {
    const first = gate([{ type: 'error', error: { code: 'model.auth' }, retryable: false }]);
    return withChat([first.answer], async ({ chat, shown, branch }) => {
      chat.send('一');
      await first.reached;
      must(await chat.enqueue({ text: '二' }, false));
      first.go();
      await chat.idle();
      expect(shown().map(({ text }) => text)).toEqual(['二']);
      expect(inShort(branch()).filter((one) => one.startsWith('user'))).toEqual(['user 一']);
    });
  });

  test('shows what steers in its place in the turn, as it does when opened again', () => {
    const first = gate(asks(call('read', { path: chapter })));
    return withChat([first.answer, says('好。')], async (bench) => {
      const { chat, kinds, shown } = bench;
      chat.send('改短');
      await first.reached;
      must(await chat.enqueue({ text: '别动结尾' }, true));
      expect(shown()).toMatchObject([{ text: '别动结尾', steer: true }]);
      first.go();
      await chat.idle();
      expect(shown()).toEqual([]);
      expect(kinds()).toEqual(['user', 'tool', 'steer', 'assistant']);
      const again = await chatOf(bench);
      expect(again.chat.items()).toEqual(chat.items());
    });
  });

  test('does not send words that are being changed; they go once that is done', () => {
    const first = gate(says('一好。'));
    return withChat([first.answer, says('二好。')], async ({ chat, shown, branch }) => {
      chat.send('一');
      await first.reached;
      must(await chat.enqueue({ text: '二' }, true));
      const id = shown()[0]?.id ?? '';
      must(await chat.queueAct({ how: 'edit', id }));
      expect(shown()[0]?.steer).toBe(false);
      first.go();
      await chat.idle();
      expect(shown().map(({ text }) => text)).toEqual(['二']);
      must(await chat.queueAct({ how: 'text', id, text: '贰' }));
      await chat.idle();
      expect(inShort(branch()).filter((one) => one.startsWith('user'))).toEqual(['user 一', 'user 贰']);
    });
  });

  test('is there again after a restart, and waits for the person', () => {
    const first = gate([]);
    return withChat([first.answer], async (bench) => {
      bench.chat.send('一');
      await first.reached;
      must(await bench.chat.enqueue({ text: '二' }, false));
      must(await bench.chat.enqueue({ text: '三' }, true));
      await bench.killed(createScriptedClient([says('好。')]), async (later) => {
        const { chat } = await chatOf(later);
        expect(chat.queue().map(({ text }) => text)).toEqual(['三', '二']);
        expect(chat.running()).toBe(false);
        expect(chat.items().map(({ kind }) => kind)).toContain('interrupted');
      });
      bench.chat.stop();
      await bench.chat.idle();
    });
  });
});
