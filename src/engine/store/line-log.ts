import type { Files } from '../ports/files';
import { EngineFailure, fail, ok, type Result } from '../ports/result';
import { createQueue } from './queue';

/** One line that is not a record: kept in the file, skipped, counted, shown once. `line` counts from 1. */
export interface BadLine {
  readonly line: number;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Bytes, without the line end. */
  readonly length: number;
}

/** A line as it lies in memory, without its line end (LF or CRLF). */
export interface LineAt {
  readonly chunk: Buffer;
  readonly start: number;
  readonly end: number;
  /** Of `start`, in bytes from the start of the file. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** False for what stands after the last LF: it may be cut short, so it must parse before it is believed. */
  readonly whole: boolean;
}

/** How far a reader knows a file already: `offset` stands right after an LF, `lines` lines lie before it. */
export interface Known {
  readonly offset: number;
  readonly lines: number;
  readonly badLines: readonly BadLine[];
}

/** Takes in the lines of a log. All methods are called from the log's queue, in file order. */
export interface LineReader {
  /**
   * Asked before the file, of `size` bytes, is read from its beginning: a reader that knows its beginning without seeing it
   * answers how much. Then only the rest is read, and `start` is not called; what was taken in before is forgotten.
   */
  resume?(size: number): Promise<Known | undefined>;
  /** The file is read from its beginning; what was taken in before is forgotten. May answer how much of `bytes` it knows. */
  start(bytes: Buffer): Known | undefined;
  /** Returns whether the line is a record. Blank lines are not shown. */
  line(at: LineAt): boolean;
}

export interface LineLogOptions {
  readonly files: Files;
  readonly path: string;
  readonly reader: LineReader;
  /** Whether we may write now: the lock is held. Asked before every write and before a torn tail is mended. */
  readonly owned: () => boolean;
}

/**
 * An append-only file of lines. One queue; a line is never split over two `write`s, and goes with its LF, at the size we expect the file to have.
 * A file that grew or was replaced outside is read again before the next append. What stands after the last LF is
 * closed with an LF by the owner, before the first append or on `refresh`; nothing is ever rewritten.
 */
export interface LineLog {
  readonly badLines: readonly BadLine[];
  /** Bytes taken in, up to the end of the last whole line. */
  readonly size: number;
  /** Lines among them. */
  readonly lines: number;
  /** Takes in what is new in the file (all of it the first time); resolves to whether anything was. Refuses `store.*`. */
  refresh(): Promise<Result<boolean>>;
  /**
   * Appends lines (given without line ends), in order. Refuses `store.lock-lost` when we may not write, and `store.*`; lines before
   * the one that failed stay written and have been shown to the reader. With `fsync` they are on the disk when it resolves.
   * `together`: one `write` of them all, so that a failure leaves none (a crash may still leave the first ones).
   */
  append(lines: readonly string[], options: { readonly fsync: boolean; readonly together?: boolean }): Promise<Result<void>>;
  /** Waits for everything in the queue. */
  idle(): Promise<void>;
}

const LF = 10;
const CR = 13;
const ANCHOR = 256;
const RETRIES = 5;
const isBlank = (chunk: Buffer, start: number, end: number): boolean => {
  for (let i = start; i < end; i += 1) {
    const byte = chunk[i];
    if (byte !== 32 && byte !== 9 && byte !== CR) return false;
  }
  return true;
};
const hasBom = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** What stands after the last LF. */
interface Tail {
  readonly length: number;
  readonly kind: 'record' | 'blank' | 'torn';
}

