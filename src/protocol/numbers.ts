import * as z from 'zod';
import type { EventMap, RequestMap } from './envelope';

/** 字 written on one day, `2026-12-01` by the calendar of the machine the project is on. */
export const dayWords = z.object({ day: z.string().regex(/^\d{4}-\d\d-\d\d$/), user: z.number(), agent: z.number() });

export const numbersChapter = z.object({
  path: z.string(),
  title: z.string(),
  /** Its volume's folder; '' at the top. */
  volume: z.string(),
  /** 字 as it stands, unsaved words included. */
  words: z.number(),
  /** Wished 字, from its front matter. */
  target: z.number().optional(),
});

export const numbersSnapshot = z.object({
  /** `failed`: it could not be opened; `message` says why. */
  project: z.enum(['none', 'open', 'failed']),
  message: z.string().optional(),
  /** Today, with what is in no checkpoint yet. */
  today: dayWords,
  /** From checkpoints, oldest first; what it says of today is less than `today`. */
  days: z.array(dayWords),
  /** 字 a day; 0: none is wished. */
  target: z.number(),
  chapters: z.array(numbersChapter),
  /** Checkpoints still being counted. */
  counting: z.object({ done: z.number(), total: z.number() }).optional(),
  /** Checkpoints whose texts are gone, so that their days show less than was written. */
  lost: z.number(),
});

/** Requests of the numbers view. */
export const numbersRequests = {
  /** Everything, and the texts of the view in the user's language. */
  ready: [z.object({}), z.object({ snapshot: numbersSnapshot, strings: z.record(z.string(), z.string()), locale: z.string() })],
  openChapter: [z.object({ path: z.string() }), z.object({})],
  /** Opens the setting of the daily target. */
  setTarget: [z.object({}), z.object({})],
  exportCsv: [z.object({}), z.object({})],
} satisfies RequestMap;

/** Whoever was hidden asks `ready` again: every event is whole, so that none is missed by missing one. */
export const numbersEvents = {
  snapshot: numbersSnapshot,
  today: dayWords,
} satisfies EventMap;

export type DayNumbers = z.infer<typeof dayWords>;
export type NumbersChapter = z.infer<typeof numbersChapter>;
export type NumbersSnapshot = z.infer<typeof numbersSnapshot>;
