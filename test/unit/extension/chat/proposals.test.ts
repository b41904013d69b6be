import { describe, expect, test } from 'vitest';
import type { ModelClient } from '../../../../src/engine/index';
import { must, withEngine, type EngineBench } from '../../../fakes/engine-bench';
import { asks, call, createScriptedClient, says } from '../../../fakes/models';
import { watch, type Seen } from './seen-chat';

const one = '正文/001-雨夜.md';
const book = { [one]: '# 雨夜\n\n雨下了三天。门开了。\n' };
const edit = (old: string, fresh: string): ReturnType<typeof asks> => asks(call('edit', { edits: [{ path: one, old, new: fresh }] }));

interface SeenCards extends Seen {
  /** The cards of proposals: turn by its words, state of each file. */
  cards(): readonly string[];
}

function withCards(seen: Seen): SeenCards {
  const words = (turnId: string): string => seen.items().flatMap((item) => (item.kind === 'user' && item.turnId === turnId ? [item.text] : []))[0] ?? '?';
  return {
    ...seen,
    cards: () => seen.items().flatMap((item) => (item.kind === 'proposal' ? [`${words(item.turnId)}: ${item.files.map(({ state, waiting }) => `${state} ${waiting}`).join(', ')}`] : [])),
  };
}

const withChat = (client: ModelClient, f: (seen: SeenCards, bench: EngineBench) => Promise<void>): Promise<void> =>
  withEngine(book, client, async (bench) => {
    const seen = withCards(watch(bench));
    await seen.chat.reload();
    await f(seen, bench);
  }, { apply: () => 'review' });

const until = async (done: () => boolean): Promise<void> => {
  for (let tries = 0; !done() && tries < 200; tries += 1) await new Promise((resolve) => { setTimeout(resolve, 10); });
  expect(done()).toBe(true);
};

async function say({ chat }: Seen, words: string): Promise<void> {
  expect(chat.send(words)).toBe(true);
  await chat.idle();
}

describe('the card of what a turn proposes', () => {
  test('comes at the end of the turn, follows what is decided, and is the same when the conversation is read anew', () =>
    withChat(createScriptedClient([edit('三天', '五天'), says('好。')]), async (seen, bench) => {
      await say(seen, '改雨');
      expect(seen.items().map(({ kind }) => kind)).toEqual(['user', 'tool', 'assistant', 'proposal']);
      expect(seen.cards()).toEqual(['改雨: pending 1']);
      await bench.documents.type(one, '三天', '两夜');
      bench.clock.advance(1000);
      await until(() => seen.cards()[0] === '改雨: conflict 1');
      must(await bench.engine.review.accept(bench.engine.review.pending().map(({ id }) => id), { force: true }));
      await until(() => seen.cards()[0] === '改雨: accepted 0');
      const before = seen.items();
      await seen.chat.reload();
      expect(seen.items()).toEqual(before);
    }));

  test('gives a file over to the card of a later turn that works on it', () =>
    withChat(createScriptedClient([edit('三天', '五天'), says('好。'), edit('五天', '七天'), says('好。')]), async (seen) => {
      await say(seen, '改雨');
      await say(seen, '再长些');
      expect(seen.cards()).toEqual(['改雨: carried 0', '再长些: pending 1']);
    }));

  test('goes with a turn that is tried again, and the new one proposes anew', () =>
    withChat(createScriptedClient([edit('三天', '五天'), says('好。'), edit('三天', '六天'), says('好。')]), async (seen, bench) => {
      await say(seen, '改雨');
      must(await seen.chat.retryLast());
      await seen.chat.idle();
      expect(seen.cards()).toEqual(['改雨: pending 1']);
      expect(bench.engine.review.pending().map(({ text }) => text)).toEqual(['# 雨夜\n\n雨下了六天。门开了。\n']);
    }));
});
