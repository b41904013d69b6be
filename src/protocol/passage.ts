import * as z from 'zod';
import type { EventMap, RequestMap } from './envelope';

/** One offered text: where it differs from the passage, once it has arrived whole. */
export const offered = z.object({
  text: z.string(),
  /** 字 of the text. */
  words: z.number(),
  /** The text in runs; `fresh` ones are not in the passage. Absent while it arrives and for a text that goes on from the passage. */
  runs: z.array(z.object({ text: z.string(), fresh: z.boolean() })).optional(),
});
export type Offered = z.infer<typeof offered>;

/** All the panel shows. A passage is short, so it is sent whole, at most a few times a second. */
export const passageState = z.object({
  task: z.enum(['rewrite', 'expand', 'shorten', 'continue', 'alternatives']),
  path: z.string(),
  /** First and last line of the passage, from 1, when the turn began. */
  lines: z.tuple([z.number().int(), z.number().int()]),
  original: z.object({ text: z.string(), words: z.number() }),
  wish: z.string(),
  /** `accepted`: a text has been put into its place. */
  phase: z.enum(['running', 'done', 'stopped', 'failed', 'accepted']),
  offers: z.array(offered),
  /** What the agent said beside the texts. */
  remark: z.string(),
  /** Localised. */
  error: z.string().optional(),
  /** Which turn it is: words the author wrote into the panel belong to it. */
  turnId: z.string(),
});
export type PassageState = z.infer<typeof passageState>;

const none = z.object({});

export const passageRequests = {
  ready: [none, z.object({ state: passageState, strings: z.record(z.string(), z.string()), locale: z.string() })],
  /** Puts this text into the place of the passage. */
  accept: [z.object({ text: z.string() }), none],
  /** Asks once more, with other wishes. */
  again: [z.object({ wish: z.string() }), none],
  stop: [none, none],
  copy: [z.object({ text: z.string() }), none],
  /** Shows the passage in its chapter. */
  reveal: [none, none],
  close: [none, none],
} as const satisfies RequestMap;

export const passageEvents = { state: passageState } as const satisfies EventMap;
