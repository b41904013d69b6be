import { describe, expect, it } from 'vitest';
import { createPace } from '../../../src/engine/store/pace';

function byHand(): { now: () => number; pass: (ms: number) => void; breaths: () => number; breathe: () => Promise<void> } {
  let time = 0;
  let count = 0;
  return {
    now: () => time,
    pass: (ms) => void (time += ms),
    breaths: () => count,
    breathe: async () => void (count += 1),
  };
}

describe('the pace of a disk', () => {
  it('lets others run once in eight milliseconds of work', async () => {
    const hand = byHand();
    const pace = createPace(hand);
    for (let at = 0; at < 20; at += 1) {
      expect(await pace.ready()).toBe(true);
      pace.measure(() => hand.pass(1));
    }
    expect(hand.breaths()).toBe(3);
  });

  it('rests after three slow answers in a row, for ten seconds', async () => {
    const hand = byHand();
    const pace = createPace(hand);
    for (let at = 0; at < 3; at += 1) pace.measure(() => hand.pass(5));
    expect(await pace.ready()).toBe(false);
    hand.pass(10_000);
    expect(await pace.ready()).toBe(true);
  });

  it('does not mind a slow answer among fast ones', async () => {
    const hand = byHand();
    const pace = createPace(hand);
    for (const ms of [5, 5, 0, 5, 5]) pace.measure(() => hand.pass(ms));
    expect(await pace.ready()).toBe(true);
  });

  it('passes on what an operation throws', () => {
    expect(() => createPace(byHand()).measure(() => { throw new Error('gone'); })).toThrow('gone');
  });
});
