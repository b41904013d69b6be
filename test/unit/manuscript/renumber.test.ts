import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NumberedChapter } from '../../../src/engine/manuscript/numbering';
import { renameSteps } from '../../../src/engine/manuscript/rename-steps';
import { placedAt, placedIn, planOrder, type WantedPlace } from '../../../src/engine/manuscript/renumber';

/** `卷/名` or `名`, with a heading after `|`. */
function chapters(...lines: readonly string[]): readonly NumberedChapter[] {
  return lines.map((line) => {
    const [path = '', heading] = line.split('|');
    const cut = path.lastIndexOf('/');
    return { path: `正文/${path}.md`, volume: cut === -1 ? '' : path.slice(0, cut), ...(heading === undefined ? {} : { heading }) };
  });
}
const asTheyAre = (all: readonly NumberedChapter[]): readonly WantedPlace[] => all.map(({ path, volume }) => ({ path, volume }));
const short = (path: string): string => path.replace(/^正文\//, '').replace(/\.md$/, '');

function plan(all: readonly NumberedChapter[], wanted: readonly WantedPlace[], how: 'close' | 'keep'): unknown {
  const planned = planOrder('正文', all, wanted, how);
  if (!planned.ok) return planned.error.code;
  return planned.value.map(({ from, to, heading }) => `${short(from)} → ${short(to)}${heading === undefined ? '' : ` | ${heading.from} → ${heading.to}`}`);
}

describe('numbering anew', () => {
  it('closes gaps and takes insertions in, padding kept', () => {
    const all = chapters('000-序', '001-雨', '003-信', '003-2-灯', '004-潮');
    expect(plan(all, asTheyAre(all), 'close')).toEqual(['003-信 → 002-信', '003-2-灯 → 003-灯']);
  });

  it('keeps the style of Chinese numerals, in names and headings', () => {
    const all = chapters('第十九章 雨|第十九章 雨', '第二十章 信|第二十章 信', '第二十章-2-灯|第二十章 灯', '第二十一章 潮|第21章 潮');
    expect(plan(all, asTheyAre(all), 'close')).toEqual([
      '第二十章-2-灯 → 第二十一章-灯 | 第二十章 灯 → 第二十一章 灯',
      '第二十一章 潮 → 第二十二章 潮 | 第21章 潮 → 第22章 潮',
    ]);
  });

  it('goes on through volumes, or begins anew in each, as the numbers do', () => {
    const through = chapters('卷一/001-甲', '卷一/003-乙', '卷二/004-丙');
    expect(plan(through, asTheyAre(through), 'close')).toEqual(['卷一/003-乙 → 卷一/002-乙', '卷二/004-丙 → 卷二/003-丙']);
    const anew = chapters('卷一/001-甲', '卷一/003-乙', '卷二/001-丙');
    expect(plan(anew, asTheyAre(anew), 'close')).toEqual(['卷一/003-乙 → 卷一/002-乙']);
  });

  it('leaves chapters without a number, and headings that say nothing of one, alone', () => {
    const all = chapters('001-雨|1984', '003-信|信', '番外');
    expect(plan(all, asTheyAre(all), 'close')).toEqual(['003-信 → 002-信']);
  });

  it('takes both numbers of a name along', () => {
    const all = chapters('001-第一章 雨|第一章 雨', '003-第三章 信|第三章 信');
    expect(plan(all, asTheyAre(all), 'close')).toEqual(['003-第三章 信 → 002-第二章 信 | 第三章 信 → 第二章 信']);
  });
});

describe('another order', () => {
  it('lets numbers change places, and touches only the chapters in between', () => {
    const all = chapters('001-甲', '003-乙', '005-丙', '008-丁');
    expect(plan(all, placedAt(all, ['正文/005-丙.md'], '正文/001-甲.md'), 'keep')).toEqual(['005-丙 → 001-丙', '001-甲 → 003-甲', '003-乙 → 005-乙']);
    expect(plan(all, placedAt(all, ['正文/001-甲.md'], '正文/003-乙.md'), 'keep')).toEqual(['003-乙 → 001-乙', '001-甲 → 003-甲']);
  });

  it('moves a chapter into another volume, where numbers go on', () => {
    const all = chapters('卷一/001-甲', '卷一/002-乙', '卷二/003-丙');
    expect(plan(all, placedIn('正文', all, ['正文/卷一/001-甲.md'], '卷二'), 'keep')).toEqual(['卷一/002-乙 → 卷一/001-乙', '卷二/003-丙 → 卷二/002-丙', '卷一/001-甲 → 卷二/003-甲']);
    expect(plan(all, placedAt(all, ['正文/卷二/003-丙.md'], '正文/卷一/002-乙.md'), 'keep')).toEqual(['卷二/003-丙 → 卷一/002-丙', '卷一/002-乙 → 卷一/003-乙']);
  });

  it('moves a chapter into another volume, where each has its own numbers', () => {
    const all = chapters('卷一/001-甲|第一章 甲', '卷一/002-乙|第二章 乙', '卷二/001-丙|第一章 丙');
    expect(plan(all, placedIn('正文', all, ['正文/卷一/001-甲.md'], '卷二'), 'keep')).toEqual([
      '卷一/002-乙 → 卷一/001-乙 | 第二章 乙 → 第一章 乙',
      '卷一/001-甲 → 卷二/002-甲 | 第一章 甲 → 第二章 甲',
    ]);
  });

  it('is refused where a name without a number decides its own place', () => {
    const all = chapters('乙', '甲');
    expect(plan(all, placedAt(all, ['正文/甲.md'], '正文/乙.md'), 'keep')).toBe('chapters.no-order');
  });

  it('is refused when two names would be one', () => {
    const all = chapters('卷一/甲', '卷二/甲');
    expect(plan(all, placedIn('正文', all, ['正文/卷一/甲.md'], '卷二'), 'keep')).toBe('path.clash');
  });

  it('of any kind comes out as asked, with every chapter once', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8, maxLength: 8 }), fc.boolean(), (order, close) => {
        const all = chapters(...order.map((n, at) => `${String(at + 1).padStart(2, '0')}-${'甲乙丙丁戊己庚辛'.charAt(n)}`));
        const wanted = order.map((at) => all[at]).flatMap((one) => (one === undefined ? [] : [{ path: one.path, volume: '' }]));
        const planned = planOrder('正文', all, wanted, close ? 'close' : 'keep');
        if (!planned.ok) throw new Error(planned.error.code);
        const names = new Map(planned.value.map(({ from, to }) => [from, to]));
        const result = wanted.map(({ path }) => names.get(path) ?? path);
        expect(result).toEqual([...result].sort());
        expect(new Set(result).size).toBe(8);
      }),
    );
  });
});

