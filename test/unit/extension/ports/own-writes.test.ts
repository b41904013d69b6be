import { expect, test } from 'vitest';
import { createOwnWrites } from '../../../../src/extension/ports/documents/own-writes';

const bytes = (text: string): Uint8Array => Buffer.from(text);

test('what we left on disk is recognised, again and again', () => {
  const own = createOwnWrites();
  own.left('a', bytes('一'));
  expect(own.recognises('a', bytes('一'))).toBe(true);
  expect(own.recognises('a', bytes('一'))).toBe(true);
  expect(own.recognises('b', bytes('一'))).toBe(false);
});

test('once something else was there, our own bytes are news again', () => {
  const own = createOwnWrites();
  own.left('a', bytes('一'));
  expect(own.recognises('a', bytes('二'))).toBe(false);
  expect(own.recognises('a', bytes('一'))).toBe(false);
});

test('a file that we deleted is recognised as gone', () => {
  const own = createOwnWrites();
  own.left('a', undefined);
  expect(own.recognises('a', undefined)).toBe(true);
  expect(own.wrote('a')).toBe(false);
  expect(own.recognises('a', bytes(''))).toBe(false);
});

test('events are held back while an operation runs, and it can be asked which', async () => {
  const own = createOwnWrites();
  expect(own.holdsBack('a')).toBe(false);
  await own.during(['a', 'b'], async () => {
    expect(own.holdsBack('a')).toBe(true);
    expect(own.holdsBack('c')).toBe(false);
  });
  expect(own.holdsBack('a')).toBe(false);
  expect(own.heldBack(['a', 'b'])).toEqual(['a']);
  expect(own.heldBack(['a', 'b'])).toEqual([]);
});

test('a failed operation no longer holds events back', async () => {
  const own = createOwnWrites();
  await expect(own.during(['a'], async () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(own.holdsBack('a')).toBe(false);
});
