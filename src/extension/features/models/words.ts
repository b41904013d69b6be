import type { Translate } from '../../l10n/translate';

/** What the default profile, which has no title, is called. */
export const titleWords = (title: string, t: Translate): string => (title === '' ? t('Default') : title);
