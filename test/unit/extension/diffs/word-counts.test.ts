import { expect, it } from 'vitest';
import { wordsChanged } from '../../../../src/extension/diffs/word-counts';
import { fillMessage } from '../../../../src/extension/l10n/translate';

it('counts of words have their thousands set off', () => {
  expect(wordsChanged(fillMessage, { added: 8515, removed: 0 })).toBe('+8,515 / −0 words');
});
