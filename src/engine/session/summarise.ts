import type { SessionHeader } from './entries';
import { entryData, sessionHeader } from './entries';
import { asEntry, parseLine } from './entry-line';
import { newer } from './leaf';

const LF = 10;
const HEADER_MARK = Buffer.from('"type":"session"');
const META_MARK = Buffer.from('"type":"meta"');

export interface SessionSummary {
  readonly header: SessionHeader;
  /** After `meta` entries. */
  readonly title: string;
  /** Softly, by a `meta` entry. */
  readonly deleted: boolean;
  /** Time of the newest entry that is neither `meta` nor `head`, ms since the epoch. */
  readonly lastTs?: number;
}

/** Key of the `meta` entry that deletes a session, softly: `true`, or `false` once it is back. */
export const DELETED = 'deleted';

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
  const metas = new Map<string, { readonly ts: number; readonly id: string; readonly value: unknown }>();
  for (const value of linesWith(bytes, META_MARK)) {
    const entry = asEntry(value);
    const data = entry?.type === 'meta' ? entryData.meta.safeParse(entry.data) : undefined;
    if (entry === undefined || data?.success !== true) continue;
    const known = metas.get(data.data.key);
    if (known === undefined || newer(entry, known)) metas.set(data.data.key, { ts: entry.ts, id: entry.id, value: data.data.value });
  }
  const title = metas.get('title')?.value;
  const lastTs = lastSaid(bytes);
  return {
    header,
    title: typeof title === 'string' ? title : header.title,
    deleted: metas.get(DELETED)?.value === true,
    ...(lastTs === undefined ? {} : { lastTs }),
  };
}

/** Lines looked at from the end for the time of the newest entry. */
const MOST_LINES = 200;

/** The time of the newest entry of the tree: a new title, or where the leaf was put, is not a change of the conversation. */
function lastSaid(bytes: Buffer): number | undefined {
  let end = bytes.length;
  for (let lines = 0; end > 0 && lines < MOST_LINES; lines += 1) {
    const start = bytes.lastIndexOf(LF, end - 1) + 1;
    // Writers put these keys first, in this order.
    const head = /^\{"id":"[^"]*","parentId":(?:null|"[^"]*"),"ts":(\d+),"type":"([^"]*)"/.exec(bytes.toString('latin1', start, Math.min(end, start + 400)));
    if (head !== null && head[2] !== 'meta' && head[2] !== 'head') return Number(head[1]);
    end = start - 1;
  }
  return undefined;
}
