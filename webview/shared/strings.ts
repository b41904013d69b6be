/** Texts for people, in the user's language. */
export interface Translator<K extends string> {
  /** BCP 47 tag, e.g. `zh-cn`. */
  readonly locale: string;
  /** The text with `{0}`, `{1}`… filled in; a placeholder without an argument stays as it is. */
  t(key: K, ...args: readonly (string | number)[]): string;
  /** The plural form of `<base>.one` / `<base>.other` for n, with the grouped number as `{0}`. */
  n(base: PluralBase<K>, n: number): string;
  /** A number as people write it here, with grouping. */
  number(n: number): string;
  /** The day and the time of day, ms since the epoch. */
  moment(ts: number): string;
  /** The time of day alone. */
  time(ts: number): string;
}

export type PluralBase<K extends string> = K extends `${infer B}.other` ? B : never;

function localeOrEnglish(locale: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf([locale])[0] ?? 'en';
  } catch (error) {
    // Not a language tag at all.
    if (error instanceof RangeError) return 'en';
    throw error;
  }
}

/** `sent` is what the host translated; keys it left out fall back to `english`. */
export function createTranslator<K extends string>(
  english: Readonly<Record<K, string>>,
  sent: Readonly<Record<string, string>>,
  locale: string,
): Translator<K> {
  const known = localeOrEnglish(locale);
  const numbers = new Intl.NumberFormat(known);
  const plurals = new Intl.PluralRules(known);
  // Made when first needed, and once: making one takes longer than many dates.
  let moments: Intl.DateTimeFormat | undefined;
  let times: Intl.DateTimeFormat | undefined;
  const t = (key: K, ...args: readonly (string | number)[]): string => {
    const text = sent[key] ?? english[key];
    return text.replace(/\{(\d+)\}/g, (whole, index: string) => {
      const arg = args[Number(index)];
      return arg === undefined ? whole : String(arg);
    });
  };
  return {
    locale: known,
    t,
    n: (base, n) => {
      const one = `${base}.one` as K;
      const other = `${base}.other` as K;
      return t(plurals.select(n) === 'one' ? one : other, numbers.format(n));
    },
    number: (n) => numbers.format(n),
    moment: (ts) => (moments ??= new Intl.DateTimeFormat(known, { dateStyle: 'medium', timeStyle: 'short' })).format(ts),
    time: (ts) => (times ??= new Intl.DateTimeFormat(known, { timeStyle: 'short' })).format(ts),
  };
}
