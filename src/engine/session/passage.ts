import * as z from 'zod';

/** What may be asked of a passage. `alternatives`: the same said in three ways. `continue`: what comes after it. */
const passageTasks = ['rewrite', 'expand', 'shorten', 'continue', 'alternatives'] as const;

/**
 * A place in a text that one turn is about, as it stood when the turn began. Offsets are UTF-16, end exclusive; an empty `text` is a
 * place between two characters. `before` and `after` are what stands around it, and with them the place is found again.
 */
export const passageSchema = z.object({
  task: z.enum(passageTasks),
  path: z.string(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  text: z.string(),
  before: z.string(),
  after: z.string(),
  /** In the author's own words, how it is to be. */
  wish: z.string().optional(),
});
export type Passage = Readonly<z.infer<typeof passageSchema>>;
export type PassageTask = Passage['task'];
