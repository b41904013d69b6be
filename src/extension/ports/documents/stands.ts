import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { TextDocument } from 'vscode';
import { ok, refuse, sha256Hex, type Result } from '../../../engine/index';
import { encode } from './file-text';
import { errorCode, orMissing, type Place } from './paths';

/** What the author has at a place: what a save of the unsaved words would write, else the file. `undefined`: nothing. */
export async function bytesAt(place: Place, document: TextDocument | undefined): Promise<Uint8Array | undefined> {
  if (document?.isDirty === true && !document.isClosed) return encode(document.getText(), document.encoding);
  return orMissing(readFile(place.real));
}

/** Refuses `doc.changed` unless what stands at a place has this SHA-256 (`null`: nothing stands there; `undefined`: it may be anything). */
export async function stillStands(place: Place, document: TextDocument | undefined, over: string | null | undefined): Promise<Result<void>> {
  if (over === undefined) return ok(undefined);
  const dirty = document?.isDirty === true;
  const text = document?.getText();
  const bytes = await bytesAt(place, document);
  const same = bytes === undefined ? over === null : over === sha256Hex(bytes);
  // Looked at again: the author may have typed while the bytes were read.
  const typed = document !== undefined && (document.getText() !== text || document.isDirty !== dirty);
  return same && !typed ? ok(undefined) : refuse('doc.changed', { path: place.key });
}

/** SHA-256 of the file at a place now, read without waiting; `null`: none. What cannot be read for another reason throws. */
export function hashNow(place: Place): string | null {
  try {
    return sha256Hex(readFileSync(place.real));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
