import { describe, expect, test } from 'vitest';
import { createClosing } from '../../../../src/extension/project/closing';
import type { Closing } from '../../../../src/extension/project/closing';
import { createFakeClock } from '../../../fakes/clock';
import type { FakeClock } from '../../../fakes/clock';
import { createMemoryLog } from '../../../fakes/log';

const bench = (): { readonly closing: Closing; readonly clock: FakeClock; readonly happened: string[] } => {
  const clock = createFakeClock();
  return { closing: createClosing({ clock, log: createMemoryLog(), mostMs: 2500 }), clock, happened: [] };
};

describe('leaving a project', () => {
  test('waits for what runs in it, then releases it', async () => {
    const { closing, happened } = bench();
    let end: () => void = () => undefined;
    closing.before(async () => {
      happened.push('stop');
      await new Promise<void>((resolve) => { end = resolve; });
      happened.push('ended');
    });
    closing.close(async () => { happened.push('released'); });
    expect(happened).toEqual(['stop']);
    end();
    await closing.done();
    expect(happened).toEqual(['stop', 'ended', 'released']);
  });

  test('does not wait for ever', async () => {
    const { closing, clock, happened } = bench();
    closing.before(() => new Promise<void>(() => undefined));
    closing.close(async () => { happened.push('released'); });
    await clock.advanceAsync(2499);
    expect(happened).toEqual([]);
    await clock.advanceAsync(1);
    await closing.done();
    expect(happened).toEqual(['released']);
  });

  test('goes on when something fails, and leaves no timer behind', async () => {
    const { closing, clock, happened } = bench();
    closing.before(() => Promise.reject(new Error('crash')));
    closing.close(() => Promise.reject(new Error('crash')));
    closing.close(async () => { happened.push('second'); });
    await closing.done();
    expect(happened).toEqual(['second']);
    expect(clock.pending()).toBe(0);
  });

  test('with the window, nothing is stopped: it is released as it stands', async () => {
    const { closing, happened } = bench();
    closing.before(async () => { happened.push('stop'); });
    closing.abandon(async () => { happened.push('released'); });
    await closing.done();
    expect(happened).toEqual(['released']);
  });

  test('asks nobody who went away before', async () => {
    const { closing, happened } = bench();
    closing.before(async () => { happened.push('stop'); })();
    closing.close(async () => { happened.push('released'); });
    await closing.done();
    expect(happened).toEqual(['released']);
  });
});