/** A line log at `path`. Nothing is read before `refresh` or `append`. */
export function createLineLog({ files, path, reader, owned }: LineLogOptions): LineLog {
  const queue = createQueue();
  let opened = false;
  let badLines: BadLine[] = [];
  /** Up to where whole lines have been taken in, and how many. */
  let size = 0;
  let lines = 0;
  let tail: Tail | undefined;
  /** The bytes right before `size`, to notice a file that was replaced. */
  let anchor = Buffer.alloc(0);
  let inode: bigint | undefined;
  /** A write failed half-way: look before the next one. */
  let unsure = false;

  const end = (): number => size + (tail?.length ?? 0);

  /** Takes in `chunk`, whose byte `from` lies at `size` in the file; what stands before that is the anchor, or the beginning of the file. */
  const take = (chunk: Buffer, from: number): void => {
    const known = tail?.kind === 'record' ? tail.length : undefined;
    const base = size - from;
    let start = from;
    for (let lf = chunk.indexOf(LF, start); lf !== -1; lf = chunk.indexOf(LF, start)) {
      const stop = lf > start && chunk[lf - 1] === CR ? lf - 1 : lf;
      lines += 1;
      const seen = start === from && known === stop - start;
      if (!seen && !isBlank(chunk, start, stop)) {
        const at = { chunk, start, end: stop, offset: base + start, line: lines, whole: true };
        if (!reader.line(at)) badLines.push({ line: lines, offset: at.offset, length: stop - start });
      }
      start = lf + 1;
    }
    size = base + start;
    anchor = Buffer.from(chunk.subarray(0, start).subarray(-ANCHOR));
    const length = chunk.length - start;
    if (length === 0) {
      tail = undefined;
    } else if (isBlank(chunk, start, chunk.length)) {
      tail = { length, kind: 'blank' };
    } else if (start === from && known === length) {
      tail = { length, kind: 'record' };
    } else {
      const at = { chunk, start, end: chunk.length, offset: size, line: lines + 1, whole: false };
      tail = { length, kind: reader.line(at) ? 'record' : 'torn' };
    }
  };

  const begin = (known: Known | undefined, before: number): void => {
    badLines = [...(known?.badLines ?? [])];
    size = known?.offset ?? before;
    lines = known?.lines ?? 0;
    tail = undefined;
    anchor = Buffer.alloc(0);
    opened = true;
    unsure = false;
  };

  const readAll = async (fileSize: number): Promise<void> => {
    const resumed = await reader.resume?.(fileSize);
    if (resumed !== undefined) {
      const from = Math.max(0, resumed.offset - ANCHOR);
      const bytes = asBuffer((await files.readRange(path, from, fileSize - from)) ?? new Uint8Array());
      begin(resumed, 0);
      take(bytes, resumed.offset - from);
      return;
    }
    const bytes = asBuffer((await files.read(path)) ?? new Uint8Array());
    begin(reader.start(bytes), hasBom(bytes) ? 3 : 0);
    take(bytes, size);
  };

  /** Closes what stands after the last LF. */
  const mend = async (): Promise<void> => {
    if (tail === undefined || !owned()) return;
    const torn = tail;
    await files.append(path, Uint8Array.of(LF), { fsync: true, expectedSize: end() });
    lines += 1;
    if (torn.kind === 'torn') badLines.push({ line: lines, offset: size, length: torn.length });
    size += torn.length + 1;
    tail = undefined;
    await reanchor();
  };

  const reanchor = async (): Promise<void> => {
    const from = Math.max(0, size - ANCHOR);
    anchor = Buffer.from(asBuffer((await files.readRange(path, from, size - from)) ?? new Uint8Array()));
  };

  /** Takes in what is new. Resolves to whether anything was. */
  const look = async (): Promise<boolean> => {
    const stat = await files.stat(path);
    const replaced = stat === undefined ? size > 0 : inode !== undefined && stat.ino !== inode;
    inode = stat?.ino;
    if (!opened || replaced || (stat?.size ?? 0) < end()) {
      await readAll(stat?.size ?? 0);
      return true;
    }
    unsure = false;
    if (stat === undefined || stat.size === end()) return false;
    const from = size - anchor.length;
    const bytes = asBuffer((await files.readRange(path, from, stat.size - from)) ?? new Uint8Array());
    if (!bytes.subarray(0, anchor.length).equals(anchor)) await readAll(stat.size);
    else take(bytes, anchor.length);
    return true;
  };

  const write = async (batch: readonly string[], fsync: boolean): Promise<void> => {
    const bytes = Buffer.from(batch.map((line) => `${line}\n`).join(''));
    const at = size;
    size = await files.append(path, bytes, { fsync, expectedSize: at });
    anchor = Buffer.from(bytes.length >= ANCHOR ? bytes.subarray(-ANCHOR) : Buffer.concat([anchor, bytes]).subarray(-ANCHOR));
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(LF, start);
      lines += 1;
      const record = reader.line({ chunk: bytes, start, end, offset: at + start, line: lines, whole: true });
      if (!record) badLines.push({ line: lines, offset: at + start, length: end - start });
      start = end + 1;
    }
  };

  const writeSurely = async (batch: readonly string[], fsync: boolean): Promise<void> => {
    for (let tries = 0; ; tries += 1) {
      if (!owned()) throw new EngineFailure({ code: 'store.lock-lost', args: { path } });
      try {
        if (!opened || unsure) await look();
        await mend();
        return await write(batch, fsync);
      } catch (error) {
        unsure = true;
        const changed = error instanceof EngineFailure && error.error.code === 'store.changed-outside';
        if (!changed || tries >= RETRIES) throw error;
      }
    }
  };

  const guarded = async <T>(task: () => Promise<T>): Promise<Result<T>> => {
    try {
      return ok(await task());
    } catch (error) {
      if (error instanceof EngineFailure) return fail(error.error);
      throw error;
    }
  };

  return {
    get badLines() {
      return tail?.kind === 'torn' ? [...badLines, { line: lines + 1, offset: size, length: tail.length }] : badLines;
    },
    get size() {
      return size;
    },
    get lines() {
      return lines;
    },
    refresh: () =>
      queue.run(() =>
        guarded(async () => {
          const grew = await look();
          await mend();
          return grew;
        }),
      ),
    append: (records, { fsync, together = false }) =>
      queue.run(() =>
        guarded(async () => {
          const batches = together && records.length > 0 ? [records] : records.map((line) => [line]);
          for (const [i, batch] of batches.entries()) await writeSurely(batch, fsync && i === batches.length - 1);
        }),
      ),
    idle: () => queue.idle(),
  };
}
