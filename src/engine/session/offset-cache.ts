import * as z from 'zod';
import { sha256Hex } from '../text/hash';
import type { Known } from '../store/line-log';
import { GAP, type EntryIndex } from './entry-index';
import { sessionHeader } from './entries';
import { parseLine } from './entry-line';

/**
 * `.liyuan/cache/offsets/<sessionId>`: where each entry of a session lies, so that a large session opens without being
 * scanned. Rebuildable. A JSON line (`Head`), then the columns of all entries: offset f64, ts f64, length u32, line u32,
 * parent i32, type u16, id length u8, ids in latin1; numbers in the machine's byte order.
 */
const FORM = 'liyuan-offsets-1';
/** How much of either end of the file is hashed, in bytes. */
const PROBE = 64 * 1024;
const LF = 10;

const BYTES_EACH = 8 + 8 + 4 + 4 + 4 + 2 + 1;
const order = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 'le' : 'be';

const count = z.number().int().nonnegative();
const headSchema = z.object({
  form: z.literal(FORM),
  order: z.literal(order),
  count,
  known: z.object({
    offset: count,
    lines: count,
    badLines: z.array(z.object({ line: count, offset: count, length: count })),
  }),
  probe: z.string(),
  header: sessionHeader,
  types: z.array(z.string()),
  /** Parents that are not in the file, by position. */
  gaps: z.array(z.tuple([count, z.string()])),
});
type Head = z.infer<typeof headSchema>;

/** A fingerprint of the first `size` bytes: their number and both their ends. */
function probeOf(bytes: Buffer, size: number): string {
  const head = bytes.subarray(0, Math.min(PROBE, size));
  const tail = bytes.subarray(Math.max(0, size - PROBE), size);
  return `${size}-${sha256Hex(head)}-${sha256Hex(tail)}`;
}

/** The cache's bytes for an index that has taken in all of `bytes` up to `known`; `undefined` when it does not fit the form. */
export function encodeOffsets(index: EntryIndex, known: Known, bytes: Buffer): Buffer | undefined {
  const types = [...new Set(index.types)];
  const typeAt = new Map(types.map((type, i) => [type, i]));
  // Damaged lines and twins are rare and need care: such a session is scanned each time.
  if (index.broken.length > 0 || index.duplicates.size > 0 || index.header === undefined) return undefined;
  if (index.places.some((place) => place.end - place.start + place.offset > known.offset)) return undefined;
  if (index.ids.some((id) => id.length > 255 || !/^[\x20-\x7e]*$/.test(id))) return undefined;
  const gaps: [number, string][] = [];
  index.parents.forEach((parent, i) => {
    if (parent === GAP) gaps.push([i, index.parentIds[i] ?? '']);
  });
  const head: Head = {
    form: FORM,
    order,
    count: index.ids.length,
    known: { ...known, badLines: [...known.badLines] },
    probe: probeOf(bytes, known.offset),
    header: index.header,
    types,
    gaps,
  };
  const columns = Buffer.concat([
    raw(Float64Array.from(index.places, (place) => place.offset)),
    raw(Float64Array.from(index.times)),
    raw(Uint32Array.from(index.places, (place) => place.end - place.start)),
    raw(Uint32Array.from(index.places, (place) => place.line)),
    raw(Int32Array.from(index.parents)),
    raw(Uint16Array.from(index.types, (type) => typeAt.get(type) ?? 0)),
    raw(Uint8Array.from(index.ids, (id) => id.length)),
    Buffer.from(index.ids.join(''), 'latin1'),
  ]);
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), columns]);
}

const raw = (column: ArrayBufferView): Buffer => Buffer.from(column.buffer, column.byteOffset, column.byteLength);

function parseHead(cache: Buffer, end: number): Head | undefined {
  const head = headSchema.safeParse(parseLine(cache, 0, end));
  return head.success ? head.data : undefined;
}

/**
 * Fills an empty index from the cache if it fits the session file `bytes` (which may have grown since); answers how much is
 * known then. Any doubt: `undefined`, and the index is still empty.
 */
export function restoreOffsets(index: EntryIndex, cache: Buffer, bytes: Buffer): Known | undefined {
  const headEnd = cache.indexOf(LF);
  const head = headEnd === -1 ? undefined : parseHead(cache, headEnd);
  if (head === undefined) return undefined;
  const { count, known, types } = head;
  if (known.offset > bytes.length || (known.offset > 0 && bytes[known.offset - 1] !== LF)) return undefined;
  if (cache.length < headEnd + 1 + count * BYTES_EACH || probeOf(bytes, known.offset) !== head.probe) return undefined;

  const columns = new Uint8Array(cache.subarray(headEnd + 1)).buffer; // copied, so that it is aligned
  const offsets = new Float64Array(columns, 0, count);
  const times = new Float64Array(columns, count * 8, count);
  const lengths = new Uint32Array(columns, count * 16, count);
  const lines = new Uint32Array(columns, count * 20, count);
  const parents = new Int32Array(columns, count * 24, count);
  const kinds = new Uint16Array(columns, count * 28, count);
  const idLengths = new Uint8Array(columns, count * 30, count);
  const text = Buffer.from(columns, count * 31).toString('latin1');
  const gaps = new Map(head.gaps);
  const ids: string[] = [];
  let at = 0;
  for (let i = 0; i < count; i += 1) {
    const length = idLengths[i] ?? 0;
    ids.push(text.slice(at, at + length));
    at += length;
    const start = offsets[i] ?? 0;
    if (start < 0 || start + (lengths[i] ?? 0) > known.offset) return undefined;
    const parent = parents[i] ?? GAP;
    if (parent >= count || (parent < 0 && parent !== -1 && !gaps.has(i))) return undefined;
  }
  if (at !== text.length) return undefined;
  for (let i = 0; i < count; i += 1) {
    const parent = parents[i] ?? GAP;
    const start = offsets[i] ?? 0;
    index.restore(
      {
        id: ids[i] ?? '',
        parentId: parent >= 0 ? (ids[parent] ?? '') : (gaps.get(i) ?? null),
        ts: times[i] ?? 0,
        type: types[kinds[i] ?? 0] ?? '',
      },
      { chunk: bytes, start, end: start + (lengths[i] ?? 0), offset: start, line: lines[i] ?? 0 },
    );
  }
  index.header = head.header;
  return known;
}
