import * as z from 'zod';
import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { EngineFailure } from '../ports/result';
import { readCache } from '../store/read-cache';
import { sha256Hex } from '../text/hash';
import { checkpointSchema, logLine, type CheckpointRecord, type Manifest } from './checkpoint-log';
import type { RestoreLine } from './log-state';
import { filesOf, manifestOf, treeOf } from './manifest';

const PATH = '.liyuan/cache/checkpoints.json';
const VERSION = 1;
/** Bytes at either end of what is known of the log that must still be the same. */
const PROOF_BYTES = 4_096;

const schema = z.object({
  v: z.literal(VERSION),
  size: z.number().int(),
  proof: z.string(),
  lines: z.number().int(),
  badLines: z.array(z.object({ line: z.number(), offset: z.number(), length: z.number() })),
  record: checkpointSchema,
  files: z.record(z.string(), z.string()),
  intents: z.array(z.object({ sessionId: z.string(), userEntryId: z.string() })),
  restores: z.array(logLine),
  unrecorded: logLine.optional(),
});

/** What the log came to up to `size` bytes, when it had one tip: enough to take the next checkpoint without reading it again. */
export interface NewestSnapshot {
  readonly size: number;
  readonly lines: number;
  readonly badLines: readonly { readonly line: number; readonly offset: number; readonly length: number }[];
  readonly record: CheckpointRecord;
  readonly manifest: Manifest;
  readonly intents: readonly { readonly sessionId: string; readonly userEntryId: string }[];
  readonly restores: readonly RestoreLine[];
  readonly unrecorded: RestoreLine | undefined;
}

/** Binds a snapshot to the bytes it was made from. */
export function proofOf(log: Uint8Array, size: number): string {
  const head = log.subarray(0, Math.min(PROOF_BYTES, size));
  const tail = log.subarray(Math.max(0, size - PROOF_BYTES), size);
  return sha256Hex(`${size} ${sha256Hex(head)} ${sha256Hex(tail)}`);
}

export interface NewestCache {
  /** Reads the file once; what it says still has to be proved with `prove`. */
  load(): Promise<void>;
  /** The snapshot, when it belongs to these bytes of the log and its manifest has the tree of its record. */
  prove(log: Uint8Array): NewestSnapshot | undefined;
  save(snapshot: NewestSnapshot): Promise<void>;
}

const isRestore = (line: z.infer<typeof logLine>): line is RestoreLine => line.type === 'restore';

/** `.liyuan/cache/checkpoints.json`: may be missing, old or wrong at any time. */
export function createNewestCache({ files, log }: { readonly files: Files; readonly log: Log }): NewestCache {
  let stored: z.infer<typeof schema> | undefined;
  return {
    async load() {
      const bytes = await readCache({ files, log }, PATH);
      stored = undefined;
      if (bytes === undefined) return;
      let value: unknown;
      try {
        value = JSON.parse(Buffer.from(bytes).toString('utf8'));
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        log.debug('the cache of the newest checkpoint is not JSON and is made anew');
        return;
      }
      const parsed = schema.safeParse(value);
      if (parsed.success) stored = parsed.data;
    },
    prove(bytes) {
      if (stored === undefined || stored.size > bytes.length || proofOf(bytes, stored.size) !== stored.proof) return undefined;
      const manifest = manifestOf(stored.files);
      if (treeOf(manifest) !== stored.record.tree) return undefined;
      const { size, lines, badLines, record, intents } = stored;
      const unrecorded = stored.unrecorded;
      return {
        size,
        lines,
        badLines,
        record,
        manifest,
        intents,
        restores: stored.restores.filter(isRestore),
        unrecorded: unrecorded !== undefined && isRestore(unrecorded) ? unrecorded : undefined,
      };
    },
    async save(snapshot) {
      const { size } = snapshot;
      const head = await files.readRange('.liyuan/checkpoints/log.jsonl', 0, Math.min(PROOF_BYTES, size));
      const from = Math.max(0, size - PROOF_BYTES);
      const tail = await files.readRange('.liyuan/checkpoints/log.jsonl', from, size - from);
      if (head === undefined || tail === undefined) return;
      const { manifest, ...rest } = snapshot;
      const value: z.input<typeof schema> = {
        v: VERSION,
        ...rest,
        badLines: [...rest.badLines],
        intents: [...rest.intents],
        restores: [...rest.restores],
        proof: sha256Hex(`${size} ${sha256Hex(head)} ${sha256Hex(tail)}`),
        files: filesOf(manifest),
      };
      try {
        await files.writeAtomic(PATH, Buffer.from(JSON.stringify(value)), { fsync: false });
      } catch (error) {
        // A cache: the next start reads the log instead.
        if (!(error instanceof EngineFailure)) throw error;
        log.warn('the cache of the newest checkpoint could not be written', { code: error.error.code });
      }
    },
  };
}
