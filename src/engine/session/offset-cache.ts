import * as z from 'zod';
import type { Known } from '../store/line-log';
import { sha256Hex } from '../text/hash';
import { GAP, type Columns, type EntryIndex } from './entry-index';
import { parseLine } from './entry-line';
import { sessionHeader, type SessionHeader } from './entries';

/**
 * `.liyuan/cache/offsets/<sessionId>`: where each entry of a session lies, so that a large session opens without being
 * read. Rebuildable. A JSON line (`headSchema`), then the columns of all entries: offset f64, ts f64, length u32, line u32,
 * parent i32, type u16, id length u8, ids in latin1; numbers in the machine's byte order.
 */
const FORM = 'liyuan-offsets-1';
const BYTES_EACH = 8 + 8 + 4 + 4 + 4 + 2 + 1;
/** How much of either end of the file is hashed, in bytes. */
const PROBE = 64 * 1024;
const LF = 10;
const order = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 'le' : 'be';

const whole = z.number().int().nonnegative();
const headSchema = z.object({
  form: z.literal(FORM),
  order: z.literal(order),
  count: whole,
  known: z.object({ offset: whole, lines: whole, badLines: z.array(z.object({ line: whole, offset: whole, length: whole })) }),
  probe: z.string(),
  header: sessionHeader,
  types: z.array(z.string()),
  /** Parents that are not in the file, by position. */
  gaps: z.array(z.tuple([whole, z.string()])),
});
type Head = z.infer<typeof headSchema>;

/** Reads a range of the session file. */
export type ReadRange = (offset: number, length: number) => Promise<Uint8Array | undefined>;

/** A fingerprint of the first `size` bytes of a file, which end in a whole line: their number and both their ends. */
export async function probeOf(read: ReadRange, size: number): Promise<string | undefined> {
  const length = Math.min(PROBE, size);
  const head = await read(0, length);
  const tail = await read(size - length, length);
  if (head?.length !== length || tail?.length !== length || tail[length - 1] !== LF) return undefined;
  return `${size}-${sha256Hex(head)}-${sha256Hex(tail)}`;
}

const raw = (column: ArrayBufferView): Buffer => Buffer.from(column.buffer, column.byteOffset, column.byteLength);

/** The cache's bytes for an index that has taken in a file up to `known`; `undefined` when it does not fit the form. */
export function encodeOffsets(index: EntryIndex, known: Known, probe: string): Buffer | undefined {
  const { ids, parents, gaps, times, types, offsets, lengths, lines } = index.columns;
  // Damaged lines and twins are rare and need care: such a session is scanned each time.
  if (index.broken.length > 0 || index.duplicates.size > 0 || index.header === undefined) return undefined;
  if (offsets.some((offset, i) => offset + (lengths[i] ?? 0) > known.offset)) return undefined;
  if (ids.some((id) => id.length > 255 || !/^[\x20-\x7e]*$/.test(id))) return undefined;
  const names = [...new Set(types)];
  const nameAt = new Map(names.map((type, i) => [type, i]));
  const head: Head = {
    form: FORM,
    order,
    count: ids.length,
    known: { ...known, badLines: [...known.badLines] },
    probe,
    header: index.header,
    types: names,
    gaps: [...gaps],
  };
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(head)}\n`),
    raw(Float64Array.from(offsets)),
    raw(Float64Array.from(times)),
    raw(Uint32Array.from(lengths)),
    raw(Uint32Array.from(lines)),
    raw(Int32Array.from(parents)),
    raw(Uint16Array.from(types, (type) => nameAt.get(type) ?? 0)),
    raw(Uint8Array.from(ids, (id) => id.length)),
    Buffer.from(ids.join(''), 'latin1'),
  ]);
}

function columnsOf(body: Uint8Array, { count, known, types, gaps }: Head): Columns | undefined {
  if (body.length < count * BYTES_EACH) return undefined;
  const bytes = new Uint8Array(body).buffer; // copied, so that it is aligned
  const offsets = new Float64Array(bytes, 0, count);
  const times = new Float64Array(bytes, count * 8, count);
  const lengths = new Uint32Array(bytes, count * 16, count);
  const lines = new Uint32Array(bytes, count * 20, count);
  const parents = new Int32Array(bytes, count * 24, count);
  const kinds = new Uint16Array(bytes, count * 28, count);
  const idLengths = new Uint8Array(bytes, count * 30, count);
  const text = Buffer.from(bytes, count * BYTES_EACH).toString('latin1');
  const numbers = (): number[] => new Array<number>(count);
  const c: Columns = {
    ids: new Array<string>(count),
    gaps: new Map(gaps),
    offsets: numbers(),
    times: numbers(),
    lengths: numbers(),
    lines: numbers(),
    parents: numbers(),
    types: new Array<string>(count),
  };
  let at = 0;
  // One plain loop: `Array.from` of a typed array takes ten times as long.
  for (let i = 0; i < count; i += 1) {
    const offset = offsets[i] ?? -1;
    const length = lengths[i] ?? 0;
    const parent = parents[i] ?? GAP;
    if (!(offset >= 0) || offset + length > known.offset || !(parent >= GAP && parent < count)) return undefined;
    if (parent === GAP && !c.gaps.has(i)) return undefined;
    const end = at + (idLengths[i] ?? 0);
    c.ids[i] = text.slice(at, end);
    at = end;
    c.offsets[i] = offset;
    c.times[i] = times[i] ?? 0;
    c.lengths[i] = length;
    c.lines[i] = lines[i] ?? 0;
    c.parents[i] = parent;
    c.types[i] = types[kinds[i] ?? 0] ?? '';
  }
  return at === text.length ? c : undefined;
}

export interface RestoredOffsets {
  readonly header: SessionHeader;
  readonly columns: Columns;
  readonly known: Known;
}

/** What the cache knows of the session file that `read` reads and that is `size` bytes long (it may have grown since). Any doubt: `undefined`. */
export async function decodeOffsets(cache: Buffer, read: ReadRange, size: number): Promise<RestoredOffsets | undefined> {
  const headEnd = cache.indexOf(LF);
  const parsed = headSchema.safeParse(headEnd === -1 ? undefined : parseLine(cache, 0, headEnd));
  if (!parsed.success) return undefined;
  const { known, probe, header } = parsed.data;
  if (known.offset > size || (await probeOf(read, known.offset)) !== probe) return undefined;
  const columns = columnsOf(cache.subarray(headEnd + 1), parsed.data);
  return columns === undefined ? undefined : { header, columns, known };
}
