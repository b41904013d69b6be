import { describe, expect, it } from 'vitest';
import { overLimit } from '../../../src/engine/usage/limits';
import { costOf } from '../../../src/engine/usage/price';
import { speedOf } from '../../../src/engine/usage/call';
import { sumOfCall } from '../../../src/engine/usage/sums';
import { callAt, NOON } from './support';

const yuan = { input: 2, cached: 0.2, output: 8, currency: 'CNY' } as const;
const spent = (cost: number, currency = 'CNY'): ReturnType<typeof sumOfCall> => sumOfCall(callAt(NOON, { cost, currency }));

describe('what tokens cost', () => {
  it('is told by input, what came from the cache, and output', () => {
    expect(costOf({ input: 1_000_000, cached: 500_000, output: 250_000 }, yuan)).toBeCloseTo(1 + 0.1 + 2);
    expect(costOf({ input: 1_000_000, output: 0 }, yuan)).toBe(2);
    expect(costOf({ input: 1_000_000, cached: 1_000_000, output: 0 }, { input: 2, output: 8, currency: 'USD' })).toBe(2);
    // A service that counts what was cached beside the input.
    expect(costOf({ input: 10, cached: 30, output: 0 }, { input: 1_000_000, cached: 0, output: 0, currency: 'CNY' })).toBe(0);
  });
});

describe('the limit of a day', () => {
  it('may just be reached in money, and not be gone over', () => {
    const limits = { cost: 0.3 };
    // 0.1 + 0.2 is more than 0.3 by a hair in binary.
    expect(overLimit(limits, [spent(0.1)], [], { input: 100_000, price: yuan })).toBeUndefined();
    expect(overLimit(limits, [spent(0.1)], [], { input: 100_001, price: yuan })).toMatchObject({ code: 'usage.over-budget', args: { spent: 0.1, limit: 0.3, unit: 'CNY' } });
  });

  it('may just be reached in tokens, in and out together', () => {
    const limits = { tokens: 220 };
    expect(overLimit(limits, [sumOfCall(callAt(NOON))], [], { input: 110 })).toBeUndefined();
    expect(overLimit(limits, [sumOfCall(callAt(NOON))], [], { input: 111 })).toEqual({ code: 'usage.over-budget', args: { spent: 110, estimate: 111, limit: 220, unit: 'tokens' } });
  });

  it('counts money of its own currency alone, and nothing without a price', () => {
    expect(overLimit({ cost: 1 }, [spent(100, 'USD')], [], { input: 1, price: yuan })).toBeUndefined();
    expect(overLimit({ cost: 1 }, [spent(100)], [], { input: 1_000_000 })).toBeUndefined();
    expect(overLimit({ cost: 0 }, [], [], { input: 1, price: yuan })?.code).toBe('usage.over-budget');
    expect(overLimit({}, [spent(100)], [], { input: 1, price: yuan })).toBeUndefined();
  });

  it('counts what is under way', () => {
    expect(overLimit({ tokens: 100 }, [], [{ input: 60 }], { input: 40 })).toBeUndefined();
    expect(overLimit({ tokens: 100 }, [], [{ input: 60 }], { input: 41 })?.args).toMatchObject({ spent: 60 });
    expect(overLimit({ cost: 0.2 }, [], [{ input: 60_000, price: yuan }], { input: 40_001, price: yuan })?.code).toBe('usage.over-budget');
  });
});

describe('tokens per second', () => {
  it('are those of the time in which the answer came', () => {
    expect(speedOf({ output: 100, firstMs: 500, ms: 2_500 })).toBe(50);
    expect(speedOf({ output: 100, ms: 2_500 })).toBeUndefined();
    expect(speedOf({ output: 0, firstMs: 500, ms: 2_500 })).toBeUndefined();
    expect(speedOf({ output: 3, firstMs: 500, ms: 500 })).toBeUndefined();
  });
});
