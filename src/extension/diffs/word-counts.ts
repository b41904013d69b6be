import type { Translate } from '../l10n/translate';

/** 字 added and removed. */
export interface WordCounts {
  readonly added: number;
  readonly removed: number;
}

/** Over all files. */
export function totals(files: readonly WordCounts[]): WordCounts {
  return files.reduce((sum, file) => ({ added: sum.added + file.added, removed: sum.removed + file.removed }), { added: 0, removed: 0 });
}

const number = new Intl.NumberFormat('en');

/** 「+1,200 / −3 字」: thousands are set off as in both display languages. */
export const wordsChanged = (t: Translate, count: WordCounts): string =>
  t('+{added} / −{removed} words', { added: number.format(count.added), removed: number.format(count.removed) });
