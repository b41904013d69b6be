import type { SessionRow } from '../../src/protocol/chat';

/** Conversations of one day, as people name it. */
export interface DayOfSessions {
  readonly label: string;
  readonly rows: readonly SessionRow[];
}

const startOfDay = (ts: number): number => new Date(ts).setHours(0, 0, 0, 0);
const dayMs = 86_400_000;

/** Groups rows, newest first, by the day of their last change, seen from `now` (ms since the epoch) in the time zone of the machine. */
export function byDay(rows: readonly SessionRow[], now: number, locale: string): readonly DayOfSessions[] {
  const near = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const thisYear = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', weekday: 'short' });
  const otherYear = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', day: 'numeric' });
  const label = (day: number): string => {
    // Days of a change of the clock are not 24 hours long.
    const ago = Math.round((startOfDay(now) - day) / dayMs);
    if (ago <= 1) return near.format(-Math.max(0, ago), 'day');
    return (new Date(day).getFullYear() === new Date(now).getFullYear() ? thisYear : otherYear).format(day);
  };
  const days: { readonly day: number; readonly label: string; readonly rows: SessionRow[] }[] = [];
  for (const row of rows) {
    const day = Math.min(startOfDay(row.updatedAt), startOfDay(now));
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, label: label(day), rows: [row] });
  }
  return days;
}