describe('steps of renames', () => {
  const between = (path: string): string => `${path}~`;

  it('let who stands in the way go first', () => {
    expect(renameSteps([{ from: '1', to: '2' }, { from: '2', to: '3' }], between)).toEqual([{ from: '2', to: '3' }, { from: '1', to: '2' }]);
  });

  it('open a swap by one name in between', () => {
    expect(renameSteps([{ from: '1', to: '2' }, { from: '2', to: '1' }], between)).toEqual([{ from: '1', to: '1~' }, { from: '2', to: '1' }, { from: '1~', to: '2' }]);
  });

  it('leave case alone to the one file', () => {
    expect(renameSteps([{ from: 'a', to: 'A' }], between)).toEqual([{ from: 'a', to: 'A' }]);
  });

  it('never meet a taken name, and end where they should, for any exchange of names', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8], { minLength: 9, maxLength: 9 }), fc.nat({ max: 9 }), (order, shift) => {
        const renames = order.map((to, from) => ({ from: `f${from}`, to: `f${to + (to % 3 === 0 ? shift * 9 : 0)}` }));
        const files = new Map(order.map((_, at) => [`f${at}`, at]));
        for (const { from, to } of renameSteps(renames, between)) {
          expect(files.has(to)).toBe(false);
          files.set(to, files.get(from) ?? -1);
          files.delete(from);
        }
        expect([...files].sort()).toEqual(renames.map(({ to }, at) => [to, at] as const).sort());
      }),
    );
  });
});
