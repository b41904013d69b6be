import * as z from 'zod';
import type { Clock } from '../ports/clock';
import type { Files } from '../ports/files';
import type { Log } from '../ports/log';

const partialFile = z.looseObject({
  v: z.literal(1),
  turnId: z.string(),
  /** The entry at the leaf while this streamed in. */
  leaf: z.string(),
  text: z.string(),
  reasoning: z.string(),
  ts: z.number(),
});
export type Partial = Readonly<z.infer<typeof partialFile>>;

/** What has streamed in of the call under way, so that a killed host loses at most half a second of it. */
export interface PartialWriter {
  add(piece: { readonly text?: string; readonly reasoning?: string }): void;
  /** The text so far was thinking. */
  textWasReasoning(): void;
  /** Nothing more will come: waits for a write under way. The file stays until it is removed, when the text is in the log. */
  settle(): Promise<void>;
}

export interface PartialJournal {
  open(sessionId: string, at: { readonly turnId: string; readonly leaf: string }): PartialWriter;
  /** What was left behind, if anything readable was. */
  read(sessionId: string): Promise<Partial | undefined>;
  remove(sessionId: string): Promise<void>;
}

const EVERY_MS = 500;

/** `.liyuan/local/partial/<sessionId>.json`, this machine's own. Trouble with it is logged and never fails a turn. */
export function createPartialJournal(deps: { readonly files: Files; readonly clock: Clock; readonly log: Log }): PartialJournal {
  const { files, clock, log } = deps;
  const pathOf = (sessionId: string): string => `.liyuan/local/partial/${sessionId}.json`;

  const remove = async (sessionId: string): Promise<void> => {
    try {
      await files.remove(pathOf(sessionId));
    } catch (error) {
      log.warn('partial text: the file cannot be removed', { sessionId, error: String(error) });
    }
  };

  return {
    open(sessionId, { turnId, leaf }) {
      let text = '';
      let reasoning = '';
      let cancel: (() => void) | undefined;
      let writing: Promise<void> = Promise.resolve();
      let last = Number.NEGATIVE_INFINITY;

      /** Words came while a write was under way: one more follows it, however many there were. A slow disk never piles them up. */
      let behind = false;
      let busy = false;

      const keepUp = async (): Promise<void> => {
        busy = true;
        do {
          behind = false;
          const bytes = new TextEncoder().encode(JSON.stringify({ v: 1, turnId, leaf, text, reasoning, ts: last } satisfies Partial));
          try {
            await files.writeAtomic(pathOf(sessionId), bytes, { fsync: false });
          } catch (error) {
            log.warn('partial text: cannot be written', { sessionId, error: String(error) });
          }
        } while (behind);
        busy = false;
      };
      const write = (): void => {
        cancel = undefined;
        last = clock.now();
        behind = true;
        if (!busy) writing = keepUp();
      };

      const writeSoon = (): void => {
        if (cancel !== undefined) return;
        const due = last + EVERY_MS - clock.now();
        if (due <= 0) write();
        else cancel = clock.after(due, write);
      };

      return {
        add(piece) {
          text += piece.text ?? '';
          reasoning += piece.reasoning ?? '';
          writeSoon();
        },
        textWasReasoning() {
          reasoning += text;
          text = '';
          writeSoon();
        },
        async settle() {
          if (cancel !== undefined) {
            cancel();
            write();
          }
          await writing;
        },
      };
    },

    async read(sessionId) {
      try {
        const bytes = await files.read(pathOf(sessionId));
        if (bytes === undefined) return undefined;
        return partialFile.parse(JSON.parse(new TextDecoder().decode(bytes)));
      } catch (error) {
        log.warn('partial text: cannot be read', { sessionId, error: String(error) });
        return undefined;
      }
    },

    remove,
  };
}
