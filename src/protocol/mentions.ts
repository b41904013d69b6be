import * as z from 'zod';

/** What the user points at with `@`. `ref`: a path of the project, or the id of a checkpoint. Lines count from 1, both ends included. */
export const chatMention = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), ref: z.string(), title: z.string().optional() }),
  z.object({
    kind: z.literal('selection'),
    ref: z.string(),
    title: z.string().optional(),
    start: z.number().int(),
    end: z.number().int(),
    text: z.string(),
    words: z.number().int().optional(),
  }),
  z.object({ kind: z.literal('checkpoint'), ref: z.string(), title: z.string().optional() }),
]);
export type ChatMention = z.infer<typeof chatMention>;

/** One thing that may be pointed at, as the list shows it. `group` and `detail` come localised from the host. */
export const mentionCandidate = z.object({
  mention: chatMention,
  group: z.string(),
  icon: z.string(),
  title: z.string(),
  detail: z.string(),
});
export type MentionCandidate = z.infer<typeof mentionCandidate>;

/** How a mention stands in the words: readable for people and for the model. */
export function mentionWords(mention: ChatMention): string {
  switch (mention.kind) {
    case 'file':
      return `@${mention.ref}`;
    case 'selection':
      return mention.start === mention.end ? `@${mention.ref}:${mention.start}` : `@${mention.ref}:${mention.start}-${mention.end}`;
    case 'checkpoint':
      return `@「${mention.title ?? mention.ref}」`;
  }
}
