import * as z from 'zod';
import { countWords } from '../text/count-words';
import { longestHead } from '../text/longest-head';

/**
 * What the user points at with `@`, as it lies in `attachments` of a `user` or `steer` entry. `ref`: a path of the project, or the id of
 * a checkpoint. Lines count from 1, both ends included. `words`: what the selection counted, when only its beginning is kept.
 */
export const mentionSchema = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('file'), ref: z.string(), title: z.string().optional() }),
  z.looseObject({
    kind: z.literal('selection'),
    ref: z.string(),
    title: z.string().optional(),
    start: z.number().int(),
    end: z.number().int(),
    text: z.string(),
    words: z.number().int().optional(),
  }),
  z.looseObject({ kind: z.literal('checkpoint'), ref: z.string(), title: z.string().optional() }),
]);
export type Mention = Readonly<z.infer<typeof mentionSchema>>;

/** So much of a selection goes along, 字 by `countWords`; the rest is for the agent to read. */
const MOST_QUOTED = 4_000;

/** The mentions among an entry's attachments; what a newer version attached is passed over. */
export function mentionsOf(attachments: readonly unknown[] | undefined): readonly Mention[] {
  return (attachments ?? []).flatMap((one) => {
    const read = mentionSchema.safeParse(one);
    return read.success ? [read.data] : [];
  });
}

/** Mentions as they are kept: of a long selection its beginning. */
export function keptMentions(mentions: readonly Mention[]): Mention[] {
  return mentions.map((mention) => {
    if (mention.kind !== 'selection') return mention;
    const words = countWords(mention.text);
    return words <= MOST_QUOTED ? mention : { ...mention, text: longestHead(mention.text, (head) => countWords(head) <= MOST_QUOTED), words };
  });
}
