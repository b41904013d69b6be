import type { Translate } from '../l10n/translate';
import { baseName } from '../project/paths';

/** What a diff shows: `what` is the change itself, `sides` names both that are compared. */
export type About = { readonly what: string } | { readonly sides: string };

export const aboutInWords = (about: About): string => ('what' in about ? about.what : about.sides);

/**
 * The title of one file's diff: its name, and what it shows. `live`: the right side is the file as it stands now, and what is typed there is
 * typed into the file; the title says so.
 */
export function diffTitle(t: Translate, path: string, about: About, live: boolean): string {
  return `${baseName(path)} (${'what' in about && live ? t('before {what} ↔ now', about) : aboutInWords(about)})`;
}
