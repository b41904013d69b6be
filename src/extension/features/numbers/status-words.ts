import type { Translate } from '../../l10n/translate';

/** What the status bar says about; counts in 字. */
export interface StatusNumbers {
  readonly chapter: number;
  /** 字 that are selected; `undefined`: nothing is. */
  readonly selected: number | undefined;
  /** Absent until it has been counted. */
  readonly today: { readonly user: number; readonly agent: number } | undefined;
  /** 字 a day; 0: none. */
  readonly target: number;
  readonly book: number | undefined;
}

export interface StatusWords {
  readonly text: string;
  /** One line of the tooltip each. */
  readonly tooltip: readonly string[];
  /** For screen readers: no icons. */
  readonly label: string;
}

/** 「本章 2,345 字 · 今日 +1,203 / 2,000」 and what stands behind it. `locale`: BCP 47, for grouping. */
export function statusWords(t: Translate, numbers: StatusNumbers, locale: string): StatusWords {
  const format = new Intl.NumberFormat(locale);
  const n = (value: number): string => format.format(value);
  const { chapter, selected, today, target, book } = numbers;
  const here = selected === undefined ? t('Chapter {words} words', { words: n(chapter) }) : t('Selected {words} words', { words: n(selected) });
  if (today === undefined) return { text: here, tooltip: [here], label: here };
  const written = today.user + today.agent;
  const reached = target > 0 && written >= target;
  const day = target > 0 ? t('today +{words} / {target}', { words: n(written), target: n(target) }) : t('today +{words}', { words: n(written) });
  const tooltip = [
    ...(selected === undefined ? [here] : [here, t('Chapter {words} words', { words: n(chapter) })]),
    ...(book === undefined ? [] : [t('Book {words} words', { words: n(book) })]),
    t('Written today: you {user}, agent {agent}', { user: n(today.user), agent: n(today.agent) }),
    ...(target === 0 ? [] : [reached ? t('Today’s target of {target} words is reached.', { target: n(target) }) : t('{words} more to today’s target of {target} words', { words: n(target - written), target: n(target) })]),
    t('Moved text is not written text; what you delete is not subtracted.'),
    t('Click for the numbers of the year.'),
  ];
  return {
    text: `${here} · ${reached ? `$(check) ${day}` : day}`,
    tooltip,
    label: [here, day, ...(reached ? [t('Today’s target of {target} words is reached.', { target: n(target) })] : [])].join(t(', ')),
  };
}
