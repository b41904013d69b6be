import { describe, expect, test } from 'vitest';
import type { ChatDelta } from '../../../../src/protocol/chat';
import { createFeed } from '../../../../src/extension/features/chat/feed';
import type { Feed } from '../../../../src/extension/features/chat/feed';
import { createFakeClock } from '../../../fakes/clock';
import type { FakeClock } from '../../../fakes/clock';
import { createFakeIds } from '../../../fakes/ids';

interface Bench {
  readonly feed: Feed;
  readonly clock: FakeClock;
  /** Name, place in the count, and words for the box of all that was posted. */
  readonly posted: { readonly name: string; readonly epoch: string; readonly seq: number; readonly prefill: string | undefined }[];
  hide(): void;
}

function bench(): Bench {
  const clock = createFakeClock();
  const posted: Bench['posted'] = [];
  let visible = true;
  const feed = createFeed({
    clock,
    ids: createFakeIds(),
    state: () => ({ project: 'open', items: [], status: { phase: 'idle', readOnly: false, model: { name: 'm', rehearsal: false, configured: true } } }),
  });
  feed.attach({
    visible: () => visible,
    post: (name, body, stamp) => {
      const words = Array.isArray(body) ? body.find((delta) => delta.op === 'prefill')?.text : body.prefill;
      posted.push({ name, ...stamp, prefill: words });
    },
  });
  return { feed, clock, posted, hide: () => { visible = false; } };
}

const remove: ChatDelta = { op: 'remove', ids: ['x'] };

describe('words for the input box', () => {
  test('travel with the changes of their tick', () => {
    const { feed, clock, posted } = bench();
    feed.prefill('改成五天');
    clock.advance(16);
    expect(posted).toMatchObject([{ name: 'deltas', seq: 1, prefill: '改成五天' }]);
    expect(feed.snapshot().prefill).toBeUndefined();
  });

  test('are in the snapshot that is asked for before their tick ends, and come no second time', () => {
    const { feed, clock, posted } = bench();
    feed.push([remove]);
    feed.prefill('改成五天');
    expect(feed.snapshot().prefill).toBe('改成五天');
    clock.advance(100);
    expect(posted).toEqual([]);
    expect(feed.snapshot().prefill).toBeUndefined();
  });

  test('are in the snapshot that something else is shown with', () => {
    const { feed, clock, posted } = bench();
    feed.prefill('改成五天');
    feed.restart();
    clock.advance(100);
    expect(posted).toMatchObject([{ name: 'snapshot', seq: 0, prefill: '改成五天' }]);
  });

  test('wait for the next snapshot when the view was hidden before their tick ended, or before they came', () => {
    const { feed, clock, posted, hide } = bench();
    feed.prefill('改成五天');
    hide();
    clock.advance(16);
    expect(posted).toEqual([]);
    expect(feed.snapshot().prefill).toBe('改成五天');
    feed.prefill('再改');
    feed.restart();
    expect(feed.snapshot().prefill).toBe('再改');
  });

  test('wait for the snapshot that a view has asked for, since it drops what comes before', () => {
    const { feed, clock, posted } = bench();
    feed.prefill('改成五天');
    feed.asked();
    feed.push([remove]);
    clock.advance(16);
    feed.restart();
    expect(posted.map(({ name, prefill }) => [name, prefill])).toEqual([['deltas', undefined], ['snapshot', undefined]]);
    expect(feed.snapshot().prefill).toBe('改成五天');
  });
});

describe('the count of events', () => {
  test('grows while nobody listens, so that the gap is noticed', () => {
    const { feed, clock, posted, hide } = bench();
    feed.push([remove]);
    clock.advance(16);
    hide();
    feed.push([remove]);
    clock.advance(16);
    expect(posted.map(({ seq }) => seq)).toEqual([1]);
    expect(feed.snapshot().seq).toBe(2);
  });

  test('begins anew, under another epoch, when something else is shown', () => {
    const { feed, clock, posted } = bench();
    feed.push([remove]);
    clock.advance(16);
    feed.restart();
    expect(posted.map(({ seq }) => seq)).toEqual([1, 0]);
    expect(posted[0]?.epoch).not.toBe(posted[1]?.epoch);
  });
});
