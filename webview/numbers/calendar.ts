/**
 * Days as `2026-12-01`, reckoned in UTC: they are names of calendar days, and no clock change touches them.
 */
export const dayMs = 86_400_000;

/** Midnight in UTC of a day, ms since the epoch. */
export const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
export const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);
export const addDays = (day: string, n: number): string => dayAt(timeOf(day) + n * dayMs);
/** 0 is Sunday. */
export const weekdayOf = (day: string): number => new Date(timeOf(day)).getUTCDay();
export const yearOf = (day: string): number => Number(day.slice(0, 4));

/** The day a week begins with where this language is spoken: 0 is Sunday. */
export function weekStart(locale: string): number {
  const known = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?(): { firstDay: number }; readonly weekInfo?: { firstDay: number } };
  const first = known.getWeekInfo?.().firstDay ?? known.weekInfo?.firstDay ?? 1;
  return first % 7;
}

/** First day of the week that holds `day`. */
export const weekOf = (day: string, start: number): string => addDays(day, -((weekdayOf(day) - start + 7) % 7));

/** The weeks of a year, each of seven days from `start` on; days of the years beside it are `undefined`. */
export function weeksOf(year: number, start: number): readonly (readonly (string | undefined)[])[] {
  const last = `${year}-12-31`;
  const weeks: (string | undefined)[][] = [];
  for (let first = weekOf(`${year}-01-01`, start); first <= last; first = addDays(first, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(first, i)).map((day) => (yearOf(day) === year ? day : undefined)));
  }
  return weeks;
}

/** Cuts a year into blocks of about equal width, none wider than `most` weeks: a narrow view shows them below one another. */
export function blocksOf<T>(weeks: readonly T[], most: number): readonly (readonly T[])[] {
  const count = Math.ceil(weeks.length / Math.max(6, most));
  const width = Math.ceil(weeks.length / count);
  return Array.from({ length: count }, (_, i) => weeks.slice(i * width, (i + 1) * width)).filter((block) => block.length > 0);
}

/** The month that is named above each week, where it begins: 1 to 12, else 0. */
export function monthsAbove(weeks: readonly (readonly (string | undefined)[])[]): readonly number[] {
  let last = 0;
  return weeks.map((week, i) => {
    const first = week.find((day) => day?.endsWith('-01') === true) ?? (i === 0 ? week.find((day) => day !== undefined) : undefined);
    const month = first === undefined ? 0 : Number(first.slice(5, 7));
    if (month === last) return 0;
    if (month !== 0) last = month;
    return month;
  });
}
