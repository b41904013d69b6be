import { expect, test } from 'vitest';
import { diffTitle } from '../../../../src/extension/diffs/diff-title';
import { fillMessage } from '../../../../src/extension/l10n/translate';

test.each([
  [{ what: '把雨改成雪' }, false, '001-雨.md (把雨改成雪)'],
  [{ what: '把雨改成雪' }, true, '001-雨.md (before 把雨改成雪 ↔ now)'],
  [{ what: '雨 ↔ 雪' }, true, '001-雨.md (before 雨 ↔ 雪 ↔ now)'],
  [{ sides: 'then ↔ now' }, true, '001-雨.md (then ↔ now)'],
])('the title of a diff about %o, with the live file at its right: %s, is %s', (about, live, title) => {
  expect(diffTitle(fillMessage, '正文/001-雨.md', about, live)).toBe(title);
});
