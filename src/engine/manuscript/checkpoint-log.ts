import * as z from 'zod';
import { versionOf } from '../text/json';

/** The lines of `checkpoints/log.jsonl` (formats.md). `ts` is milliseconds since the epoch. */
export const CHECKPOINT_VERSION = 1;

export const changedSchema = z.object({
  added: z.array(z.string()),
  modified: z.array(z.string()),
  /** `[old, new]` */
  renamed: z.array(z.tuple([z.string(), z.string()])),
  removed: z.array(z.string()),
});
export type Changed = z.infer<typeof changedSchema>;

export const checkpointSchema = z.looseObject({
  v: z.number().int(),
  type: z.literal('checkpoint'),
  id: z.string(),
  ts: z.number(),
  author: z.enum(['agent', 'user', 'import']),
  message: z.string(),
  turn: z.looseObject({ sessionId: z.string(), userEntryId: z.string() }).optional(),
  aborted: z.boolean().optional(),
  /** The checkpoint whose state this one returned to. */
  restoredFrom: z.string().optional(),
  ledger: z.looseObject({ sessionId: z.string(), entryId: z.string() }).optional(),
  changed: changedSchema,
  /** Names that were given all at once, also where they change places among files that stay: what `changed` alone could not say. */
  moved: z.array(z.tuple([z.string(), z.string()])).optional(),
  parents: z.array(z.string()),
  /** Steps since the last full manifest on this chain. */
  depth: z.number().int(),
  /** SHA-256 of the canonical full manifest: `path\0sha\n` per file, sorted by code unit. */
  tree: z.string(),
  delta: z.record(z.string(), z.string().nullable()).optional(),
  files: z.record(z.string(), z.string()).optional(),
});
export type CheckpointRecord = z.infer<typeof checkpointSchema>;

export const logLine = z.union([
  checkpointSchema,
  /** What a person says about a checkpoint. `name: ''` takes the name away; what is left out stays as it is. */
  z.looseObject({ type: z.literal('mark'), target: z.string(), pinned: z.boolean().optional(), name: z.string().optional(), ts: z.number() }),
  /**
   * Hides checkpoints and gives up their contents; their own lines stay, since later ones fold through them. Stands in the log, also
   * with no ids, before any object is removed: which objects there are must be looked at anew from then on.
   */
  z.looseObject({ type: z.literal('prune'), ids: z.array(z.string()), ts: z.number() }),
  /** Before the first edit of a turn. */
  z.looseObject({ type: z.literal('intent'), turn: z.looseObject({ sessionId: z.string(), userEntryId: z.string() }), ts: z.number() }),
  /** `files`: every path that will change, with its hash before (`null`: not there) and after. */
  z.looseObject({
    type: z.literal('restore'),
    id: z.string(),
    /** Which machine's files it changes; absent in older lines. */
    machine: z.string().optional(),
    target: z.string(),
    pre: z.string(),
    /** Set when one file alone was restored. */
    path: z.string().optional(),
    files: z.record(z.string(), z.object({ before: z.string().nullable(), after: z.string().nullable() })),
    ts: z.number(),
  }),
  /** Closes the `restore` with this id; `outcome` says whether its files are now after, before, or as they were found. */
  z.looseObject({ type: z.literal('restored'), of: z.string(), outcome: z.enum(['done', 'undone', 'left']), ts: z.number() }),
]);
export type LogLine = z.infer<typeof logLine>;

/** Whether a line, whatever its form, says that a newer version wrote it. */
export const isNewerLine = (value: unknown): boolean => versionOf(value) > CHECKPOINT_VERSION;

/** Path → SHA-256 of the file's raw bytes. */
export type Manifest = ReadonlyMap<string, string>;
