import type { Ids } from '../../src/engine/ports/ids';

/**
 * The `n`-th id (from 1) of `createFakeIds(series)`, e.g. `fakeId(1)` is `01900000-0000-7000-8000-000000000001`.
 * Well-formed UUIDv7, ascending with `n` within a series.
 */
export function fakeId(n: number, series = 0): string {
  return `019${series.toString(16).padStart(5, '0')}-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** Ids that count up. Two machines in one test take two `series`, so that their ids never meet. */
export function createFakeIds(series = 0): Ids {
  let n = 0;
  return { next: () => fakeId((n += 1), series) };
}
