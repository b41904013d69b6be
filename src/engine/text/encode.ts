import { ok, refuse, type Result } from '../ports/result';
import { decodeLoosely, type TextEncodingId } from './encoding';

/** Code point → bytes as one number, read off the decoder so that the two can never disagree. */
type ReverseTable = ReadonlyMap<number, number>;

function reverseTable(encoding: 'gb18030' | 'big5hkscs'): ReverseTable {
  const sequences: number[][] = [];
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) if (trail !== 0x7f) sequences.push([lead, trail]);
  }
  if (encoding === 'gb18030') {
    for (let a = 0x81; a <= 0x84; a += 1) {
      for (let b = 0x30; b <= 0x39; b += 1) {
        for (let c = 0x81; c <= 0xfe; c += 1) for (let d = 0x30; d <= 0x39; d += 1) sequences.push([a, b, c, d]);
      }
    }
  }
  // One call for all: no sequence has a line feed in it, and what is no character comes out as U+FFFD.
  const decoded = decodeLoosely(Uint8Array.from(sequences.flatMap((bytes) => [...bytes, 10])), encoding).split('\n');
  if (decoded.length !== sequences.length + 1) throw new Error(`${encoding}: the decoder swallowed a line feed`);
  const table = new Map<number, number>();
  for (const [at, bytes] of sequences.entries()) {
    const text = decoded[at] ?? '';
    const code = text.codePointAt(0);
    if (code === undefined || code === 0xfffd || text.length !== String.fromCodePoint(code).length) continue;
    if (!table.has(code)) table.set(code, bytes.reduce((number, byte) => number * 256 + byte, 0));
  }
  return table;
}

const tables = new Map<'gb18030' | 'big5hkscs', ReverseTable>();

function tableFor(encoding: 'gb18030' | 'big5hkscs'): ReverseTable {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const made = reverseTable(encoding);
  tables.set(encoding, made);
  return made;
}

function encodeLegacy(text: string, encoding: 'gb18030' | 'big5hkscs'): Result<Uint8Array> {
  const table = tableFor(encoding);
  const bytes: number[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) as number;
    if (code < 0x80) {
      bytes.push(code);
      continue;
    }
    const known = table.get(code);
    if (known === undefined) {
      if (encoding === 'big5hkscs' || code < 0x10000) return refuse('doc.unencodable', { char, encoding });
      // Beyond the BMP, GB18030 is linear: from 90 30 81 30.
      const linear = code - 0x10000;
      bytes.push(
        0x90 + Math.floor(linear / 12_600),
        0x30 + (Math.floor(linear / 1_260) % 10),
        0x81 + (Math.floor(linear / 10) % 126),
        0x30 + (linear % 10),
      );
    } else if (known > 0xffff) bytes.push(known >>> 24, (known >>> 16) & 0xff, (known >>> 8) & 0xff, known & 0xff);
    else bytes.push(known >>> 8, known & 0xff);
  }
  return ok(Uint8Array.from(bytes));
}

function encodeUtf16(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(2 + text.length * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, littleEndian);
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 + at * 2, text.charCodeAt(at), littleEndian);
  return bytes;
}

/**
 * The bytes of a text in an encoding: the counterpart of `decodeBytes` (`utf8bom` and the UTF-16s get their BOM).
 * Refuses `doc.unencodable` with the first character that the encoding cannot hold.
 */
export function encodeText(text: string, encoding: TextEncodingId): Result<Uint8Array> {
  const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.exec(text);
  if (lone !== null) return refuse('doc.unencodable', { char: `U+${lone[0].charCodeAt(0).toString(16).toUpperCase()}`, encoding });
  switch (encoding) {
    case 'utf8':
      return ok(new TextEncoder().encode(text));
    case 'utf8bom':
      return ok(new TextEncoder().encode(`\uFEFF${text}`));
    case 'utf16le':
    case 'utf16be':
      return ok(encodeUtf16(text, encoding === 'utf16le'));
    case 'gb18030':
    case 'big5hkscs':
      return encodeLegacy(text, encoding);
  }
}
