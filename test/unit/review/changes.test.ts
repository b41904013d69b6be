import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changesBetween, editsOf, follow, rebase, withChange, withoutChange, withoutEdit } from '../../../src/engine/review/changes';

const base = '# 雨夜\n\n雨下了三天。门开了，没有人进来。灯还亮着。\n\n他没有回头。\n';

describe('the single changes of a proposal', () => {
  it('are whole Chinese sentences, and lines that come or go', () => {
    const text = '# 雨夜\n\n雨下了五天。门开了，没有人进来。灯灭了。\n\n他没有回头。\n\n天亮了。\n';
    expect(changesBetween(base, text).map(({ old, fresh }) => [old, fresh])).toEqual([
      ['雨下了三天。', '雨下了五天。'],
      ['灯还亮着。', '灯灭了。'],
      ['', '\n天亮了。\n'],
    ]);
  });

  it('are small edits within their sentence, so that what is equal in it is left alone', () => {
    const [change] = changesBetween(base, base.replace('三天', '五天'));
    expect(change === undefined ? [] : editsOf(change)).toEqual([{ start: base.indexOf('三'), end: base.indexOf('三') + 1, text: '五' }]);
  });

  it('keep their names while others are decided; equal ones are told apart', () => {
    const twice = '来。走。来。停。';
    const changes = changesBetween(twice, '去。走。去。停。');
    expect(changes.map(({ fresh }) => fresh)).toEqual(['去。', '去。']);
    expect(new Set(changes.map(({ id }) => id)).size).toBe(2);
    const three = '雨下了五天。门关了，没有人进来。灯灭了。';
    const [first, second, third] = changesBetween('雨下了三天。门开了，没有人进来。灯还亮着。', three.replace('门关了', '门开了')).concat();
    expect(third).toBeUndefined();
    const left = withChange('雨下了三天。门开了，没有人进来。灯还亮着。', first as NonNullable<typeof first>);
    expect(changesBetween(left, three.replace('门关了', '门开了')).map(({ id }) => id)).toEqual([second?.id]);
  });

  const text = fc.array(fc.constantFrom('雨停了。', '他说：“走。”', '灯灭了！', '\n', '\n\n', '夜里，', '没有人', '门 door '), { maxLength: 14 }).map((parts) => parts.join(''));

  it('accepted one after the other in any order, they give what is proposed; rejected, what it was made on', () => {
    fc.assert(
      fc.property(text, text, fc.infiniteStream(fc.nat(20)), (from, to, picks) => {
        const pick = picks[Symbol.iterator]();
        const some = (count: number): number => (pick.next().value as number) % count;
        let accepted = from;
        for (let changes = changesBetween(accepted, to), guard = 0; changes.length > 0; changes = changesBetween(accepted, to), guard += 1) {
          expect(guard).toBeLessThan(100);
          accepted = withChange(accepted, changes[some(changes.length)] as (typeof changes)[number]);
        }
        expect(accepted).toBe(to);
        let left = to;
        for (let changes = changesBetween(from, left), guard = 0; changes.length > 0; changes = changesBetween(from, left), guard += 1) {
          expect(guard).toBeLessThan(100);
          left = withoutChange(left, changes[some(changes.length)] as (typeof changes)[number]);
        }
        expect(left).toBe(from);
      }),
    );
  });

  it('each tells exactly what stands at its place on either side', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        for (const change of changesBetween(from, to)) {
          expect(from.slice(change.aStart, change.aEnd)).toBe(change.old);
          expect(to.slice(change.bStart, change.bEnd)).toBe(change.fresh);
        }
      }),
    );
  });
});

describe('a proposal and what else happens to its text', () => {
  it('moves with what the author types elsewhere', () => {
    expect(rebase(base, base.replace('没有回头', '站住了'), base.replace('三天', '五天'))).toEqual({
      text: base.replace('没有回头', '站住了').replace('三天', '五天'),
      conflicts: [],
    });
  });

  it('meets the author’s words in a conflict and leaves them as they are', () => {
    const now = rebase(base, base.replace('三天', '两夜'), base.replace('三天', '五天').replace('还亮着', '灭了'));
    expect(now.conflicts).toHaveLength(1);
    expect(now.text).toBe(base.replace('三天', '两夜').replace('还亮着', '灭了'));
  });

  it('an edit is carried over to a text that differs elsewhere, and taken out again', () => {
    expect(follow('甲。乙。', '甲。丙。', '子。乙。')).toBe('子。丙。');
    expect(withoutEdit('甲。乙。', '甲。丙。', '甲。丙。丁。')).toBe('甲。乙。丁。');
  });
});
