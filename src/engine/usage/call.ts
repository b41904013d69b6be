import * as z from 'zod';

const count = z.number().nonnegative();

/** One call to a model: figures and names, never a text. */
export const usageCall = z.object({
  /** When it began, in ms since the epoch. */
  at: z.number(),
  /** Title of the profile; `''`: the default one. */
  profile: z.string(),
  /** The model's name with its service. */
  model: z.string(),
  /** Of the address, without path or anything that may hold a secret; `''` where there is none. */
  host: z.string(),
  use: z.enum(['writing', 'side']),
  session: z.string().optional(),
  turn: z.string().optional(),
  input: count,
  output: count,
  /** Of the input. */
  cached: count.optional(),
  /** Of the output. */
  reasoning: count.optional(),
  /** Counted on this side: the service gave no figures. */
  estimated: z.literal(true).optional(),
  /** From the request to the first word, or call; absent where none came. */
  firstMs: count.optional(),
  ms: count,
  /** The reason of its end, or the code of a refusal. */
  outcome: z.string(),
  /** Tries of the same call before this one. */
  retries: count,
  cost: count.optional(),
  currency: z.string().optional(),
});
export type UsageCall = Readonly<z.infer<typeof usageCall>>;

/** Tokens per second while the answer was coming; nothing where it cannot be told. */
export function speedOf({ output, firstMs, ms }: Pick<UsageCall, 'output' | 'firstMs' | 'ms'>): number | undefined {
  if (firstMs === undefined || output === 0 || ms <= firstMs) return undefined;
  return (output * 1_000) / (ms - firstMs);
}
