import type { Files } from '../ports/files';
import { EngineFailure } from '../ports/result';

/** Bytes of a session file by where they lie, read when asked for. */
export interface LineSource {
  /** Throws `EngineFailure`: `store.*` when the disk fails, `store.changed-outside` when the file is no longer that long. */
  bytes(offset: number, length: number): Buffer;
  /** Holds the whole file in memory until `trim`. */
  hold(whole: Buffer): void;
  /** Lets go of what is held, but for its end, where reading goes on. */
  trim(): void;
  /** The file is another one. */
  clear(): void;
}

const PAGE = 256 * 1024;
const PAGES = 16;
/** How much of the end stays when the rest is let go, in bytes. */
const KEPT = 512 * 1024;

export function createLineSource(files: Files, path: string): LineSource {
  let held: { readonly base: number; readonly bytes: Buffer } | undefined;
  /** Newest use last. A page at the end of the file grows with it. */
  const pages = new Map<number, Buffer>();

  const read = (offset: number, length: number): Buffer => {
    const bytes = files.readRangeSync(path, offset, length) ?? new Uint8Array();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  const changed = (offset: number, length: number): EngineFailure =>
    new EngineFailure({ code: 'store.changed-outside', args: { path, expected: offset + length } });

  const page = (number: number, atLeast: number): Buffer => {
    let found = pages.get(number);
    pages.delete(number);
    if (found === undefined || found.length < atLeast) found = read(number * PAGE, PAGE);
    if (pages.size >= PAGES) pages.delete(pages.keys().next().value as number);
    pages.set(number, found);
    return found;
  };

  return {
    bytes(offset, length) {
      if (held !== undefined && offset >= held.base && offset + length <= held.base + held.bytes.length) {
        return held.bytes.subarray(offset - held.base, offset - held.base + length);
      }
      const first = Math.floor(offset / PAGE);
      const start = offset - first * PAGE;
      const found =
        start + length <= PAGE ? page(first, start + length).subarray(start, start + length) : read(offset, length);
      if (found.length < length) throw changed(offset, length);
      return found;
    },
    hold(whole) {
      held = { base: 0, bytes: whole };
    },
    trim() {
      if (held === undefined || held.bytes.length <= KEPT) return;
      const end = held.base + held.bytes.length;
      held = { base: end - KEPT, bytes: Buffer.from(held.bytes.subarray(-KEPT)) };
    },
    clear() {
      held = undefined;
      pages.clear();
    },
  };
}
