import type { FileChange } from '../../../engine/index';
import { totals, wordsChanged } from '../../diffs/word-counts';
import type { Translate } from '../../l10n/translate';

/** Files named one by one in a confirmation. */
const namedFiles = 8;

function fileLine(t: Translate, change: FileChange): string {
  const words = wordsChanged(t, change);
  if (change.from !== undefined) return t('{from} → {path}', { from: change.from, path: change.path });
  if (change.before === null) return t('{path}: is back ({words})', { path: change.path, words });
  if (change.after === null) return t('{path}: goes away ({words})', { path: change.path, words });
  return t('{path}: {words}', { path: change.path, words });
}

/** What a restore will do, in the words of its confirmation: counts, the first files, and that nothing is lost. */
export function planWords(t: Translate, files: readonly FileChange[], conversation: boolean): string {
  const rest = files.length - namedFiles;
  return [
    files.length === 0 ? t('The files are already as they were then.') : t('Files that change: {count} ({words})', { count: files.length, words: wordsChanged(t, totals(files)) }),
    ...files.slice(0, namedFiles).map((file) => fileLine(t, file)),
    ...(rest > 0 ? [t('… and {count} more', { count: rest })] : []),
    '',
    ...(conversation ? [t('The conversation goes back to before that turn; what you said then returns to the box.')] : []),
    t('What is there now, unsaved words included, is saved as a checkpoint first.'),
  ].join('\n');
}
