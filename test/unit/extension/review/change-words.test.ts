import { expect, it } from 'vitest';
import { changeWords } from '../../../../src/extension/features/review/change-words';
import { fillMessage as t } from '../../../../src/extension/l10n/translate';

const words = (text: string, start: number, end: number): string => changeWords(t, text, { inText: { start, end } });

it('over a place that a proposal would change stands what it would become, on one line', () => {
  expect(words('雨停了。\n\n她敲门。\n完。', 4, 10)).toBe('→ 她敲门。');
});

it('what is long is cut between characters', () => {
  expect(words('𠮷'.repeat(60), 0, 120)).toBe(`→ ${'𠮷'.repeat(48)}…`);
});

it('a place that would go says so', () => {
  expect(words('雨停了。', 2, 2)).toBe('Proposed: delete this');
});
