/** Things of one calendar day (in the person's time zone), in the order they came in. */
export interface Day<T> {
  /** Midnight at which the day began, milliseconds since the epoch. */
  readonly start: number;
  readonly nodes: readonly T[];
}

const midnight = (ts: number): number => new Date(ts).setHours(0, 0, 0, 0);

/** Groups by day, keeping the order. `ts`: when a thing happened. */
export function groupByDay<T>(things: readonly T[], ts: (thing: T) => number): readonly Day<T>[] {
  const days = new Map<number, T[]>();
  for (const thing of things) {
    const start = midnight(ts(thing));
    const day = days.get(start);
    if (day === undefined) days.set(start, [thing]);
    else day.push(thing);
  }
  return [...days].map(([start, nodes]) => ({ start, nodes }));
}

/** How many days before today a day was: 0 = today. */
export function daysAgo(start: number, now: number): number {
  // A day with a clock change has 23 or 25 hours.
  return Math.round((midnight(now) - start) / 86_400_000);
}
