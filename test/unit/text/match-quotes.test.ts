import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { locateQuotes, type QuoteEdit } from '../../../src/engine/text/match-quotes';
import { applyChanges } from '../../../src/engine/text/text-change';

const edit = (text: string, ...edits: QuoteEdit[]): string => {
  const located = locateQuotes(text, edits);
  if (!located.ok) throw new Error(`${located.error.code} ${JSON.stringify(located.error.args)}`);
  return applyChanges(text, located.value);
};
const level = (text: string, old: string): string => {
  const located = locateQuotes(text, [{ old, new: 'x' }]);
  return located.ok ? (located.value[0]?.level ?? '') : located.error.code;
};

describe('finding quotes', () => {
  it('changes the only place', () => {
    expect(edit('雨下了一夜。他没有走。', { old: '他没有走', new: '她走了' })).toBe('雨下了一夜。她走了。');
  });

  it.each<[string, string, string, string]>([
    ['as it is', '他说：“走。”', '“走。”', 'exact'],
    ['without the white space around it', '他说：“走。”', '\n “走。” \n', 'trimmed'],
    ['curly for straight quotes', '他说：“走。”', '他说："走。"', 'punctuation'],
    ['corner for curly quotes', '他说：「走。」', '他说：“走。”', 'punctuation'],
    ['single quotes', '她喊‘停’。', "她喊'停'。", 'punctuation'],
    ['dashes', '他——走了。', '他――走了。', 'punctuation'],
    ['ellipses', '他……走了。', '他⋯⋯走了。', 'punctuation'],
    ['half for full width', '他来了，她走了！', '他来了,她走了!', 'punctuation'],
    ['full for half width', 'Wait, what?', 'Wait， what？', 'punctuation'],
    ['full-width brackets and digits', '（１２）', '(12)', 'punctuation'],
    ['a full-width space', '一　二', '一 二', 'punctuation'],
    ['variants and white space together', '他说：“走。”', ' 他说："走。"\n', 'punctuation'],
    ['not when characters differ', '他说走。', '她说走。', 'edit.no-match'],
    ['not when the number of marks differs', '他…走了。', '他……走了。', 'edit.no-match'],
  ])('finds %s', (_, text, old, expected) => {
    expect(level(text, old)).toBe(expected);
  });

  it('takes a looser level only when the one before found nothing', () => {
    expect(edit('“走。” "走。"', { old: '"走。"', new: '停' })).toBe('“走。” 停');
    expect(locateQuotes('“走。” 「走。」', [{ old: '"走。"', new: '停' }])).toMatchObject({ ok: false, error: { code: 'edit.many-matches', args: { count: 2 } } });
  });

  it('cuts off the replacement what it cut off the quote', () => {
    expect(edit('雨。\n夜。', { old: '  雨。 ', new: '  风。 ' })).toBe('风。\n夜。');
    expect(edit('雨。\n夜。', { old: '\n\n雨。', new: '风。' })).toBe('风。\n夜。');
  });

  it('takes the replacement literally', () => {
    expect(edit('价：一两', { old: '一两', new: '$& $1 $$ \\n' })).toBe('价：$& $1 $$ \\n');
  });

  it('finds LF quotes in a CRLF text and gives the replacement its line ends', () => {
    expect(edit('一\r\n二\r\n三\r\n', { old: '一\n二', new: '甲\n乙\n丙' })).toBe('甲\r\n乙\r\n丙\r\n三\r\n');
    expect(edit('一\r\n二\r\n三\r\n', { old: '二\r\n三\r\n', new: '乙\n' })).toBe('一\r\n乙\r\n');
    expect(edit('一\r\n二\r\n三', { old: '三', new: '丙\n丁' })).toBe('一\r\n二\r\n丙\r\n丁');
  });

  it('never touches the line ends around a quote in a CRLF text', () => {
    const located = locateQuotes('一\r\n二\r\n三', [{ old: '二', new: '乙' }]);
    expect(located).toMatchObject({ ok: true, value: [{ start: 3, end: 4, text: '乙' }] });
  });

  it('keeps LF in a text that is mostly LF', () => {
    expect(edit('一\n二\n三\r\n四\n', { old: '二', new: '甲\n乙' })).toBe('一\n甲\n乙\n三\r\n四\n');
  });

  it('gives the smallest change', () => {
    expect(locateQuotes('雨下了一夜，他没有走。', [{ old: '雨下了一夜，他没有走。', new: '雨下了一夜，她没有走。' }])).toEqual({
      ok: true,
      value: [{ index: 0, level: 'exact', quoteStart: 0, quoteEnd: 11, start: 6, end: 7, text: '她' }],
    });
    expect(locateQuotes('雨', [{ old: '雨', new: '雨' }])).toMatchObject({ ok: true, value: [{ start: 1, end: 1, text: '' }] });
  });

  it('never cuts a surrogate pair', () => {
    // 😀 is D83D DE00, 😁 is D83D DE01.
    expect(locateQuotes('a😀b', [{ old: 'a😀b', new: 'a😁b' }])).toMatchObject({ ok: true, value: [{ start: 1, end: 3, text: '😁' }] });
    expect(locateQuotes('😀', [{ old: '\ude00', new: 'x' }])).toMatchObject({ ok: false, error: { code: 'edit.no-match' } });
    expect(locateQuotes('😀', [{ old: '\ud83d', new: 'x' }])).toMatchObject({ ok: false, error: { code: 'edit.no-match' } });
  });

  it('says where several hits are', () => {
    expect(locateQuotes('他走了。\n天亮。\n他走了！', [{ old: '他走了', new: 'x' }])).toEqual({
      ok: false,
      error: { code: 'edit.many-matches', args: { index: 0, quote: '他走了', count: 2, where: '1: …他走了。⏎天亮。⏎他走了！…\n3: …他走了。⏎天亮。⏎他走了！…' } },
    });
  });

  it('counts hits that overlap', () => {
    expect(locateQuotes('啊啊啊', [{ old: '啊啊', new: 'x' }])).toMatchObject({ ok: false, error: { code: 'edit.many-matches', args: { count: 2 } } });
  });

  it('shows the nearest line when there is no hit', () => {
    expect(locateQuotes('雨下了一夜。\n他推开门，走了进来。\n天亮了。', [{ old: '他推开了门，走进来', new: 'x' }])).toEqual({
      ok: false,
      error: { code: 'edit.no-match', args: { index: 0, quote: '他推开了门，走进来', line: 2, nearest: '他推开门，走了进来。' } },
    });
    expect(locateQuotes('', [{ old: '雨', new: 'x' }])).toMatchObject({ ok: false, error: { args: { line: 0, nearest: '' } } });
  });

  it('locates a batch sorted by place, on the text as it was', () => {
    expect(edit('甲乙丙丁', { old: '丙', new: '乙乙' }, { old: '乙', new: '' })).toBe('甲乙乙丁');
    const located = locateQuotes('甲乙丙丁', [{ old: '丙', new: 'x' }, { old: '乙', new: 'y' }]);
    expect(located.ok ? located.value.map(({ index, start }) => [index, start]) : []).toEqual([[1, 1], [0, 2]]);
  });

  it.each<[string, QuoteEdit[], string, Record<string, unknown>]>([
    ['an empty batch', [], 'edit.empty-batch', {}],
    ['an empty quote', [{ old: '雨', new: 'x' }, { old: '', new: 'y' }], 'edit.empty-old', { index: 1 }],
    ['quotes that overlap', [{ old: '雨下了', new: 'x' }, { old: '了一夜', new: 'y' }], 'edit.overlap', { index: 1, other: 0, line: 1 }],
    ['a quote inside another', [{ old: '下', new: 'x' }, { old: '雨下了一夜', new: 'y' }], 'edit.overlap', { index: 1, other: 0, line: 1 }],
    ['the same quote twice', [{ old: '雨', new: 'x' }, { old: '雨', new: 'y' }], 'edit.overlap', { index: 1, other: 0, line: 1 }],
    ['one bad quote among good ones', [{ old: '雨', new: 'x' }, { old: '雪', new: 'y' }], 'edit.no-match', { index: 1 }],
  ])('refuses %s', (_, edits, code, args) => {
    expect(locateQuotes('雨下了一夜。', edits)).toMatchObject({ ok: false, error: { code, ...(Object.keys(args).length === 0 ? {} : { args }) } });
  });

  it('allows quotes that touch', () => {
    expect(edit('雨下了一夜', { old: '雨下', new: '风吹' }, { old: '了一夜', new: '过' })).toBe('风吹过');
  });

  it('gives what naive replacement gives, for any unique quote and line ends', () => {
    const word = fc.array(fc.constantFrom('雨', '夜', '“', '”', '，', '\n', 'a', '😀', ' '), { maxLength: 30 }).map((chars) => chars.join(''));
    fc.assert(
      fc.property(word, word, word, fc.boolean(), (before, after, replacement, crlf) => {
        const plain = `${before}【刀光】${after}`;
        const text = crlf ? plain.replaceAll('\n', '\r\n') : plain;
        const located = locateQuotes(text, [{ old: '【刀光】', new: replacement }]);
        const result = located.ok ? applyChanges(text, located.value) : '';
        const expected = `${before}${replacement}${after}`;
        const breaks = (plain.match(/\n/g) ?? []).length;
        expect(result).toBe(crlf && breaks > 0 ? expected.replaceAll('\n', '\r\n') : expected);
      }),
      { numRuns: 500 },
    );
  });
});
