import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createBench, median, p95, referenceCalibrationMs } from '../../../bench/framework';

const quiet = (loopMs = referenceCalibrationMs): ReturnType<typeof createBench> => createBench({ calibration: () => loopMs, say: () => {} });

/** Work that "takes" the given times, one after the other, the last for ever. */
function taking(...times: readonly number[]): () => number {
  let call = 0;
  return () => times[Math.min(call++, times.length - 1)] ?? 0;
}

describe('statistics', () => {
  test('the median of an even number of values lies between the middle two', () => {
    expect(median([9, 1, 3, 5])).toBe(4);
    expect(median([5, 100, 1])).toBe(5);
  });

  test('p95 is the value that 95 of 100 do not exceed', () => {
    expect(p95(Array.from({ length: 100 }, (_, n) => n + 1))).toBe(95);
    expect(p95(Array.from({ length: 200 }, (_, n) => 200 - n))).toBe(190);
  });
});

describe('a comparison', () => {
  test('meets its goal by the ratio of medians, warm-up left out', async () => {
    const bench = quiet();
    const row = await bench.compare({ id: 'X', name: 'x', ours: taking(1000, 2), baseline: taking(1, 8), baselineName: 'other', maxRatio: 0.25 });
    expect(row).toEqual({ id: 'X', name: 'x', value: 2, unit: 'ms', baseline: 8, baselineName: 'other', ratio: 0.25, goal: '≤ 0.25 ×', ok: true });
  });

  test('misses it above', async () => {
    const row = await quiet().compare({ id: 'X', name: 'x', ours: taking(3), baseline: taking(8), baselineName: 'other', maxRatio: 0.25 });
    expect(row.ok).toBe(false);
  });

  test('takes turns in who goes first', async () => {
    const order: string[] = [];
    await quiet().compare({
      id: 'X',
      name: 'x',
      ours: () => { order.push('o'); return 1; },
      baseline: () => { order.push('b'); return 1; },
      baselineName: 'other',
      maxRatio: 1,
    });
    expect(order.join('')).toBe('ob' + 'ob' + 'bo' + 'ob' + 'bo' + 'ob' + 'bo' + 'ob');
  });

  test('refuses a median of fewer than seven and a p95 of fewer than two hundred samples', async () => {
    const options = { id: 'X', name: 'x', ours: taking(1), baseline: taking(1), baselineName: 'other', maxRatio: 1 };
    await expect(quiet().compare({ ...options, samples: 6 })).rejects.toThrow('at least 7');
    await expect(quiet().compare({ ...options, statistic: 'p95', samples: 199 })).rejects.toThrow('at least 200');
  });
});

describe('an absolute goal', () => {
  test('grows with the calibration loop on a slower machine', async () => {
    const slow = quiet(referenceCalibrationMs * 2);
    expect((await slow.absolute({ id: 'X', name: 'x', run: taking(19), goalMs: 10 })).ok).toBe(true);
    expect((await slow.absolute({ id: 'X', name: 'x', run: taking(21), goalMs: 10 })).ok).toBe(false);
    expect((await quiet().absolute({ id: 'X', name: 'x', run: taking(11), goalMs: 10 })).ok).toBe(false);
  });
});

test('folders of a case are gone after it', () => {
  const bench = quiet();
  const folder = bench.folder();
  expect(fs.existsSync(folder)).toBe(true);
  bench.close();
  expect(fs.existsSync(folder)).toBe(false);
});
