import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatDelta, ChatSnapshot, chatRequests } from '../../src/protocol/chat';
import type { ResponseOf } from '../../src/protocol/envelope';
import { createFeed, type Feed } from '../../webview/chat/feed';
import { snapshotOf, user } from './support/samples';

type Ready = ResponseOf<typeof chatRequests, 'ready'>;

interface Bench {
  readonly feed: Feed;
  readonly snapshots: ChatSnapshot[];
  readonly deltas: ChatDelta[];
  readonly lost: string[];
  /** How often a snapshot was asked for. */
  asks(): number;
  /** Answers the newest question, or the one asked as the `nth`. */
  answer(snapshot: ChatSnapshot, nth?: number): Promise<void>;
  refuse(): Promise<void>;
}

function bench(): Bench {
  const waiting: { resolve(ready: Ready): void; reject(error: Error): void }[] = [];
  const snapshots: ChatSnapshot[] = [];
  const deltas: ChatDelta[] = [];
  const lost: string[] = [];
  const request = (): Promise<never> => new Promise((resolve, reject) => { waiting.push({ resolve: resolve as unknown as (ready: Ready) => void, reject }); });
  const feed = createFeed({ request }, {
    onSnapshot: (snapshot) => { snapshots.push(snapshot); },
    onDeltas: (some) => { deltas.push(...some); },
    onLost: (error) => { lost.push(error.message); },
  });
  return {
    feed,
    snapshots,
    deltas,
    lost,
    asks: () => waiting.length,
    answer: async (snapshot, nth = waiting.length) => {
      waiting[nth - 1]?.resolve({ snapshot, strings: {}, locale: 'en' });
      await Promise.resolve();
    },
    refuse: async () => {
      waiting.at(-1)?.reject(new Error('no'));
      await Promise.resolve();
    },
  };
}

const prefill = (text: string): ChatDelta => ({ op: 'prefill', text });
const event = (epoch: string, seq: number, ...body: ChatDelta[]): Parameters<Feed['receive']>[0] => ({ kind: 'event', name: 'deltas', epoch, seq, body });

describe('the stream of what is shown', () => {
  it('goes on with what came while the snapshot was on its way, and with nothing the snapshot holds already', async () => {
    const { feed, deltas, answer, asks } = bench();
    feed.ask();
    feed.receive(event('e1', 4, prefill('contained')));
    feed.receive(event('e1', 5, prefill('next')));
    feed.receive(event('e0', 9, prefill('of another')));
    await answer(snapshotOf([], { seq: 4 }));
    expect(deltas).toEqual([prefill('next')]);
    expect(asks()).toBe(1);
  });

  it('asks once for one hole, however much arrives after it', async () => {
    const { feed, answer, asks, deltas } = bench();
    feed.ask();
    await answer(snapshotOf([]));
    feed.receive(event('e1', 2, prefill('2')));
    feed.receive(event('e1', 3, prefill('3')));
    expect(asks()).toBe(2);
    await answer(snapshotOf([], { seq: 2 }));
    expect(deltas).toEqual([prefill('3')]);
    expect(asks()).toBe(2);
  });

  it('asks for a snapshot when an event cannot be read, and applies nothing of it', async () => {
    const { feed, answer, asks, deltas } = bench();
    feed.ask();
    await answer(snapshotOf([]));
    feed.receive({ kind: 'event', name: 'deltas', epoch: 'e1', seq: 1, body: [prefill('good'), { op: 'unheard-of' }] });
    expect(deltas).toEqual([]);
    expect(asks()).toBe(2);
  });

  it('takes a snapshot of a new epoch unasked, and none of a former one', async () => {
    const { feed, answer, snapshots } = bench();
    feed.ask();
    await answer(snapshotOf([]));
    const second = snapshotOf([user('v1', '新')], { epoch: 'e2' });
    feed.receive({ kind: 'event', name: 'snapshot', epoch: 'e2', seq: 0, body: second });
    feed.receive({ kind: 'event', name: 'snapshot', epoch: 'e1', seq: 7, body: snapshotOf([]) });
    expect(snapshots.map((snapshot) => snapshot.epoch)).toEqual(['e1', 'e2']);
  });

  describe('when no answer comes', () => {
    beforeEach(() => { vi.useFakeTimers(); });
    afterEach(() => { vi.useRealTimers(); });

    it('asks again, and takes whichever answer comes first, once', async () => {
      const { feed, asks, answer, snapshots } = bench();
      feed.ask();
      vi.advanceTimersByTime(5_000);
      expect(asks()).toBe(2);
      await answer(snapshotOf([], { epoch: 'a', seq: 4 }), 1);
      await answer(snapshotOf([], { epoch: 'a', seq: 2 }), 2);
      expect(snapshots.map(({ seq }) => seq)).toEqual([4]);
      vi.advanceTimersByTime(60_000);
      expect(asks()).toBe(2);
    });

    it('gives up after three, and still takes an answer that comes later', async () => {
      const { feed, asks, answer, snapshots, lost } = bench();
      feed.ask();
      vi.advanceTimersByTime(15_000);
      expect([asks(), lost]).toEqual([3, ['no answer']]);
      await answer(snapshotOf([], { epoch: 'a', seq: 1 }));
      expect(snapshots).toHaveLength(1);
    });

    it('a view that is shown again asks anew, whatever was asked while it was hidden', () => {
      const { feed, asks } = bench();
      feed.ask();
      feed.ask();
      expect(asks()).toBe(1);
      feed.ask({ anew: true });
      expect(asks()).toBe(2);
    });
  });

  it('tells that it is lost, and can be asked again', async () => {
    const { feed, answer, refuse, lost, snapshots } = bench();
    feed.ask();
    await refuse();
    expect(lost).toEqual(['no']);
    feed.ask();
    await answer(snapshotOf([]));
    expect(snapshots).toHaveLength(1);
  });
});
