import { describe, expect, it } from 'vitest';
import { callLimit, fittingFromEnd, turnsToSummarise } from '../../../src/engine/summary/plan';

const turns = (...tokens: readonly number[]): readonly { readonly id: string; readonly tokens: number }[] => tokens.map((count, at) => ({ id: `t${at}`, tokens: count }));

describe('a call may have', () => {
  it.each([
    ['the window minus the output limit, when that is more than 12 %', { window: 100_000, maxOutput: 16_000 }, 84_000],
    ['the window minus 12 %, when the output limit is less', { window: 100_000, maxOutput: 4_000 }, 88_000],
    ['half of the window, whatever the output limit', { window: 8_192, maxOutput: 8_192 }, 4_096],
  ])('%s', (_, size, limit) => {
    expect(callLimit(size)).toBe(limit);
  });
});

describe('compaction keeps', () => {
  const big = { window: 200_000, maxOutput: 8_000 };

  it('whole turns from the end up to 20,000 tokens in a large window', () => {
    expect(turnsToSummarise({ turns: turns(90_000, 60_000, 9_000, 9_000, 2_000), size: big, fixed: 3_000, forced: false })).toBe(2);
    expect(turnsToSummarise({ turns: turns(90_000, 60_000, 9_000, 9_000, 2_001), size: big, fixed: 3_000, forced: false })).toBe(3);
  });

  it('up to 40 % in a small one', () => {
    const size = { window: 20_000, maxOutput: 2_000 };
    expect(turnsToSummarise({ turns: turns(5_000, 4_000, 4_000, 4_000), size, fixed: 2_000, forced: false })).toBe(2);
  });

  it('the last turn, however long', () => {
    expect(turnsToSummarise({ turns: turns(100, 150_000), size: big, fixed: 3_000, forced: false })).toBe(1);
    expect(turnsToSummarise({ turns: turns(150_000), size: big, fixed: 3_000, forced: true })).toBe(0);
  });

  it('no more than there is room for beside rules and tools', () => {
    // 8,000 − 1,000 for the answer − 2,000 for the summary − 4,000 leaves 1,000.
    const size = { window: 8_000, maxOutput: 1_000 };
    expect(turnsToSummarise({ turns: turns(900, 900, 900, 90), size, fixed: 4_000, forced: false })).toBe(2);
  });

  it('at most half of the words when it is asked for although there is room', () => {
    expect(turnsToSummarise({ turns: turns(100, 100, 100, 100), size: big, fixed: 3_000, forced: true })).toBe(2);
    expect(turnsToSummarise({ turns: turns(100, 100), size: big, fixed: 3_000, forced: true })).toBe(1);
    expect(turnsToSummarise({ turns: turns(100, 100, 100, 100), size: big, fixed: 3_000, forced: false })).toBe(0);
  });

  it('nothing of no turns', () => {
    expect(fittingFromEnd([], 100)).toBe(0);
  });
});
