import { expect, it } from 'vitest';
import { createWatch } from '../../../src/engine/model/watch';
import { createFakeClock } from '../../fakes/clock';

const never = new Promise<string>(() => undefined);

it('gives up after silence, counted anew from each byte', async () => {
  const clock = createFakeClock();
  const watch = createWatch(new AbortController().signal, clock, 1_000);
  const waited = watch.wait(never);
  clock.advance(999);
  watch.touch();
  clock.advance(999);
  expect(watch.stopped).toBeUndefined();
  clock.advance(1);
  expect(await waited).toBeUndefined();
  expect(watch.stopped).toBe('idle');
  expect(watch.signal.aborted).toBe(true);
});

it('does not count while nobody waits', async () => {
  const clock = createFakeClock();
  const watch = createWatch(new AbortController().signal, clock, 1_000);
  expect(await watch.wait(Promise.resolve('a'))).toEqual({ value: 'a' });
  watch.touch();
  clock.advance(10_000);
  expect(watch.stopped).toBeUndefined();
  expect(clock.pending()).toBe(0);
});

it('gives up when the caller aborts, even when what is waited for never ends', async () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const watch = createWatch(stop.signal, clock, 1_000);
  const waited = watch.wait(never);
  stop.abort();
  expect(await waited).toBeUndefined();
  expect(watch.stopped).toBe('aborted');
  expect(clock.pending()).toBe(0);
  expect(await watch.wait(Promise.reject(new Error('late')))).toBeUndefined();
});

it('passes failures on', async () => {
  const watch = createWatch(new AbortController().signal, createFakeClock(), 1_000);
  await expect(watch.wait(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

it('lets go of everything when it is over', () => {
  const clock = createFakeClock();
  const stop = new AbortController();
  const watch = createWatch(stop.signal, clock, 1_000);
  void watch.wait(never);
  watch.dispose();
  expect(clock.pending()).toBe(0);
  expect(watch.signal.aborted).toBe(true);
  stop.abort();
  expect(watch.stopped).toBeUndefined();
});
