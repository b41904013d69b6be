import type { DayNumbers } from '../../src/protocol/numbers';
import { addDays, weekOf } from './calendar';

export type Who = 'both' | 'user' | 'agent';

export const wordsOf = (day: DayNumbers | undefined, who: Who): number =>
  day === undefined ? 0 : who === 'both' ? day.user + day.agent : day[who];

/** By day, with today as it stands now. */
export function dayTable(days: readonly DayNumbers[], today: DayNumbers): ReadonlyMap<string, DayNumbers> {
  const table = new Map(days.map((day) => [day.day, day]));
  if (today.user + today.agent > 0) table.set(today.day, today);
  return table;
}

export interface Sums {
  readonly week: number;
  readonly month: number;
  readonly year: number;
  readonly all: number;
  /** Days in a row with words, up to today, or to yesterday while nothing is written today. */
  readonly streak: number;
  readonly longest: number;
}

/** `start`: the day a week begins with, 0 is Sunday. The year is today's. */
export function sumsOf(table: ReadonlyMap<string, DayNumbers>, today: string, who: Who, start: number): Sums {
  const week = weekOf(today, start);
  const sums = { week: 0, month: 0, year: 0, all: 0 };
  const written = [...table.values()].filter((day) => wordsOf(day, who) > 0 && day.day <= today).sort((a, b) => (a.day < b.day ? -1 : 1));
  let longest = 0;
  let run = 0;
  let before = '';
  for (const day of written) {
    const words = wordsOf(day, who);
    sums.all += words;
    if (day.day.slice(0, 4) === today.slice(0, 4)) sums.year += words;
    if (day.day.slice(0, 7) === today.slice(0, 7)) sums.month += words;
    if (day.day >= week) sums.week += words;
    run = before !== '' && addDays(before, 1) === day.day ? run + 1 : 1;
    longest = Math.max(longest, run);
    before = day.day;
  }
  return { ...sums, streak: before === today || before === addDays(today, -1) ? run : 0, longest };
}

/**
 * From how many 字 on a day is of level 1, 2, 3 and 4. With a target: some, half, all, and one and a half of it; else by quarters of the days
 * with words. Strictly rising.
 */
export function levelsOf(words: readonly number[], target: number): readonly number[] {
  if (target > 0) return rising([1, target / 2, target, target * 1.5]);
  const sorted = words.filter((one) => one > 0).sort((a, b) => a - b);
  const quarter = (n: number): number => sorted[Math.floor((sorted.length * n) / 4)] ?? n * 500;
  return rising([1, quarter(1), quarter(2), quarter(3)]);
}

function rising(levels: readonly number[]): readonly number[] {
  const result: number[] = [];
  for (const level of levels) result.push(Math.max(Math.round(level), (result.at(-1) ?? 0) + 1));
  return result;
}

export const levelOf = (words: number, levels: readonly number[]): number => levels.filter((level) => words >= level).length;
