import type { SessionHeader } from './entries';
import { entryData, sessionHeader } from './entries';
import { asEntry, parseLine } from './entry-line';

const LF = 10;
const HEADER_MARK = Buffer.from('"type":"session"');
const META_MARK = Buffer.from('"type":"meta"');

export interface SessionSummary {
  readonly header: SessionHeader;
  /** After `meta` entries. */
  readonly title: string;
}

/** Parsed lines that contain `mark`, without looking at the others. */
function* linesWith(bytes: Buffer, mark: Buffer): Generator {
  for (let at = bytes.indexOf(mark); at !== -1; ) {
    const start = bytes.lastIndexOf(LF, at) + 1;
    const stop = bytes.indexOf(LF, at);
    const end = stop === -1 ? bytes.length : stop;
    const bom = start === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    const value = parseLine(bytes, start + bom, end);
    if (value !== undefined) yield value;
    at = bytes.indexOf(mark, end);
  }
}

/** What a list shows of a session file, without indexing it; `undefined` when it has no header. */
export function summarise(bytes: Buffer): SessionSummary | undefined {
  let header: SessionHeader | undefined;
  for (const value of linesWith(bytes, HEADER_MARK)) {
    const parsed = sessionHeader.safeParse(value);
    if (parsed.success && (header === undefined || parsed.data.createdAt < header.createdAt)) header = parsed.data;
  }
  if (header === undefined) return undefined;
  let title: { readonly ts: number; readonly id: string; readonly text: string } | undefined;
  for (const value of linesWith(bytes, META_MARK)) {
    const entry = asEntry(value);
    const data = entry?.type === 'meta' ? entryData.meta.safeParse(entry.data) : undefined;
    if (entry === undefined || data?.success !== true || data.data.key !== 'title' || typeof data.data.value !== 'string') continue;
    if (title === undefined || entry.ts > title.ts || (entry.ts === title.ts && entry.id > title.id)) {
      title = { ts: entry.ts, id: entry.id, text: data.data.value };
    }
  }
  return { header, title: title?.text ?? header.title };
}
