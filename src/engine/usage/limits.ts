import type { TokenPrice } from '../ports/models';
import type { EngineError } from '../ports/result';
import { costOf } from './price';
import type { ModelSum } from './sums';

/** What the calls of one day may take together; absent: no limit. */
export interface DayLimits {
  /** In the currency of the profile's price; what was spent in others does not count against it. */
  readonly cost?: number;
  /** In and out. */
  readonly tokens?: number;
}

export interface Planned {
  /** Tokens of a call that is to be made, or under way: its input alone. */
  readonly input: number;
  readonly price?: TokenPrice | undefined;
}

/** Sums of money are added in parts of a cent: what differs by less is the same. */
const SAME = 1e-9;

/** The refusal of a call that would go over a limit; one that just reaches it does not. `underWay`: calls that have begun and are in no sum yet. */
export function overLimit(limits: DayLimits, spent: readonly ModelSum[], underWay: readonly Planned[], next: Planned): EngineError | undefined {
  const { price } = next;
  if (limits.cost !== undefined && price !== undefined) {
    const same = spent.filter(({ currency }) => currency === price.currency).reduce((all, { cost }) => all + cost, 0);
    const running = underWay.reduce((all, one) => all + (one.price?.currency === price.currency ? costOf({ input: one.input, output: 0 }, one.price) : 0), 0);
    const estimate = costOf({ input: next.input, output: 0 }, price);
    if (same + running + estimate > limits.cost + SAME) return refusal(same + running, estimate, limits.cost, price.currency);
  }
  if (limits.tokens !== undefined) {
    const taken = spent.reduce((all, { input, output }) => all + input + output, 0);
    const running = underWay.reduce((all, one) => all + one.input, 0);
    if (taken + running + next.input > limits.tokens) return refusal(taken + running, next.input, limits.tokens, 'tokens');
  }
  return undefined;
}

const refusal = (spent: number, estimate: number, limit: number, unit: string): EngineError => ({ code: 'usage.over-budget', args: { spent, estimate, limit, unit } });
