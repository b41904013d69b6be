import * as z from 'zod';
import type { LessonBook, Log } from '../../engine/index';
import { createLessonBook, readLessons } from '../../engine/index';
import type { Memory } from '../memory';
import { originOf } from './keys';

/** What endpoints have taught, kept over reloads of the window: for each service and model by itself. */
export interface KeptLessons {
  book(base: string, model: string): LessonBook;
  /** Has the endpoint teach anew. */
  forget(base: string, model: string): void;
}

const NAME = 'model.lessons';
/** Endpoints remembered; the one that taught longest ago goes first. */
const MOST = 50;
/** Services change: what was learned longer ago is learned anew. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000;

const keptSchema = z.object({
  key: z.string(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** For `readLessons`. */
  lessons: z.unknown(),
});
type Kept = Readonly<z.infer<typeof keptSchema>>;

export function createKeptLessons(deps: { readonly memory: Memory; readonly now: () => number; readonly log: Log }): KeptLessons {
  const { memory, now, log } = deps;
  const keyOf = (base: string, model: string): string => `${originOf(base)} ${model}`;

  function all(): readonly Kept[] {
    const stored: unknown = memory.get(NAME);
    const kept = Array.isArray(stored) ? stored.map((one): Kept | undefined => keptSchema.safeParse(one).data).filter((one) => one !== undefined) : [];
    return kept.filter(({ at }) => Math.abs(now() - at) < LONGEST_MS);
  }

  function write(kept: readonly Kept[]): void {
    Promise.resolve(memory.update(NAME, kept.slice(-MOST))).catch((error: unknown) => { log.warn('what the model’s service taught cannot be kept', { error: String(error) }); });
  }

  return {
    book(base, model) {
      const key = keyOf(base, model);
      const book = createLessonBook(readLessons(all().find((one) => one.key === key)?.lessons));
      return {
        current: book.current,
        add(lesson) {
          book.add(lesson);
          // Without tools the agent can only talk, and one refused request tells it again: never held against a service for days.
          const { noTools: _, ...lessons } = book.current();
          write([...all().filter((one) => one.key !== key), ...(Object.keys(lessons).length === 0 ? [] : [{ key, at: now(), lessons }])]);
        },
      };
    },
    forget(base, model) {
      const key = keyOf(base, model);
      const left = all().filter((one) => one.key !== key);
      if (left.length < all().length) write(left);
    },
  };
}
