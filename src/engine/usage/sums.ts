import * as z from 'zod';
import type { UsageCall } from './call';

/** What one model has taken, on a day or on several. */
export const modelSum = z.object({
  profile: z.string(),
  model: z.string(),
  host: z.string(),
  /** Absent: no price was set. One model has a sum for each currency. */
  currency: z.string().optional(),
  calls: z.number(),
  /** Calls that ended in a refusal or were stopped. */
  failed: z.number(),
  /** Calls whose tokens were counted on this side. */
  estimated: z.number(),
  input: z.number(),
  cached: z.number(),
  output: z.number(),
  reasoning: z.number(),
  cost: z.number(),
});
export type ModelSum = Readonly<z.infer<typeof modelSum>>;

export const daySums = z.object({
  /** By the calendar of this machine, `2026-12-01`. */
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  models: z.array(modelSum),
});
export type DaySums = Readonly<z.infer<typeof daySums>>;

const keyOf = ({ profile, model, host, currency = '' }: Pick<ModelSum, 'profile' | 'model' | 'host' | 'currency'>): string =>
  JSON.stringify([profile, model, host, currency]);

const DONE: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'length', 'content_filter', 'unknown']);
export const isDone = ({ outcome }: Pick<UsageCall, 'outcome'>): boolean => DONE.has(outcome);

export const sumOfCall = (call: UsageCall): ModelSum => ({
  profile: call.profile,
  model: call.model,
  host: call.host,
  ...(call.currency === undefined ? {} : { currency: call.currency }),
  calls: 1,
  failed: isDone(call) ? 0 : 1,
  estimated: call.estimated === true ? 1 : 0,
  input: call.input,
  cached: call.cached ?? 0,
  output: call.output,
  reasoning: call.reasoning ?? 0,
  cost: call.cost ?? 0,
});

const COUNTED = ['calls', 'failed', 'estimated', 'input', 'cached', 'output', 'reasoning', 'cost'] as const;

/** The same models added up, in the order in which they first come. */
export function addUp(sums: Iterable<ModelSum>): readonly ModelSum[] {
  const all = new Map<string, ModelSum>();
  for (const sum of sums) {
    const key = keyOf(sum);
    const before = all.get(key);
    all.set(key, before === undefined ? sum : { ...before, ...Object.fromEntries(COUNTED.map((name) => [name, before[name] + sum[name]])) });
  }
  return [...all.values()];
}
