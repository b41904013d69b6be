import type { TokenPrice, Usage } from '../ports/models';

/** What tokens cost. What the endpoint had in its cache is part of the input; reasoning is part of the output. */
export function costOf({ input, cached = 0, output }: Pick<Usage, 'input' | 'cached' | 'output'>, price: TokenPrice): number {
  const fromCache = Math.min(cached, input);
  return ((input - fromCache) * price.input + fromCache * (price.cached ?? price.input) + output * price.output) / 1_000_000;
}
