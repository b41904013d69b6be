import { describe, expect, it } from 'vitest';
import { mapLimited } from '../../../src/engine/store/limited';

describe('mapping with a limit', () => {
  it('keeps the order of the items and never runs more at a time', async () => {
    let running = 0;
    let most = 0;
    const doubled = await mapLimited([1, 2, 3, 4, 5], 2, async (n) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => void setImmediate(resolve));
      running -= 1;
      return n * 2;
    });
    expect([doubled, most]).toEqual([[2, 4, 6, 8, 10], 2]);
  });

  it('rejects with the first failure when nothing runs any more, and begins nothing after it', async () => {
    const seen: string[] = [];
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const mapped = mapLimited(['slow', 'bad', 'never'], 2, async (name) => {
      seen.push(name);
      if (name === 'bad') throw new Error('bad');
      await slow;
      seen.push(`${name} ended`);
    }).catch((error: unknown) => void seen.push(String(error)));
    await new Promise((resolve) => void setImmediate(resolve));
    expect(seen).toEqual(['slow', 'bad']);
    release();
    await mapped;
    expect(seen).toEqual(['slow', 'bad', 'slow ended', 'Error: bad']);
  });
});
