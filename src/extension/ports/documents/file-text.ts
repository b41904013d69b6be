import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { decodeBytes, refuse, ok, type Result } from '../../../engine/index';
import { defaultEol } from './document-eol';
import { eolOf, withEol, type Eol } from './line-ends';

/** A file's bytes as the text VS Code would show if it opened them with the right encoding. */
export interface FileText {
  /** Without BOM, all line ends `eol`. */
  readonly text: string;
  /** VS Code's id. */
  readonly encoding: string;
  readonly eol: Eol;
  /** The bytes have more than one kind of line end; VS Code will write one. */
  readonly mixed: boolean;
  /** Saving the unchanged text would give the same bytes (mixed line ends aside). */
  readonly lossless: boolean;
}

/** Encodings of several bytes a character that fail loudly on foreign bytes: an editor that shows a file so is believed. */
const MULTI_BYTE = new Set(['gb18030', 'gbk', 'gb2312', 'big5hkscs', 'cp950', 'shiftjis', 'eucjp', 'euckr']);

const same = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Opaque mark of a text: the same text has the same mark, in a file or in a buffer. */
export const versionOf = (text: string): string => createHash('sha256').update(text, 'utf16le').digest('base64url');

/** The bytes a save in this encoding writes, BOM included. */
export async function encode(text: string, encoding: string): Promise<Uint8Array> {
  return vscode.workspace.encode(text, { encoding });
}

/** What VS Code reads in these bytes; `undefined` when it takes them for binary. */
async function decode(bytes: Uint8Array, encoding: string): Promise<string | undefined> {
  try {
    return await vscode.workspace.decode(bytes, { encoding });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Whether `encoding` holds every character of `text`. */
export async function holds(text: string, encoding: string): Promise<boolean> {
  return (await firstLost(text, encoding)) === undefined;
}

/** The first character of `text` that `encoding` does not hold; half a surrogate pair, which none holds, as `U+D83D`. */
export async function firstLost(text: string, encoding: string): Promise<string | undefined> {
  const half = /\p{Surrogate}/u.exec(text)?.[0];
  if (half !== undefined) return `U+${half.charCodeAt(0).toString(16).toUpperCase()}`;
  if (encoding.startsWith('utf')) return undefined;
  const back = await decode(await encode(text, encoding), encoding);
  if (back === text) return undefined;
  let at = 0;
  for (const char of text) {
    if (back?.startsWith(char, at) !== true) return char;
    at += char.length;
  }
  return '';
}

async function readAs(bytes: Uint8Array, encoding: string, uri: vscode.Uri): Promise<FileText | undefined> {
  const text = await decode(bytes, encoding);
  if (text === undefined) return undefined;
  const { eol, mixed } = eolOf(text, defaultEol(uri));
  return { text: withEol(text, eol), encoding, eol, mixed, lossless: same(await encode(text, encoding), bytes) };
}

/**
 * Decodes a file. The encoding is found from the bytes; `shown`, the encoding of an open document, is kept where it
 * gives the same text, or where both are guesses among encodings of several bytes a character and `shown` fits the bytes.
 * Refuses `doc.undecodable`.
 */
export async function fileText(bytes: Uint8Array, uri: vscode.Uri, shown?: string): Promise<Result<FileText>> {
  // Nothing in it speaks against what the editor shows.
  if (bytes.length === 0 && shown !== undefined) return ok({ text: '', encoding: shown, eol: defaultEol(uri), mixed: false, lossless: true });
  const found = decodeBytes(bytes);
  if (!found.ok || found.value.text.includes('\0')) return refuse('doc.undecodable', { path: uri.path });
  if (shown !== undefined && shown !== found.value.encoding) {
    const other = await readAs(bytes, shown, uri);
    const believed = MULTI_BYTE.has(shown) && MULTI_BYTE.has(found.value.encoding) && other?.text.includes('\ufffd') === false;
    if (other?.lossless === true && (believed || other.text === withEol(found.value.text, other.eol))) return ok(other);
  }
  const { encoding } = found.value;
  // VS Code's buffer keeps a mark of its own apart: of a second one nothing is seen in the text, and a save writes it back.
  const text = encoding.startsWith('utf8') && found.value.text.startsWith('\ufeff') ? found.value.text.slice(1) : found.value.text;
  if (MULTI_BYTE.has(encoding)) {
    // VS Code's decoder has the last word: it is what the document will show, and offsets refer to it.
    const read = await readAs(bytes, encoding, uri);
    return read === undefined ? refuse('doc.undecodable', { path: uri.path }) : ok(read);
  }
  const { eol, mixed } = eolOf(text, defaultEol(uri));
  // Strict UTF-8 loses nothing; VS Code writes UTF-16 with a BOM only.
  const lossless = encoding.startsWith('utf8') || same(await encode(text, encoding), bytes);
  return ok({ text: withEol(text, eol), encoding, eol, mixed, lossless });
}
