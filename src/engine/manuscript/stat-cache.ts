import * as z from 'zod';
import type { Files, FileStat } from '../ports/files';
import type { Log } from '../ports/log';
import { EngineFailure } from '../ports/result';
import { readCache } from '../store/read-cache';

const PATH = '.liyuan/cache/stat.json';
const VERSION = 1;
/** Time stamps of file systems are no finer than this, in nanoseconds. */
const RACY_NS = 2_000_000_000n;
/** Entries that may change before the file is written again: so many, or a quarter of a large project. */
const STALE_ENTRIES = 64;

const schema = z.object({
  v: z.literal(VERSION),
  /** path → size, mtimeNs, ctimeNs, ino, SHA-256, and the file system's time when it was hashed. */
  files: z.record(z.string(), z.tuple([z.number(), z.string(), z.string(), z.string(), z.string(), z.string()])),
});

interface Known {
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  readonly sha: string;
  readonly at: bigint;
}

/**
 * What files looked like when they were hashed. A file that looks the same is the same, unless it had changed within two seconds
 * before it was hashed: then it could have changed again within one tick of its time stamp, and is hashed again.
 */
export interface StatCache {
  load(): Promise<void>;
  /** The hash, when it can be trusted. */
  sha(path: string, stat: FileStat): string | undefined;
  /** `at`: the file system's own time before the bytes were read, in ns; `undefined` when unknown (then never trusted). */
  note(path: string, stat: FileStat, sha: string, at: bigint | undefined): void;
  keepOnly(paths: ReadonlySet<string>): void;
  forgetAll(): void;
  /** Writes it, if enough has changed to be worth it. */
  save(): Promise<void>;
}

export function createStatCache({ files, log }: { readonly files: Files; readonly log: Log }): StatCache {
  let entries = new Map<string, Known>();
  let loaded = false;
  let unsaved = 0;

  return {
    async load() {
      if (loaded) return;
      loaded = true;
      const bytes = await readCache({ files, log }, PATH);
      if (bytes === undefined) return;
      try {
        const stored = schema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
        entries = new Map(
          Object.entries(stored.files).map(([path, [size, mtimeNs, ctimeNs, ino, sha, at]]) => [
            path,
            { size, mtimeNs: BigInt(mtimeNs), ctimeNs: BigInt(ctimeNs), ino: BigInt(ino), sha, at: BigInt(at) },
          ]),
        );
      } catch (error) {
        if (!(error instanceof SyntaxError) && !(error instanceof z.ZodError)) throw error;
        log.debug('the cache of file stats is not readable and is made anew');
      }
    },
    sha(path, stat) {
      const known = entries.get(path);
      if (known === undefined) return undefined;
      const { size, mtimeNs, ctimeNs, ino } = known;
      if (size !== stat.size || mtimeNs !== stat.mtimeNs || ctimeNs !== stat.ctimeNs || ino !== stat.ino) return undefined;
      const racy = mtimeNs > known.at - RACY_NS || ctimeNs > known.at - RACY_NS;
      return racy ? undefined : known.sha;
    },
    note(path, stat, sha, at) {
      const { size, mtimeNs, ctimeNs, ino } = stat;
      entries.set(path, { size, mtimeNs, ctimeNs, ino, sha, at: at ?? 0n });
      unsaved += 1;
    },
    keepOnly(paths) {
      for (const path of entries.keys()) {
        if (paths.has(path)) continue;
        entries.delete(path);
        unsaved += 1;
      }
    },
    forgetAll() {
      entries.clear();
      unsaved = Infinity;
    },
    async save() {
      const allowed = entries.size < STALE_ENTRIES ? Math.max(1, entries.size) : Math.max(STALE_ENTRIES, entries.size / 4);
      if (unsaved < allowed) return;
      unsaved = 0;
      const stored: z.input<typeof schema> = {
        v: VERSION,
        files: Object.fromEntries(
          [...entries].map(([path, { size, mtimeNs, ctimeNs, ino, sha, at }]) => [
            path,
            [size, String(mtimeNs), String(ctimeNs), String(ino), sha, String(at)],
          ]),
        ),
      };
      try {
        await files.writeAtomic(PATH, Buffer.from(JSON.stringify(stored)), { fsync: false });
      } catch (error) {
        // A cache: what is not written is hashed again.
        if (!(error instanceof EngineFailure)) throw error;
        log.warn('the cache of file stats could not be written', { code: error.error.code });
      }
    },
  };
}
