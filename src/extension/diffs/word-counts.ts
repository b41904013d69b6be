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

/** 「+12 / −3 字」 */
export const wordsChanged = (t: Translate, count: WordCounts): string =>
  t('+{added} / −{removed} words', { added: count.added, removed: count.removed });
