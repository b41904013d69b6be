import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { invertEdit, reanchor } from '../../../src/engine/text/reanchor';
import { applyChanges, type Change } from '../../../src/engine/text/text-change';

const base = '雨下了一夜。他没有走。天亮了。';
/** 他 → 她 */
const change: Change = { start: 6, end: 7, text: '她' };
const moved = (current: string, ...changes: Change[]): string => applyChanges(current, reanchor(base, current, changes.length === 0 ? [change] : changes).changes);

describe('carrying changes over to a text that was typed into', () => {
  it('moves with words typed before it', () => {
    expect(moved('昨夜，雨下了一夜。他没有走。天亮了。')).toBe('昨夜，雨下了一夜。她没有走。天亮了。');
  });
  it('stays when words are typed behind it', () => {
    expect(moved('雨下了一夜。他没有走。天亮了。雨停了。')).toBe('雨下了一夜。她没有走。天亮了。雨停了。');
  });
  it('stays beside words typed right at its edges', () => {
    expect(moved('雨下了一夜。可是他一直没有走。天亮了。')).toBe('雨下了一夜。可是她一直没有走。天亮了。');
  });
  it('moves back when words before it are gone', () => {
    expect(moved('一夜。他没有走。天亮了。')).toBe('一夜。她没有走。天亮了。');
  });
  it('is a conflict when the same words were changed otherwise, and is left out', () => {
    const current = '雨下了一夜。谁没有走。天亮了。';
    expect(reanchor(base, current, [change])).toEqual({ changes: [], conflicts: [{ index: 0, start: 6, end: 7, found: '谁' }] });
  });
  it('is nothing when the same change was made already', () => {
    expect(reanchor(base, '雨下了一夜。她没有走。天亮了。', [change])).toEqual({ changes: [], conflicts: [] });
  });
  it('replaces what is there when forced', () => {
    const { changes } = reanchor(base, '雨下了一夜。谁没有走。天亮了。', [change], { force: true });
    expect(applyChanges('雨下了一夜。谁没有走。天亮了。', changes)).toBe('雨下了一夜。她没有走。天亮了。');
  });
  it('carries the others over when one is a conflict', () => {
    const current = '雨下了一夜。谁没有走。天亮了。';
    const { changes, conflicts } = reanchor(base, current, [change, { start: 11, end: 11, text: '可' }]);
    expect(applyChanges(current, changes)).toBe('雨下了一夜。谁没有走。可天亮了。');
    expect(conflicts).toHaveLength(1);
  });
  it('is no conflict when both sides took words away', () => {
    // ours: 没有 goes; theirs: 他没 goes.
    expect(moved('雨下了一夜。有走。天亮了。', { start: 7, end: 9, text: '' })).toBe('雨下了一夜。走。天亮了。');
    expect(moved('雨下了一夜。天亮了。', { start: 7, end: 9, text: '' })).toBe('雨下了一夜。天亮了。');
  });

  it('never loses a word the author typed, wherever it is typed', () => {
    fc.assert(
      fc.property(fc.nat(base.length), fc.nat(base.length), fc.nat(4), fc.constantFrom('', '甲乙', '丙'), (typedAt, start, length, text) => {
        const current = `${base.slice(0, typedAt)}【新】${base.slice(typedAt)}`;
        const ours = { start, end: Math.min(base.length, start + length), text };
        const { changes, conflicts } = reanchor(base, current, [ours]);
        const result = applyChanges(current, changes);
        expect(result).toContain('【新】');
        const planned = applyChanges(base, [ours]);
        if (conflicts.length === 0) expect(result.replace('【新】', '')).toBe(planned);
        else expect(result).toBe(current);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('taking an edit back out', () => {
  it('gives the text before it when nothing else happened', () => {
    const after = '雨下了一夜。她走了。天亮了。';
    expect(applyChanges(after, invertEdit(base, after, after).changes)).toBe(base);
  });
  it('keeps a phrase together, so that it is never half taken back', () => {
    // 他没有走 → 她可没肯走; the author then changed 肯.
    const after = '雨下了一夜。她可没肯走。天亮了。';
    const current = '雨下了一夜。她可没想走。天亮了。';
    const { changes, conflicts } = invertEdit(base, after, current);
    expect(changes).toEqual([]);
    expect(conflicts).toHaveLength(1);
  });
  it('gives back any text that only the edit changed', () => {
    const text = fc.array(fc.constantFrom('雨。', '夜', '他\n', '走，', 'ab '), { maxLength: 10 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, text, (before, after, tail) => {
        const current = `${after}\n【作者】${tail}`;
        const { changes, conflicts } = invertEdit(`${before}\n`, `${after}\n`, current);
        if (conflicts.length === 0) expect(applyChanges(current, changes)).toBe(`${before}\n【作者】${tail}`);
      }),
      { numRuns: 500 },
    );
  });
});
