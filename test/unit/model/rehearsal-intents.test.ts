import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findIntents } from '../../../src/engine/model/rehearsal/intents';
import { chineseNumber, parseNumber } from '../../../src/engine/model/rehearsal/numbers';
import { blockEdit, uniqueEdits } from '../../../src/engine/model/rehearsal/unique-edits';

const change = (old: string, fresh: string, rest: object = {}): object => ({ kind: 'replace', old, new: fresh, all: false, ...rest });
const chapter = (n: number): object => ({ ref: { by: 'number', n } });

describe('requests in the author’s words', () => {
  it.each([
    ['把「甲」改成「乙」', [change('甲', '乙')]],
    ['将“甲”换成“乙”', [change('甲', '乙')]],
    ['“甲”改为“乙”', [change('甲', '乙')]],
    ['把「他说『走』」改成「他说『留』」', [change('他说『走』', '他说『留』')]],
    ['把第三章的「甲」改成「乙」', [change('甲', '乙', chapter(3))]],
    ['在第十二章里，把「甲」都改成「乙」', [change('甲', '乙', { ...chapter(12), all: true })]],
    ['把「甲」改成「乙」，只改第2章', [change('甲', '乙', chapter(2))]],
    ['把《渡口》里的「甲」改成「乙」', [change('甲', '乙', { ref: { by: 'title', title: '渡口' } })]],
    ['把正文/001-雨.md里的「甲」改成「乙」', [change('甲', '乙', { ref: { by: 'path', path: '正文/001-雨.md' } })]],
    ['把最后一章的「甲」改成「乙」', [change('甲', '乙', { ref: { by: 'last' } })]],
    ['把全书的「甲」改成「乙」', [change('甲', '乙', { all: true })]],
    ['把所有「甲」改成「乙」', [change('甲', '乙', { all: true })]],
    ['把「甲」统统改成「乙」', [change('甲', '乙', { all: true })]],
    ['把「甲」改成「乙」，全书', [change('甲', '乙', { all: true })]],
    ['把「甲」改成「乙」，把「丙」改成「丁」', [change('甲', '乙'), change('丙', '丁')]],
    ['在第一章「甲」后面加上「乙」', [change('甲', '甲乙', chapter(1))]],
    ['在「甲」前插入「乙」', [change('甲', '乙甲')]],
    ['删掉第一章里的「甲」', [change('甲', '', chapter(1))]],
    ['把「甲」删了', [change('甲', '')]],
    ['change "a" to "b"', [change('a', 'b')]],
    ['Replace "a" with "b" in chapter 3, please', [change('a', 'b', chapter(3))]],
    ['change every "a" to "b"', [change('a', 'b', { all: true })]],
    ['change "a" to "b" everywhere', [change('a', 'b', { all: true })]],
    ['in chapter two, change “a” to “b”', [change('a', 'b', chapter(2))]],
    ['add "b" after "a"', [change('a', 'ab')]],
    ['delete "a"', [change('a', '')]],
    ['新建一章《雾》', [{ kind: 'create', title: '雾', brief: '' }]],
    ['写一章《雾》：砚秋等船。', [{ kind: 'create', title: '雾', brief: '砚秋等船' }]],
    ['新建一章「雾」，写砚秋说「走」，然后读第一章', [{ kind: 'create', title: '雾', brief: '砚秋说「走」' }, { kind: 'read', refs: [{ by: 'number', n: 1 }] }]],
    ['Create a new chapter "Fog" about a boat.', [{ kind: 'create', title: 'Fog', brief: 'a boat' }]],
    ['读第三章', [{ kind: 'read', refs: [{ by: 'number', n: 3 }] }]],
    ['读一下《渡口》和第四章', [{ kind: 'read', refs: [{ by: 'title', title: '渡口' }, { by: 'number', n: 4 }] }]],
    ['读第二章到第四章', [{ kind: 'read', refs: [{ by: 'number', n: 2 }, { by: 'number', n: 3 }, { by: 'number', n: 4 }] }]],
    ['读正文/001-雨.md', [{ kind: 'read', refs: [{ by: 'path', path: '正文/001-雨.md' }] }]],
    ['读三章', [{ kind: 'read-first', count: 3 }]],
    ['看看前两章', [{ kind: 'read-first', count: 2 }]],
    ['read the first three chapters', [{ kind: 'read-first', count: 3 }]],
    ['read chapter 2 and chapter 3', [{ kind: 'read', refs: [{ by: 'number', n: 2 }, { by: 'number', n: 3 }] }]],
    ['目录', [{ kind: 'outline' }]],
    ['list the chapters', [{ kind: 'outline' }]],
    ['搜索「铜哨」', [{ kind: 'search', pattern: '铜哨' }]],
    ['「铜哨」在哪里出现过？', [{ kind: 'search', pattern: '铜哨' }]],
    ['搜索 铜哨', [{ kind: 'search', pattern: '铜哨' }]],
    ['search for "whistle"', [{ kind: 'search', pattern: 'whistle' }]],
    ['删除第三章', [{ kind: 'delete', ref: { by: 'number', n: 3 } }]],
    ['把第三章改名为《旧钟》', [{ kind: 'rename', ref: { by: 'number', n: 3 }, title: '旧钟' }]],
    ['重命名《渡口》为《码头》', [{ kind: 'rename', ref: { by: 'title', title: '渡口' }, title: '码头' }]],
    ['rename chapter 3 to "Clock"', [{ kind: 'rename', ref: { by: 'number', n: 3 }, title: 'Clock' }]],
    ['给个选项', [{ kind: 'options' }]],
    ['我不知道怎么办', [{ kind: 'options' }]],
    ['give me some options', [{ kind: 'options' }]],
    // words in quotes are not requests
    ['把「删除第三章」改成「读第一章」', [change('删除第三章', '读第一章')]],
    ['你觉得第三章怎么样？', []],
    ['节奏是不是慢了', []],
    ['', []],
  ])('%s', (words, intents) => {
    expect(findIntents(words)).toEqual(intents);
  });
});

describe('numbers', () => {
  it.each([['三', 3], ['十', 10], ['十二', 12], ['二十', 20], ['二十五', 25], ['一百零五', 105], ['一百一十', 110], ['12', 12], ['１２', 12], ['three', 3], ['两', 2]])('%s is %i', (text, n) => {
    expect(parseNumber(text)).toBe(n);
  });

  it('everything else is none', () => {
    expect(['', '甲', 'the', '1a'].map(parseNumber)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('reads what it writes', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 999 }), (n) => parseNumber(chineseNumber(n)) === n));
    expect([9, 10, 11, 20, 99, 105, 110, 111].map(chineseNumber)).toEqual(['九', '十', '十一', '二十', '九十九', '一百零五', '一百一十', '一百一十一']);
  });
});

describe('quotes that occur once', () => {
  it('edits made from them leave the text as replacing all would', () => {
    const line = fc.string({ unit: fc.constantFrom('雨', '下', '了', '。', '𠮷'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.constantFrom('雨', '雨下', '𠮷'), (lines, old) => {
        const text = lines.join('\n');
        const block = blockEdit(text, old, '雪$&');
        const edits = uniqueEdits(text, old, '雪$&') ?? (block === undefined ? [] : [block]);
        let changed = text;
        for (const edit of edits) {
          expect(text.split(edit.old)).toHaveLength(2);
          changed = changed.replace(edit.old, () => edit.new);
        }
        expect(changed).toBe(text.replaceAll(old, () => '雪$&'));
      }),
    );
  });
});
