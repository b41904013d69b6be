import type { PassageTask } from '../../../engine/index';
import type { Translate } from '../../l10n/translate';

/** What a task is called. */
export function taskWords(t: Translate, task: PassageTask): string {
  switch (task) {
    case 'rewrite':
      return t('Rewrite');
    case 'expand':
      return t('Expand');
    case 'shorten':
      return t('Shorten');
    case 'continue':
      return t('Continue');
    case 'alternatives':
      return t('Say it differently');
  }
}
