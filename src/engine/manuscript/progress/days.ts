import { dayOf } from '../../text/day';
import type { ProgressRow } from './rows';

/** 字 written on one calendar day of this machine's time zone. */
export interface DayWords {
  /** `2026-12-01`. */
  readonly day: string;
  readonly user: number;
  readonly agent: number;
}

/** Sums by day, oldest first; days without a word are left out. */
export function wordsByDay(rows: Iterable<ProgressRow>): readonly DayWords[] {
  const days = new Map<string, { day: string; user: number; agent: number }>();
  for (const { ts, who, words } of rows) {
    if (who === 'nobody' || words === 0) continue;
    const day = dayOf(ts);
    const sum = days.get(day) ?? { day, user: 0, agent: 0 };
    sum[who] += words;
    days.set(day, sum);
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
