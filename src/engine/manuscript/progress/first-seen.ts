import * as z from 'zod';
import type { Files } from '../../ports/files';
import type { Log } from '../../ports/log';
import { EngineFailure } from '../../ports/result';

const PATH = '.liyuan/local/first-seen.json';
const schema = z.object({ v: z.literal(1), ts: z.number(), words: z.number() });

/** How long the book was when its numbers were first looked at, before there was any checkpoint. */
export interface FirstSeen {
  /** 字 of all chapters then; `undefined`: there was a checkpoint already, or it was on another machine. */
  words(): Promise<number | undefined>;
  /** Notes it once; a later call changes nothing. */
  note(words: number, ts: number): Promise<void>;
}

/**
 * `.liyuan/local/first-seen.json`. The first checkpoint of a book is not writing, but what was written on the first day until then is: what
 * the book has grown by since it was first seen.
 */
export function createFirstSeen({ files, log, readOnly = false }: { readonly files: Files; readonly log: Log; readonly readOnly?: boolean | undefined }): FirstSeen {
  let known: number | undefined;
  let loaded = false;

  const words = async (): Promise<number | undefined> => {
    if (loaded) return known;
    const bytes = await files.read(PATH);
    loaded = true;
    if (bytes === undefined) return undefined;
    try {
      known = schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))).words;
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
      log.warn('how long the book was at first is not readable');
    }
    return known;
  };

  return {
    words,
    async note(count, ts) {
      if ((await words()) !== undefined) return;
      known = count;
      if (readOnly) return;
      try {
        await files.writeAtomic(PATH, Buffer.from(`${JSON.stringify({ v: 1, ts, words: count } satisfies z.infer<typeof schema>)}\n`));
      } catch (error) {
        if (!(error instanceof EngineFailure)) throw error;
        log.warn('how long the book was at first could not be written', { code: error.error.code });
      }
    },
  };
}
