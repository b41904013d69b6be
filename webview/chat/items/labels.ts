import type { CopyLabels } from '../../shared/copy-button';
import type { ChatContext } from '../context';

/** Words of the button that copies a message. */
export function copyLabels({ words }: ChatContext): CopyLabels {
  return { copy: words.t('item.copy'), copied: words.t('item.copied'), failed: words.t('item.copyFailed') };
}

/** Words of the button that copies a piece of code. */
export function codeLabels({ words }: ChatContext): CopyLabels {
  return { copy: words.t('markdown.copyCode'), copied: words.t('item.copied'), failed: words.t('item.copyFailed') };
}
