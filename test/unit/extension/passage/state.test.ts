import { expect, it } from 'vitest';
import { stateOf } from '../../../../src/extension/features/passage/state';

it('where the texts were taken out of what the agent said, no gap is left in the rest', () => {
  const passage = { task: 'alternatives' as const, path: '正文/1.md', text: '雨。', start: 0, end: 2, before: '', after: '' };
  const answer = '三种：\n\n<draft>\n雪。\n</draft>\n\n<draft>\n霜。\n</draft>\n\n<draft>\n露。\n</draft>\n\n第二种最静。';
  const state = stateOf(passage, { turnId: 't', lines: [1, 1] }, { phase: 'done', answer });
  expect(state.offers.map(({ text }) => text)).toEqual(['雪。', '霜。', '露。']);
  expect(state.remark).toBe('三种：\n\n第二种最静。');
});
