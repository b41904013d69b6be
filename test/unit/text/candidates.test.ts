import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCandidates } from '../../../src/engine/text/candidates';

describe('readCandidates', () => {
  it('reads what stands between the tags, and what is said beside them', () => {
    expect(readCandidates('好，三种：\n<draft>\n甲。\n</draft>\n<draft>乙。</draft>\n\n<draft>\n\n丙。\n\n丁。\n</draft>\n第二种最静。', true)).toEqual({
      texts: ['甲。', '乙。', '丙。\n\n丁。'],
      remark: '好，三种：\n\n\n\n\n第二种最静。',
    });
  });

  it('keeps the indent of the first line: it belongs to the text', () => {
    expect(readCandidates('<draft>\n　　雨停了。\n</draft>', true).texts).toEqual(['　　雨停了。']);
  });

  it('takes a whole answer without tags for the one candidate', () => {
    expect(readCandidates('雨停了。\n', true)).toEqual({ texts: ['雨停了。'], remark: '' });
    expect(readCandidates('', true)).toEqual({ texts: [], remark: '' });
  });

  it('shows no half tag while the answer is arriving, and no candidate before its tag', () => {
    expect(readCandidates('好：<dra', false)).toEqual({ texts: [], remark: '好：' });
    expect(readCandidates('<draft>雨停</dr', false)).toEqual({ texts: ['雨停'], remark: '' });
    expect(readCandidates('雨停了。', false)).toEqual({ texts: [], remark: '雨停了。' });
  });

  it('ends a candidate where the next begins, and keeps what was cut off', () => {
    expect(readCandidates('<draft>甲。\n<draft>乙', true)).toEqual({ texts: ['甲。', '乙'], remark: '' });
  });

  it('never shows more of a candidate while it arrives than it has in the end', () => {
    const piece = fc.constantFrom('<draft>', '</draft>', '\n', '甲。', '<', 'dr', '</', 'a>');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
        const whole = parts.join('');
        const end = readCandidates(whole, true);
        for (let length = 0; length <= whole.length; length += 1) {
          const now = readCandidates(whole.slice(0, length), false);
          expect(now.texts.join('').includes('<draft>')).toBe(false);
          expect(now.texts.length).toBeLessThanOrEqual(Math.max(end.texts.length, now.texts.filter((text) => text === '').length + end.texts.length));
        }
      }),
    );
  });
});
