import { parsedJson } from '../text/json';
import type { EntryStub } from './session';

/** A line parsed whole; its payload is unchecked. */
export type ParsedLine = EntryStub & { readonly data: unknown };

/** How an entry goes to disk: `id, parentId, ts, type` first and in this order, so that readers can index by prefix. */
export function formatEntry(entry: ParsedLine): string {
  const { id, parentId, ts, type, data } = entry;
  return JSON.stringify({ id, parentId, ts, type, data });
}

const OPEN = '{"id":"';
const PARENT = '"parentId":';
const TS = ',"ts":';
const TYPE = ',"type":"';
const DATA = ',"data":';
const QUOTE = 34;
const BACKSLASH = 92;
const CLOSING_BRACE = 125;
/** Longest id or type that is read by its prefix. */
const LONGEST = 255;

const stands = (chunk: Buffer, at: number, text: string): boolean => {
  for (let i = 0; i < text.length; i += 1) if (chunk[at + i] !== text.charCodeAt(i)) return false;
  return true;
};

/** Where a string that began at `at` closes; -1 when it holds anything but plain ASCII (the same in latin1, UTF-8 and JSON). */
const closes = (chunk: Buffer, at: number): number => {
  for (let i = at; i <= at + LONGEST; i += 1) {
    const byte = chunk[i];
    if (byte === QUOTE) return i;
    if (byte === undefined || byte < 32 || byte > 126 || byte === BACKSLASH) return -1;
  }
  return -1;
};

/** Reads prefixes of lines; it remembers the id before, which most often is the parent, and the types it has met. */
export function createPrefixReader(): (chunk: Buffer, start: number, end: number) => EntryStub | undefined {
  let before = '';
  const types: string[] = [];

  const typeAt = (chunk: Buffer, from: number, to: number): string => {
    for (const type of types) if (type.length === to - from && stands(chunk, from, type)) return type;
    const type = chunk.toString('latin1', from, to);
    if (types.length < 64) types.push(type);
    return type;
  };

  /**
   * The stub of a line in our own form, without parsing its payload; `undefined` for any other form (which says nothing
   * about whether the line is a record). Looks at the beginning and the last byte only: a line cut short can pass.
   */
  return (chunk, start, end) => {
    if (chunk[end - 1] !== CLOSING_BRACE || !stands(chunk, start, OPEN)) return undefined;
    const idStart = start + OPEN.length;
    const idEnd = closes(chunk, idStart);
    let at = idEnd + 2;
    if (idEnd <= idStart || chunk[idEnd + 1] !== 44 || !stands(chunk, at, PARENT)) return undefined;
    at += PARENT.length;
    let parentId: string | null = null;
    if (chunk[at] === QUOTE) {
      const parentEnd = closes(chunk, at + 1);
      if (parentEnd === -1) return undefined;
      const same = parentEnd - at - 1 === before.length && stands(chunk, at + 1, before);
      parentId = same ? before : chunk.toString('latin1', at + 1, parentEnd);
      at = parentEnd + 1;
    } else if (stands(chunk, at, 'null')) {
      at += 4;
    } else {
      return undefined;
    }
    if (!stands(chunk, at, TS)) return undefined;
    at += TS.length;
    let ts = 0;
    const digits = at;
    for (let digit = (chunk[at] ?? 0) - 48; digit >= 0 && digit <= 9; digit = (chunk[at] ?? 0) - 48) {
      ts = ts * 10 + digit;
      at += 1;
    }
    if (at === digits || at - digits > 15 || !stands(chunk, at, TYPE)) return undefined;
    at += TYPE.length;
    const typeEnd = closes(chunk, at);
    if (typeEnd === -1 || typeEnd + 1 + DATA.length >= end || !stands(chunk, typeEnd + 1, DATA)) return undefined;
    const id = chunk.toString('latin1', idStart, idEnd);
    before = id;
    return { id, parentId, ts, type: typeAt(chunk, at, typeEnd) };
  };
}

/** Parses a line; `undefined` when it is not JSON. */
export function parseLine(chunk: Buffer, start: number, end: number): unknown {
  return parsedJson(chunk.toString('utf8', start, end));
}

/** The entry of a parsed line, `undefined` when it is none. `data` is unchecked. */
export function asEntry(value: unknown): ParsedLine | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, parentId = null, ts, type, data } = value as Partial<Record<string, unknown>>;
  if (typeof id !== 'string' || id === '' || typeof type !== 'string' || typeof ts !== 'number') return undefined;
  if (parentId !== null && typeof parentId !== 'string') return undefined;
  return { id, parentId, ts, type, data };
}
