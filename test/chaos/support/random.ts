import { createHash } from 'node:crypto';

/** Draws that follow from a seed alone. */
export interface Random {
  /** In [0, below). */
  below(limit: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: (from) => {
      if (from.length === 0) throw new Error('nothing to pick from');
      return from[below(from.length)] as (typeof from)[number];
    },
  };
}

/** The seed of this run: `LIYUAN_CHAOS_SEED`, one drawn anew when that is `new`, else always the same, so that a check means the same tomorrow. */
const asked = process.env['LIYUAN_CHAOS_SEED'] ?? '20261201';
export const runSeed = asked === 'new' ? String(Math.floor(Math.random() * 1_000_000_000)) : asked;
