import type { EntryStub } from './session';

/** A line parsed whole; its payload is unchecked. */
export type ParsedLine = EntryStub & { readonly data: unknown };

/** How an entry goes to disk: `id, parentId, ts, type` first and in this order, so that readers can index by prefix. */
export function formatEntry(entry: ParsedLine): string {
  const { id, parentId, ts, type, data } = entry;
  return JSON.stringify({ id, parentId, ts, type, data });
}

/** Longest prefix that is looked at, in bytes; longer ones are parsed whole. */
const PREFIX = 256;
const CLOSING_BRACE = 125;

/**
 * The stub of a line in our own form, without parsing its payload; `undefined` for any other form (which says nothing about
 * whether the line is a record). Only looks at the beginning and the last byte: a line cut short in its payload can pass.
 */
export function readPrefix(chunk: Buffer, start: number, end: number): EntryStub | undefined {
  if (chunk[end - 1] !== CLOSING_BRACE) return undefined;
  const text = chunk.toString('latin1', start, Math.min(end, start + PREFIX));
  if (!text.startsWith('{"id":"')) return undefined;
  const idEnd = text.indexOf('"', 7);
  if (idEnd === -1 || !text.startsWith('"parentId":', idEnd + 2)) return undefined;
  let at = idEnd + 13;
  let parentId: string | null = null;
  if (text.charCodeAt(at) === 34) {
    const parentEnd = text.indexOf('"', at + 1);
    if (parentEnd === -1) return undefined;
    parentId = text.slice(at + 1, parentEnd);
    at = parentEnd + 1;
  } else if (text.startsWith('null', at)) {
    at += 4;
  } else {
    return undefined;
  }
  if (!text.startsWith(',"ts":', at)) return undefined;
  const tsEnd = text.indexOf(',', at + 6);
  if (tsEnd === -1 || !text.startsWith('"type":"', tsEnd + 1)) return undefined;
  const ts = wholeNumber(text, at + 6, tsEnd);
  const typeEnd = text.indexOf('"', tsEnd + 9);
  if (ts === undefined || typeEnd === -1 || !text.startsWith(',"data":', typeEnd + 1)) return undefined;
  const id = text.slice(7, idEnd);
  const type = text.slice(tsEnd + 9, typeEnd);
  if (!isPlain(id) || !isPlain(type) || (parentId !== null && !isPlain(parentId))) return undefined;
  return { id, parentId, ts, type };
}

function wholeNumber(text: string, start: number, end: number): number | undefined {
  if (end === start || end - start > 15) return undefined;
  let value = 0;
  for (let i = start; i < end; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value;
}

/** ASCII without backslash: the same in latin1, UTF-8 and JSON. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 32 || code > 126 || code === 92) return false;
  }
  return true;
}

/** Parses a line; `undefined` when it is not JSON. */
export function parseLine(chunk: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(chunk.toString('utf8', start, end));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The entry of a parsed line, `undefined` when it is none. `data` is unchecked. */
export function asEntry(value: unknown): ParsedLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, parentId = null, ts, type, data } = value as Partial<Record<string, unknown>>;
  if (typeof id !== 'string' || id === '' || typeof type !== 'string' || typeof ts !== 'number') return undefined;
  if (parentId !== null && typeof parentId !== 'string') return undefined;
  return { id, parentId, ts, type, data };
}
