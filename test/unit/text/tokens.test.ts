import { describe, expect, it } from 'vitest';
import { createTokenCounter } from '../../../src/engine/text/tokens';
import { sha256Hex } from '../../../src/engine/text/hash';

describe('tokens', () => {
  it('are those of o200k_base', async () => {
    const { count } = createTokenCounter();
    expect(await count('')).toBe(0);
    expect(await count('hello world')).toBe(2);
    expect(await count('你好，世界')).toBe(3);
  });
  it('count words that look like control tokens as words', async () => {
    expect(await createTokenCounter().count('<|endoftext|>')).toBeGreaterThan(1);
  });
  it('can be had at once when the tables are there', async () => {
    const counter = createTokenCounter();
    await counter.count('x');
    expect(counter.countSync('hello world')).toBe(2);
  });
  it('are counted in linear time even without a break in the text', async () => {
    const counter = createTokenCounter();
    const run = '雨夜青石板上水声不绝他推门而入谁在里面'.repeat(1_000);
    const started = performance.now();
    expect(await counter.count(run)).toBeGreaterThan(10_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('sha256Hex', () => {
  it('hashes text as UTF-8', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256Hex('雨')).toBe(sha256Hex(Uint8Array.of(0xe9, 0x9b, 0xa8)));
  });
});
