import { expect, test } from 'vitest';
import { createIds } from '../../../../src/extension/ports/ids';

test('ids are UUIDs of version 7 that begin with the time', () => {
  const id = createIds(() => 0x0190_1234_5678).next();
  expect(id).toMatch(/^01901234-5678-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids of one process ascend within a millisecond, past its room, and when the clock goes back', () => {
  const times = [1000, 999, 5];
  let at = 0;
  const ids = createIds(() => times[Math.min(at++, times.length - 1)] ?? 0);
  const made = Array.from({ length: 10_000 }, () => ids.next());
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(10_000);
});

test('two processes do not make the same ids', () => {
  const one = createIds(() => 1);
  const other = createIds(() => 1);
  const made = Array.from({ length: 1000 }, () => [one.next(), other.next()]).flat();
  expect(new Set(made).size).toBe(2000);
});
