import type { PlacedChange } from '../../../engine/index';
import type { Translate } from '../../l10n/translate';

/** Characters of the new words that fit over a line. */
const shown = 48;

/** What would stand here, for the line above the place: the new words on one line, cut at the end. `text`: the whole proposed text. */
export function changeWords(t: Translate, text: string, { inText }: Pick<PlacedChange, 'inText'>): string {
  const words = text.slice(inText.start, inText.end).replace(/\s+/g, ' ').trim();
  const points = [...words];
  if (points.length === 0) return t('Proposed: delete this');
  return `→ ${points.length <= shown ? words : `${points.slice(0, shown).join('')}…`}`;
}
