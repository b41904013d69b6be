import type { UsageSnapshot, UsageSum } from '../../src/protocol/usage';

export type Span = 1 | 7 | 30;

const dayMs = 86_400_000;

/** The first day of a span that ends with `day`. */
export const firstDay = (day: string, span: Span): string => new Date(Date.parse(`${day}T00:00:00Z`) - (span - 1) * dayMs).toISOString().slice(0, 10);

const COUNTED = ['calls', 'failed', 'estimated', 'input', 'cached', 'output', 'reasoning', 'cost'] as const;

function added(a: UsageSum, b: UsageSum): UsageSum {
  return { ...a, ...Object.fromEntries(COUNTED.map((name) => [name, a[name] + b[name]])) };
}

/** What each model took in the span, the one that took most first. */
export function sumsOf({ days, day }: Pick<UsageSnapshot, 'days' | 'day'>, span: Span): readonly UsageSum[] {
  const first = firstDay(day, span);
  const all = new Map<string, UsageSum>();
  for (const sum of days.filter((one) => one.day >= first && one.day <= day).flatMap(({ models }) => models)) {
    const key = JSON.stringify([sum.profile, sum.model, sum.host, sum.currency ?? '']);
    const before = all.get(key);
    all.set(key, before === undefined ? sum : added(before, sum));
  }
  return [...all.values()].sort((a, b) => b.input + b.output - (a.input + a.output));
}

/** Sums of money by currency. */
export function costsOf(sums: readonly UsageSum[]): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const { currency, cost } of sums) if (currency !== undefined) costs.set(currency, (costs.get(currency) ?? 0) + cost);
  return costs;
}

/** 「38%」 of the input came from a cache; nothing where nothing was sent. */
export function cacheShare({ input, cached }: Pick<UsageSum, 'input' | 'cached'>): string {
  return input === 0 ? '' : `${Math.round((Math.min(cached, input) / input) * 100)}%`;
}
