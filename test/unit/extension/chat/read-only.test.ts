import { describe, expect, test } from 'vitest';
import { readOnlyWords } from '../../../../src/extension/features/chat/read-only';
import { fillMessage as t } from '../../../../src/extension/l10n/translate';

describe('a conversation that can only be read', () => {
  test.each([
    ['locked', 'Another window has this conversation open, so here it can only be read.'],
    ['newer-version', 'A newer version of Liyuan wrote this conversation, so here it can only be read. Update the extension to go on with it.'],
    ['lock-lost', 'Another window took over this conversation, or this machine slept. Here it can only be read.'],
    ['handed-over', 'Another window took over this conversation, so here it can only be read.'],
    [undefined, 'This conversation can only be read; the log has the reason.'],
  ] as const)('says the one true reason: %s', (readOnlyReason, words) => {
    expect(readOnlyWords(t, false, { readOnly: true, readOnlyReason })).toBe(words);
  });

  test('says first that the folder is not trusted', () => {
    expect(readOnlyWords(t, true, { readOnly: true, readOnlyReason: 'asked' })).toMatch(/^This folder is not trusted/);
  });

  test('says nothing where one may write', () => {
    expect(readOnlyWords(t, false, { readOnly: false })).toBeUndefined();
    expect(readOnlyWords(t, false, undefined)).toBeUndefined();
  });
});
