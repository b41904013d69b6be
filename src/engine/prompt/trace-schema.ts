import * as z from 'zod';

/** The lines of `traces/<sessionId>.jsonl`: one per model call, hashes and ids instead of text. */
export const TRACE_VERSION = 1;

export const traceBlock = z.looseObject({
  /** Index of the request message this block is part of; a message's content is its blocks' texts joined by one blank line. */
  m: z.number().int(),
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  /** e.g. `rules`, `project-rules`, `facts`, `outline`, `author-changes`, `words`, `history`. */
  kind: z.string(),
  title: z.string(),
  /** Where it came from: an asset, a path, an entry id. */
  source: z.string(),
  /** Object holding the block's text; absent for a history block, which names its entry instead. */
  object: z.string().optional(),
  entryId: z.string().optional(),
  /** For a history block: SHA-256 of the message's canonical JSON, so that a rebuild can prove itself. */
  sha: z.string().optional(),
  tokens: z.number().int(),
});
export type TraceBlock = z.infer<typeof traceBlock>;

export const traceLine = z.looseObject({
  v: z.number().int(),
  type: z.literal('call'),
  id: z.string(),
  ts: z.number(),
  sessionId: z.string(),
  turnId: z.string(),
  /** The entry at the leaf when the call was made. */
  leaf: z.string(),
  use: z.enum(['turn', 'side']),
  round: z.number().int(),
  model: z.string(),
  params: z.record(z.string(), z.unknown()),
  /**
   * On disk, the first `count` blocks are those of the earlier call `id` and are not written again; readers put them back,
   * so that everything above the log sees all blocks in `blocks`.
   */
  base: z.object({ id: z.string(), count: z.number().int() }).optional(),
  blocks: z.array(traceBlock),
  /** Object holding the tools as sent (JSON), and their names in order. */
  tools: z.object({ object: z.string().optional(), names: z.array(z.string()) }),
  toolChoice: z.enum(['auto', 'none']).optional(),
  /** SHA-256 of the canonical JSON of `{tools, messages}` (tools first, where servers put them in the cached prefix). */
  request: z.string(),
  /** UTF-8 bytes of that JSON, and how many leading ones equal the previous call's of this session. */
  bytes: z.number().int(),
  shared: z.number().int(),
});
export type TraceLine = z.infer<typeof traceLine>;

/** Written when the call has ended; joined to its call by id. */
export const traceResult = z.looseObject({
  v: z.number().int(),
  type: z.literal('result'),
  of: z.string(),
  ts: z.number(),
  outcome: z.string(),
  usage: z.looseObject({ input: z.number(), output: z.number() }).optional(),
  firstTokenMs: z.number().optional(),
  totalMs: z.number(),
});
export type TraceResult = z.infer<typeof traceResult>;
