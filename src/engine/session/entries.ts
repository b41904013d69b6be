import * as z from 'zod';
import { passageSchema } from './passage';

/**
 * The lines of `sessions/<id>.jsonl` (formats.md). An entry on disk is
 * `{"id","parentId","ts","type","data":{…}}`, written with its keys in this order so that readers can index by prefix and
 * parse `data` on demand. `ts` is milliseconds since the epoch. Readers keep unknown types and unknown keys.
 */
export const SESSION_VERSION = 1;

export const sessionHeader = z.looseObject({
  v: z.number().int(),
  type: z.literal('session'),
  id: z.string(),
  kind: z.enum(['agent', 'roleplay']),
  title: z.string(),
  createdAt: z.number(),
});
export type SessionHeader = z.infer<typeof sessionHeader>;

export const usageSchema = z.looseObject({
  input: z.number(),
  output: z.number(),
  cached: z.number().optional(),
  reasoning: z.number().optional(),
  cost: z.number().optional(),
  currency: z.string().optional(),
  /** Counted on this side, because the service gives no figures. */
  estimated: z.literal(true).optional(),
});

export const attachmentSchema = z.looseObject({ kind: z.string(), ref: z.string(), title: z.string().optional() });

export const callSchema = z.object({ callId: z.string(), name: z.string(), args: z.string() });

export const taskSchema = z.looseObject({ kind: z.string() });

export const entryData = {
  user: z.looseObject({
    text: z.string(),
    attachments: z.array(attachmentSchema).optional(),
    /** What the words ask for, when the program asked it on the author's behalf; its material stands in the turn's `context`. */
    task: taskSchema.optional(),
    /** The turn is about this place: its answer is offered, and no file is changed in it. */
    passage: passageSchema.optional(),
  }),
  /** What was put before the user's words in the same message, as sent: an object of the store. Replayed until compaction. */
  context: z.looseObject({
    sha: z.string(),
    blocks: z.array(z.looseObject({ kind: z.string(), title: z.string(), sha: z.string() })),
    /** The newest checkpoint when it was written: what the author does from there on is not in it. */
    checkpoint: z.string().optional(),
  }),
  /** What the user said while the turn ran, put between its tool results and its next call. `sha`: what was put before these words, as sent. */
  steer: z.looseObject({ text: z.string(), attachments: z.array(attachmentSchema).optional(), sha: z.string().optional() }),
  step: z.looseObject({
    text: z.string().optional(),
    reasoning: z.string().optional(),
    calls: z.array(callSchema),
    model: z.string(),
    usage: usageSchema.optional(),
  }),
  tool: z.looseObject({ callId: z.string(), result: z.string(), ok: z.boolean() }),
  choice: z.looseObject({
    /** The call it answers, when a tool asked. */
    callId: z.string().optional(),
    question: z.string(),
    options: z.array(z.string()),
    answer: z.string().optional(),
    stopped: z.boolean().optional(),
    by: z.string(),
  }),
  reply: z.looseObject({
    text: z.string(),
    reasoning: z.string().optional(),
    model: z.string(),
    usage: usageSchema.optional(),
    status: z.enum(['sealed', 'unsealed', 'stopped', 'error']),
    draftId: z.string().optional(),
    /** Error code and arguments when status is `error`. */
    error: z.looseObject({ code: z.string() }).optional(),
    /** What the person was told of a reply that is no failure: the length limit cut it, nothing was answered. */
    notices: z.array(z.looseObject({ code: z.string() })).optional(),
  }),
  end: z.looseObject({
    status: z.enum(['done', 'stopped', 'error', 'interrupted', 'undone']),
    /** The newest checkpoint when the turn ended: what the agent knows the texts to be. */
    checkpoint: z.string().optional(),
  }),
  checkpoint: z.looseObject({
    id: z.string(),
    author: z.enum(['agent', 'user', 'import']),
    message: z.string(),
    changed: z.looseObject({
      added: z.array(z.string()),
      modified: z.array(z.string()),
      renamed: z.array(z.tuple([z.string(), z.string()])),
      removed: z.array(z.string()),
    }),
  }),
  side: z.looseObject({ job: z.string(), for: z.string(), outcome: z.string(), error: z.string().optional(), attempt: z.number() }),
  state: z.looseObject({
    op: z.enum(['patch', 'reset']),
    for: z.string(),
    patch: z.unknown().optional(),
    ledger: z.unknown().optional(),
    by: z.string(),
    source: z.unknown().optional(),
    replaces: z.string().optional(),
    applied: z.array(z.string()),
    warnings: z.array(z.string()),
  }),
  /** Stands for the turns (their `user` entries) `covers.from` to `covers.through` in later prompts, until it is hidden. */
  summary: z.looseObject({
    text: z.string(),
    /** `floors`: the numbers of these turns on the branch, from 1. */
    covers: z.looseObject({ from: z.string(), through: z.string(), floors: z.tuple([z.number().int(), z.number().int()]).optional() }),
    /** What it was made from: turns, and the summary before it, which it takes in. */
    sources: z.array(z.string()),
    /** Tokens of `text`. */
    tokens: z.number().int().optional(),
    /** The author wrote it, in the place of another summary of the same turns. */
    by: z.literal('author').optional(),
    files: z.unknown().optional(),
    for: z.string().optional(),
  }),
  save: z.looseObject({
    id: z.string(),
    name: z.string(),
    worldLineId: z.string(),
    worldLineName: z.string(),
    parentSaveId: z.string().optional(),
    forkFromSaveId: z.string().optional(),
  }),
  hide: z.looseObject({ targetId: z.string() }),
  unhide: z.looseObject({ targetId: z.string() }),
  /** parentId null; per key the greatest (ts, id) wins. */
  meta: z.looseObject({ key: z.string(), value: z.unknown() }),
  /** parentId null; a machine takes its own newest, else the greatest (ts, id). `leaf` null = before the first entry. */
  head: z.looseObject({ leaf: z.string().nullable(), machine: z.string() }),
} as const;

export type EntryType = keyof typeof entryData;
export type EntryData<T extends EntryType> = z.infer<(typeof entryData)[T]>;

/** One immutable record of a session tree. */
export interface EntryOf<T extends EntryType> {
  readonly id: string;
  readonly parentId: string | null;
  readonly ts: number;
  readonly type: T;
  readonly data: EntryData<T>;
}
export type Entry = { [T in EntryType]: EntryOf<T> }[EntryType];

/** A record whose type this version does not know: kept, skipped by projections. */
export interface UnknownEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly ts: number;
  readonly type: string;
  readonly data: unknown;
}

/** What a caller hands in: ids and times are minted by the session. */
export type NewEntry = { [T in EntryType]: { readonly type: T; readonly data: EntryData<T>; readonly id?: string } }[EntryType];
