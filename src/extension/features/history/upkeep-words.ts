import type { BadObject, StoreKind, Verified } from '../../../engine/index';
import type { Translate } from '../../l10n/translate';

const units = ['B', 'KB', 'MB', 'GB'] as const;

/** e.g. `1.4 MB`, in steps of 1,024, with one decimal below ten. */
export function bytesInWords(bytes: number, language: string): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = value < 10 && unit > 0 ? 1 : 0;
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)} ${units[unit] ?? ''}`;
}

/** What a part of the store is for. */
export function kindInWords(t: Translate, kind: StoreKind): string {
  switch (kind) {
    case 'objects':
      return t('Stored texts');
    case 'checkpoints':
      return t('List of checkpoints');
    case 'sessions':
      return t('Recorded conversations');
    case 'traces':
      return t('What was sent to the model');
    case 'local':
      return t('This machine’s own notes');
    case 'cache':
      return t('Cache (can be made anew)');
    case 'other':
      return t('Other');
  }
}

/** How a verification came out, in one message. */
export function verifiedInWords(t: Translate, found: Verified): string {
  const bad = found.bad.length + found.broken.length;
  const counts = { checkpoints: found.checkpoints, objects: found.objects };
  if (bad > 0) return t('Checked {checkpoints} checkpoints and {objects} stored texts: {bad} are damaged or missing.', { ...counts, bad });
  return found.complete
    ? t('Checked {checkpoints} checkpoints and {objects} stored texts: everything is whole.', counts)
    : t('Stopped after {objects} stored texts; so far everything is whole.', counts);
}

/** One thing that a verification found. */
export interface BadRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** What is bad and which checkpoints it hurts; the newest of them first, a few by name. `nameOf`: a checkpoint's title and time. */
export function badRows(t: Translate, found: Verified, nameOf: (id: string) => string): readonly BadRow[] {
  return [
    ...found.broken.map((id) => ({ label: nameOf(id), description: t('cannot be restored'), detail: t('Its records do not add up; other checkpoints are not affected.') })),
    ...found.bad.map((bad) => ({ label: pathsOf(t, bad), description: `${bad.code === 'object.missing' ? t('missing') : t('damaged')} · ${bad.sha.slice(0, 12)}`, detail: hurtOf(t, bad, nameOf) })),
  ];
}

const mostNamed = 3;

function pathsOf(t: Translate, bad: BadObject): string {
  const paths = [...new Set(bad.checkpoints.flatMap(({ paths: at }) => at))];
  return paths.length === 0 ? t('A text of a conversation') : paths.join(', ');
}

function hurtOf(t: Translate, { checkpoints }: BadObject, nameOf: (id: string) => string): string {
  if (checkpoints.length === 0) return t('No checkpoint needs it.');
  const names = [...checkpoints].reverse().slice(0, mostNamed).map(({ id }) => nameOf(id));
  const more = checkpoints.length - names.length;
  const checkpointsNamed = [...names, ...(more > 0 ? [t('… and {count} more', { count: more })] : [])].join(', ');
  return t('Cannot be restored whole: {checkpoints}', { checkpoints: checkpointsNamed });
}

/** The pinned, the newest, the young: why the others stay. */
export const keptInWords = (t: Translate, kept: number): string =>
  t('{count} stay: pinned and named ones, the newest 50, those of the last 30 days, and what these need.', { count: kept });

/** Title and time of a checkpoint. */
export const namedCheckpoint = (title: string, when: string): string => `${title} (${when})`;
