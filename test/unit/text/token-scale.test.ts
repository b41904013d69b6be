import { describe, expect, it } from 'vitest';
import type { ScaleMemory } from '../../../src/engine/text/token-scale';
import { createTokenScale, inOurTokens, scaleKey } from '../../../src/engine/text/token-scale';
import { countTokens } from '../../../src/engine/text/tokens';

const MODEL = 'https://a.example m';
const used = (input: number, more: { readonly cached?: number } = {}): { readonly input: number; readonly output: number } => ({ input, output: 10, ...more });

/** Always the same numbers between -1 and 1. */
function createNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 0xffffffff) * 2 - 1;
  };
}

const SENTENCES = ['雨下了三天，巷子里的青石板泛着冷光。', '他推开门，屋里没有点灯，只听见水声。', '“谁在里面？”她问，声音压得很低。', '掌柜的把算盘往桌上一搁，叹了口气。', '城门将闭，鼓声一下一下地敲着。'];
const chapter = (call: number): string => Array.from({ length: 120 + 40 * call }, (_, at) => SENTENCES[(at * (call + 2)) % SENTENCES.length]).join('');

function createMemory(): ScaleMemory & { readonly kept: () => unknown } {
  let kept: unknown;
  return { get: () => kept, set: (value) => { kept = structuredClone(value); }, kept: () => kept };
}

describe('how a model counts tokens', () => {
  it.each([0.6, 0.8, 1.3])('is known within 10 %% after five calls with Chinese text: factor %s, with noise', async (factor) => {
    const noise = createNoise(7);
    const scale = createTokenScale();
    for (let call = 1; call <= 5; call += 1) {
      const estimated = await countTokens(chapter(call));
      scale.learn(MODEL, estimated, used(Math.round(estimated * factor * (1 + 0.03 * noise()))));
    }
    expect(scale.learned(MODEL)).toBe(true);
    for (let call = 6; call <= 12; call += 1) {
      const estimated = await countTokens(chapter(call));
      const real = estimated * factor;
      expect(Math.abs(estimated * scale.factor(MODEL) - real) / real).toBeLessThan(0.1);
    }
  });

  it('is ours while nothing is known, and called known after three calls', () => {
    const scale = createTokenScale();
    expect([scale.factor(MODEL), scale.learned(MODEL)]).toEqual([1, false]);
    scale.learn(MODEL, 1_000, used(800));
    scale.learn(MODEL, 1_000, used(800));
    expect([scale.factor(MODEL), scale.learned(MODEL)]).toEqual([0.8, false]);
    scale.learn(MODEL, 1_000, used(800));
    expect(scale.learned(MODEL)).toBe(true);
    expect(scale.learned('https://b.example m')).toBe(false);
  });

  it('follows a service that changes, the newest calls counting most', () => {
    const scale = createTokenScale();
    for (let call = 0; call < 10; call += 1) scale.learn(MODEL, 1_000, used(700));
    for (let call = 0; call < 8; call += 1) scale.learn(MODEL, 1_000, used(1_200));
    expect(scale.factor(MODEL)).toBeGreaterThan(1.1);
    expect(scale.factor(MODEL)).toBeLessThan(1.2);
  });

  it('is not learned from calls without figures, from tiny ones, and from counts that leave out what was cached', () => {
    const scale = createTokenScale();
    scale.learn(MODEL, 1_000, undefined);
    scale.learn(MODEL, 1_000, used(0));
    scale.learn(MODEL, 1_000, used(Number.NaN));
    scale.learn(MODEL, 0, used(50));
    scale.learn(MODEL, 60, used(120));
    scale.learn(MODEL, 1_000, used(90));
    expect(scale.factor(MODEL)).toBe(1);
    scale.learn(MODEL, 1_000, used(90, { cached: 910 }));
    expect(scale.factor(MODEL)).toBe(1);
    scale.learn(MODEL, 1_000, used(700, { cached: 600 }));
    expect(scale.factor(MODEL)).toBeCloseTo(0.85);
  });

  it('never goes beyond two and a half times ours', () => {
    const scale = createTokenScale();
    for (let call = 0; call < 5; call += 1) scale.learn(MODEL, 1_000, used(9_000));
    expect(scale.factor(MODEL)).toBe(2.5);
  });

  it('is kept, whatever stands in the memory', () => {
    const memory = createMemory();
    createTokenScale(memory).learn(MODEL, 1_000, used(800));
    expect(createTokenScale(memory).factor(MODEL)).toBe(0.8);
    const [kept] = memory.kept() as readonly object[];
    memory.set(['nonsense', { model: MODEL, factor: 99, calls: 1 }, { ...kept, model: 'other' }]);
    const again = createTokenScale(memory);
    expect([again.factor(MODEL), again.factor('other')]).toEqual([1, 0.8]);
    memory.set('nonsense');
    expect(createTokenScale(memory).factor(MODEL)).toBe(1);
  });

  it('is kept for a hundred models at most, the one asked longest ago forgotten first', () => {
    const memory = createMemory();
    const scale = createTokenScale(memory);
    for (let at = 0; at < 100; at += 1) scale.learn(`m${at}`, 1_000, used(800));
    scale.learn('m0', 1_000, used(800));
    scale.learn('new', 1_000, used(800));
    expect([scale.factor('m0'), scale.factor('m1'), scale.factor('new')]).toEqual([0.8, 1, 0.8]);
    expect(memory.kept()).toHaveLength(100);
  });

  it('makes a window that holds fewer of its tokens smaller in ours', () => {
    const scale = createTokenScale();
    const client = { id: MODEL, name: 'm', window: 10_000, maxOutput: 1_000 };
    expect(inOurTokens(client, scale)).toEqual({ window: 10_000, maxOutput: 1_000 });
    scale.learn(scaleKey(client), 1_000, used(1_250));
    expect(inOurTokens(client, scale)).toEqual({ window: 8_000, maxOutput: 800 });
    expect(inOurTokens({ ...client, id: 'https://b.example m' }, scale).window).toBe(10_000);
  });
});

it('What was estimated on this side makes room smaller, never larger', () => {
  const scale = createTokenScale();
  scale.learn(MODEL, 1_000, { ...used(500), estimated: true });
  expect(scale.factor(MODEL)).toBe(1);
  scale.learn('other', 1_000, { ...used(1_300), estimated: true });
  expect(scale.factor('other')).toBe(1.3);
});
