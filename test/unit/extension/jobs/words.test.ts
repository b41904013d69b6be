import { describe, expect, it } from 'vitest';
import { resultWords } from '../../../../src/extension/features/jobs/words';
import { fillMessage as t } from '../../../../src/extension/l10n/translate';

const chapters = (...states: readonly ('done' | 'skipped' | 'failed')[]): Parameters<typeof resultWords>[1] => states.map((state, at) => ({ path: `正文/${at}.md`, title: '', state }));
const progress = { total: 3, settled: 3, changed: 0, failed: 0, waiting: 0, added: 0, removed: 0 };

describe('how a job has come out', () => {
  it('says that nothing was changed', () => {
    expect(resultWords(t, chapters('skipped', 'skipped'), progress)).toBe('0 chapters changed, 2 left as they are');
  });

  it('says how many were changed, by how much, and what failed', () => {
    expect(resultWords(t, chapters('done', 'skipped', 'failed'), { ...progress, failed: 1, added: 1203, removed: 4 })).toBe('1 chapters changed, 1 left as they are · +1,203 / −4 words · 1 failed');
  });
});
