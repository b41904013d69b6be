import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock } from '../../../../src/extension/ports/clock';

beforeEach(() => {
  vi.useFakeTimers({ now: 5000 });
});
afterEach(() => {
  vi.useRealTimers();
});

test('the clock tells the time and runs things later, once', () => {
  const clock = createClock();
  const ran: number[] = [];
  clock.after(100, () => ran.push(clock.now()));
  vi.advanceTimersByTime(99);
  expect(ran).toEqual([]);
  vi.advanceTimersByTime(500);
  expect(ran).toEqual([5100]);
});

test('what was called off does not run', () => {
  const clock = createClock();
  let ran = false;
  const cancel = clock.after(100, () => {
    ran = true;
  });
  cancel();
  cancel();
  vi.advanceTimersByTime(500);
  expect(ran).toBe(false);
});
