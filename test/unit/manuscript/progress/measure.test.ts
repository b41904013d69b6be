import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureWriting, type TextPair } from '../../../../src/engine/manuscript/progress/measure';
import { countWords } from '../../../../src/engine/text/count-words';

const rain = '雨下了一夜，巷口的灯还亮着。\n';
const lamp = '沈砚秋把信收进怀里，往河边的渡口去了。\n';
const boat = '船家说今天不开船，潮水还没有退。\n';
const written = (...pairs: readonly (readonly [string, string])[]): number =>
  measureWriting(pairs.map(([before, after]): TextPair => ({ before, after }))).written;

describe('written 字', () => {
  it.each([
    ['typing', [['', rain]], 14],
    ['one more sentence in a paragraph', [[rain, '雨下了一夜，巷口的灯还亮着。没有人走。\n']], 5],
    ['nothing for what is deleted', [[rain + lamp, rain]], 0],
    ['the new characters of a sentence changed in place', [['灯是看不见的，他想。\n', '灯是看得见的，他想。\n']], 1],
    ['a sentence rewritten counts whole', [['雨下了一夜。\n', '天亮以后谁也没有出门。\n']], 11],
    ['nothing for a paragraph moved within a chapter', [[rain + lamp + boat, boat + rain + lamp]], 0],
    ['nothing for a paragraph moved to another chapter', [[rain + lamp, rain], [boat, boat + lamp]], 0],
    ['nothing for a chapter renamed or renumbered', [[rain + lamp, ''], ['', rain + lamp]], 0],
    ['nothing for a chapter split in two', [[rain + lamp + boat, rain], ['', lamp + boat]], 0],
    ['nothing for two chapters joined', [[rain, rain + lamp], [lamp, '']], 0],
    ['nothing for half a paragraph moved into another', [['雨下了一夜，巷口的灯还亮着。他没有走，也没有回头看。\n', '雨下了一夜，巷口的灯还亮着。\n'], [boat, '船家说今天不开船，潮水还没有退。他没有走，也没有回头看。\n']], 0],
    ['what is new in a paragraph that moved', [[rain + lamp, rain], [boat, '沈砚秋把信收进怀里，头也不回地往河边的渡口去了。\n' + boat]], 5],
    ['a copy', [[rain, rain + rain]], 14],
    ['a paragraph that moved once and was copied once', [[rain, ''], ['', rain + rain]], 14],
    ['Latin words once, however they grow', [['He hel\n', 'He hello world\n']], 1],
    ['no front matter', [[rain, `---\nstatus: 草稿\n---\n${rain}`]], 0],
    ['nothing for other line ends', [[rain + lamp, (rain + lamp).replaceAll('\n', '\r\n')]], 0],
  ] as const)('%s', (_, pairs, expected) => {
    expect(written(...(pairs as readonly (readonly [string, string])[]))).toBe(expected);
  });

  it('is nothing when a text that left comes back in a later step, and what stays away is carried on', () => {
    const cut = measureWriting([{ before: rain + lamp + boat, after: rain }], { ts: 5 });
    expect(cut).toEqual({ written: 0, left: [{ text: lamp, ts: 5 }, { text: boat, ts: 5 }] });
    const pasted = measureWriting([{ before: '', after: `${lamp}他走得很急。\n` }], { carried: cut.left, ts: 6 });
    expect(pasted).toEqual({ written: 6, left: [{ text: boat, ts: 5 }] });
    expect(measureWriting([{ before: '', after: lamp }], { carried: pasted.left }).written).toBe(19);
  });

  it('is nothing for what the other side of a merge has', () => {
    expect(measureWriting([{ before: rain, after: rain + lamp + boat }], { known: [lamp] }).written).toBe(16);
  });
});

const han = fc.constantFrom('雨', '夜', '灯', '信', '船', '潮', '人', '走', '来', '去', '看', '说', '他', '她', '的', '了', '在', '一', '不', '是', '有');
const sentence = fc.tuple(fc.array(han, { minLength: 1, maxLength: 30 }), fc.constantFrom('。', '？', '！')).map(([words, end]) => words.join('') + end);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('')}\n`);
const book = fc.array(fc.array(paragraph, { minLength: 0, maxLength: 6 }), { minLength: 1, maxLength: 5 });
const pairsOf = (a: readonly (readonly string[])[], b: readonly (readonly string[])[]): TextPair[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => ({ before: (a[i] ?? []).join(''), after: (b[i] ?? []).join('') }));

describe('for any book', () => {
  it('moving paragraphs between chapters is not writing', () => {
    fc.assert(
      fc.property(book, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat(), fc.nat()), { minLength: 1, maxLength: 5 }), (before, moves) => {
        const after = before.map((chapter) => [...chapter]);
        for (const [from, at, to, where] of moves) {
          const source = after[from % after.length] as string[];
          if (source.length === 0) continue;
          const [moved] = source.splice(at % source.length, 1) as [string];
          const target = after[to % after.length] as string[];
          target.splice(where % (target.length + 1), 0, moved);
        }
        expect(measureWriting(pairsOf(before, after)).written).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it('is never negative, and never more than what stands there now', () => {
    fc.assert(
      fc.property(book, book, (before, after) => {
        const pairs = pairsOf(before, after);
        const { written: words } = measureWriting(pairs);
        expect(words).toBeGreaterThanOrEqual(0);
        expect(words).toBeLessThanOrEqual(pairs.reduce((sum, pair) => sum + countWords(pair.after), 0));
      }),
      { numRuns: 500 },
    );
  });

  it('typing is the same in one step and in many', () => {
    const piece = fc.oneof(sentence, fc.constantFrom('word ', ' a', 'b', '\n', '，', '「', '」'));
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, fc.nat()), { maxLength: 20 }), (typed) => {
        let text = rain;
        let sum = 0;
        for (const [words, at] of typed) {
          const place = at % (text.length + 1);
          const next = text.slice(0, place) + words + text.slice(place);
          sum += measureWriting([{ before: text, after: next }]).written;
          text = next;
        }
        expect(measureWriting([{ before: rain, after: text }]).written).toBe(sum);
      }),
      { numRuns: 300 },
    );
  });

  it('a move in two steps is not writing either', () => {
    fc.assert(
      fc.property(book, fc.nat(), fc.nat(), (before, from, to) => {
        const source = before[from % before.length] as string[];
        if (source.length === 0) return;
        const without = before.map((chapter) => [...chapter]);
        const [moved] = (without[from % before.length] as string[]).splice(from % source.length, 1) as [string];
        const after = without.map((chapter) => [...chapter]);
        (after[to % after.length] as string[]).push(moved);
        const cut = measureWriting(pairsOf(before, without), { ts: 1 });
        expect(cut.written).toBe(0);
        expect(measureWriting(pairsOf(without, after), { carried: cut.left, ts: 2 }).written).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});
