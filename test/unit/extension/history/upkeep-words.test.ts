import { describe, expect, test } from 'vitest';
import { badRows, bytesInWords, verifiedInWords } from '../../../../src/extension/features/history/upkeep-words';
import { fillMessage as t } from '../../../../src/extension/l10n/translate';

describe('bytes in words', () => {
  test.each([
    [0, 'en', '0 B'],
    [1023, 'en', '1,023 B'],
    [1024, 'en', '1 KB'],
    [1536, 'en', '1.5 KB'],
    [20 * 1024 * 1024, 'en', '20 MB'],
    [5 * 1024 ** 4, 'en', '5,120 GB'],
    [1536, 'zh-cn', '1.5 KB'],
  ])('%i in %s are %s', (bytes, language, words) => {
    expect(bytesInWords(bytes, language)).toBe(words);
  });
});

describe('what a verification found', () => {
  const whole = { checkpoints: 3, objects: 9, complete: true, broken: [], bad: [] };
  const sha = 'ab'.repeat(32);

  test('is one message, whether all is whole, something is bad, or it was broken off', () => {
    expect(verifiedInWords(t, whole)).toBe('Checked 3 checkpoints and 9 stored texts: everything is whole.');
    expect(verifiedInWords(t, { ...whole, complete: false })).toBe('Stopped after 9 stored texts; so far everything is whole.');
    expect(verifiedInWords(t, { ...whole, broken: ['c1'], bad: [{ sha, code: 'object.missing', checkpoints: [] }] })).toBe(
      'Checked 3 checkpoints and 9 stored texts: 2 are damaged or missing.',
    );
  });

  test('names each bad text with its files, and the newest checkpoints it hurts', () => {
    const checkpoints = ['c1', 'c2', 'c3', 'c4', 'c5'].map((id) => ({ id, paths: id === 'c1' ? ['正文/旧.md'] : ['正文/新.md'] }));
    const bad = [
      { sha, code: 'object.corrupt' as const, checkpoints },
      { sha, code: 'object.missing' as const, checkpoints: [] },
    ];
    expect(badRows(t, { ...whole, broken: ['c9'], bad }, (id) => `「${id}」`)).toEqual([
      { label: '「c9」', description: 'cannot be restored', detail: 'Its records do not add up; other checkpoints are not affected.' },
      { label: '正文/旧.md, 正文/新.md', description: 'damaged · abababababab', detail: 'Cannot be restored whole: 「c5」, 「c4」, 「c3」, … and 2 more' },
      { label: 'A text of a conversation', description: 'missing · abababababab', detail: 'No checkpoint needs it.' },
    ]);
  });
});
