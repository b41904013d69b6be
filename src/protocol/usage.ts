import * as z from 'zod';
import type { EventMap, RequestMap } from './envelope';

/** What one model has taken on a day; see the engine's `ModelSum`. */
export const usageSum = z.object({
  profile: z.string(),
  model: z.string(),
  host: z.string(),
  currency: z.string().optional(),
  calls: z.number(),
  failed: z.number(),
  estimated: z.number(),
  input: z.number(),
  cached: z.number(),
  output: z.number(),
  reasoning: z.number(),
  cost: z.number(),
});

/** A call: figures and names, no text. */
export const usageRow = z.object({
  at: z.number(),
  profile: z.string(),
  model: z.string(),
  host: z.string(),
  use: z.enum(['writing', 'side']),
  input: z.number(),
  output: z.number(),
  cached: z.number().optional(),
  reasoning: z.number().optional(),
  estimated: z.boolean().optional(),
  firstMs: z.number().optional(),
  ms: z.number(),
  /** Tokens per second. */
  speed: z.number().optional(),
  /** It ended as an answer does. */
  ended: z.boolean(),
  /** How it ended, in words. */
  outcome: z.string(),
  retries: z.number(),
  cost: z.number().optional(),
  currency: z.string().optional(),
});

export const usageSnapshot = z.object({
  /** By the calendar of this machine. */
  day: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  /** The last 30 days that have calls, oldest first. */
  days: z.array(z.object({ day: z.string(), models: z.array(usageSum) })),
  /** Newest first. */
  calls: z.array(usageRow),
  /** Limits of the day; absent: none. */
  limits: z.object({ cost: z.number().optional(), tokens: z.number().optional() }),
  /** Today they may be gone over. */
  allowed: z.boolean(),
  /** Why nothing can be shown. */
  message: z.string().optional(),
});

export const usageRequests = {
  ready: [z.object({}), z.object({ snapshot: usageSnapshot, strings: z.record(z.string(), z.string()), locale: z.string() })],
  export: [z.object({ format: z.enum(['json', 'csv']) }), z.object({})],
  clear: [z.object({}), z.object({})],
  /** Opens the settings of the limits. */
  setLimits: [z.object({}), z.object({})],
} satisfies RequestMap;

/** Every event is whole. */
export const usageEvents = { snapshot: usageSnapshot } satisfies EventMap;

export type UsageSum = z.infer<typeof usageSum>;
export type UsageRow = z.infer<typeof usageRow>;
export type UsageSnapshot = z.infer<typeof usageSnapshot>;
