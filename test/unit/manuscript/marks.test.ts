import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addLine, emptyState } from '../../../src/engine/manuscript/log-state';
import { markOf } from '../../../src/engine/manuscript/marks';
import { codeOf, must, withWorld, type World } from './world';

async function taken(world: World, text: string): Promise<string> {
  await world.write('正文/a.md', text);
  return must(await world.checkpoints.take({ author: 'user', message: text }))?.id ?? '';
}

describe('marks on checkpoints', () => {
  it('pin and name one, each without touching the other, and stay after a restart', () =>
    withWorld(async (world) => {
      const id = await taken(world, '一');
      must(await world.checkpoints.mark(id, { pinned: true }));
      must(await world.checkpoints.mark(id, { name: ' 第一稿 ' }));
      expect([...must(await world.checkpoints.marks())]).toEqual([[id, { pinned: true, name: '第一稿' }]]);
      must(await world.checkpoints.mark(id, { pinned: false }));
      expect([...must(await world.reopen().checkpoints.marks())]).toEqual([[id, { pinned: false, name: '第一稿' }]]);
      must(await world.checkpoints.mark(id, { name: '' }));
      expect(must(await world.checkpoints.marks()).size).toBe(0);
      expect((await world.lines()).slice(1).map(({ type, target, pinned, name }) => ({ type, target, pinned, name }))).toEqual([
        { type: 'mark', target: id, pinned: true },
        { type: 'mark', target: id, name: '第一稿' },
        { type: 'mark', target: id, pinned: false },
        { type: 'mark', target: id, name: '' },
      ]);
    }));

  it('are later than the ones before, though the clock stands still or went back', () =>
    withWorld(async (world) => {
      const id = await taken(world, '一');
      must(await world.checkpoints.mark(id, { name: '乙' }));
      world.clock.set(world.clock.now() - 3_600_000);
      must(await world.checkpoints.mark(id, { name: '甲' }));
      expect(must(await world.checkpoints.marks()).get(id)?.name).toBe('甲');
    }));

  it('refuse what is not there, and an untrusted project', () =>
    withWorld(async (world) => {
      const id = await taken(world, '一');
      expect(codeOf(await world.checkpoints.mark('x', { pinned: true }))).toBe('checkpoint.not-found');
      expect(codeOf(await world.reopen({ readOnly: true }).checkpoints.mark(id, { pinned: true }))).toBe('store.read-only');
    }));

  it('come to the same in any order of lines', () => {
    const line = fc.record({
      type: fc.constant('mark' as const),
      target: fc.constant('c'),
      ts: fc.nat(3),
      said: fc.oneof(fc.record({ pinned: fc.boolean() }), fc.record({ name: fc.constantFrom('', '甲', '乙') }), fc.record({ pinned: fc.boolean(), name: fc.constantFrom('', '甲') })),
    });
    const orders = fc.array(line, { maxLength: 6 }).chain((lines) => fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })));
    fc.assert(
      fc.property(orders, ([lines, shuffled]) => {
        const folded = [lines, shuffled].map((ordered) => {
          const state = emptyState();
          for (const { said, ...rest } of ordered) addLine(state, { ...rest, ...said });
          return markOf(state.marks.get('c'));
        });
        expect(folded[0]).toEqual(folded[1]);
      }),
      { numRuns: 500 },
    );
  });
});
