/** Records of one calendar day (in the person's time zone), in the order they came in. */
export interface Day<R> {
  /** Midnight at which the day began, milliseconds since the epoch. */
  readonly start: number;
  readonly records: readonly R[];
}

const midnight = (ts: number): number => new Date(ts).setHours(0, 0, 0, 0);

/** Groups records by day, keeping their order. */
export function groupByDay<R extends { readonly ts: number }>(records: readonly R[]): readonly Day<R>[] {
  const days = new Map<number, R[]>();
  for (const record of records) {
    const start = midnight(record.ts);
    const day = days.get(start);
    if (day === undefined) days.set(start, [record]);
    else day.push(record);
  }
  return [...days].map(([start, ofDay]) => ({ start, records: ofDay }));
}

/** How many days before today a day was: 0 = today. */
export function daysAgo(start: number, now: number): number {
  // A day with a clock change has 23 or 25 hours.
  return Math.round((midnight(now) - start) / 86_400_000);
}
