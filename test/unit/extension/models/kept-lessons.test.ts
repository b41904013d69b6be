import { describe, expect, test } from 'vitest';
import { createKeptLessons } from '../../../../src/extension/models/kept-lessons';
import type { KeptLessons } from '../../../../src/extension/models/kept-lessons';
import { createMemoryLog } from '../../../fakes/log';
import { createMemory } from './memory';

const BASE = 'https://a.example/v1';
const DAY = 24 * 60 * 60 * 1000;

function createParts(): { readonly memory: ReturnType<typeof createMemory>; readonly reload: () => KeptLessons; readonly advance: (ms: number) => void } {
  const memory = createMemory();
  let now = 1_000 * DAY;
  return { memory, reload: () => createKeptLessons({ memory, now: () => now, log: createMemoryLog() }), advance: (ms) => void (now += ms) };
}

describe('what a service has taught', () => {
  test('is still known after a reload, for this service and model alone', () => {
    const { reload } = createParts();
    const book = reload().book(BASE, 'm');
    book.add({ thinkWithoutOpening: true });
    book.add({ refused: ['temperature'] });
    expect(reload().book('https://a.example/v2', 'm').current()).toEqual({ thinkWithoutOpening: true, refused: ['temperature'] });
    expect(reload().book(BASE, 'n').current()).toEqual({});
    expect(reload().book('https://b.example/v1', 'm').current()).toEqual({});
  });

  test.each([{ reasoning: 'calls' }, { reasoning: 'never' }, { system: 'developer' }, { system: 'user', mergeRoles: true }, { noStream: true, oneSystem: true }] as const)(
    '%j is still known after a reload',
    (lesson) => {
      const { reload } = createParts();
      reload().book(BASE, 'm').add(lesson);
      expect(reload().book(BASE, 'm').current()).toEqual(lesson);
    },
  );

  test('that it takes no tools is known in this window alone', () => {
    const { memory, reload } = createParts();
    const book = reload().book(BASE, 'm');
    book.add({ noTools: true });
    expect(book.current()).toEqual({ noTools: true });
    expect(memory.values.get('model.lessons')).toBe('[]');
    book.add({ noStreamOptions: true });
    expect(reload().book(BASE, 'm').current()).toEqual({ noStreamOptions: true });
  });

  test('is learned anew after a week, or when that is asked for', () => {
    const { reload, advance } = createParts();
    reload().book(BASE, 'm').add({ noStreamOptions: true });
    advance(6 * DAY);
    expect(reload().book(BASE, 'm').current()).toEqual({ noStreamOptions: true });
    advance(DAY);
    expect(reload().book(BASE, 'm').current()).toEqual({});
    reload().book(BASE, 'm').add({ noToolChoice: true });
    reload().forget(BASE, 'm');
    expect(reload().book(BASE, 'm').current()).toEqual({});
  });

  test('is kept for fifty services at most, the newest', () => {
    const { memory, reload } = createParts();
    for (let i = 0; i < 60; i += 1) reload().book(BASE, `m${String(i)}`).add({ noStreamOptions: true });
    expect(memory.get<unknown[]>('model.lessons')).toHaveLength(50);
    expect([reload().book(BASE, 'm9').current(), reload().book(BASE, 'm10').current()]).toEqual([{}, { noStreamOptions: true }]);
  });

  test('in a form that is not known is passed over', async () => {
    const { memory, reload } = createParts();
    for (const value of ['x', { a: 1 }, [null, 1, { key: `https://a.example m`, at: 1_000 * DAY, lessons: 'x' }]]) {
      await memory.update('model.lessons', value);
      expect(reload().book(BASE, 'm').current()).toEqual({});
    }
    await memory.update('model.lessons', [{ key: 'https://a.example m', at: 1_000 * DAY, lessons: { refused: 3, emptyContent: 'empty', later: true } }]);
    expect(reload().book(BASE, 'm').current()).toEqual({ emptyContent: 'empty' });
  });
});
