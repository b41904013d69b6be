import { readFile } from 'node:fs/promises';
import type { TextDocument } from 'vscode';
import { ok, refuse, sha256Hex, type Log, type Result } from '../../../engine/index';
import { putExactly } from './exact-bytes';
import { encode, fileText, type FileText } from './file-text';
import type { OpenDocuments } from './open-documents';
import type { OwnWrites } from './own-writes';
import { orMissing, type Paths, type Place } from './paths';
import { save, typedBeforeSave } from './save';
import { setText } from './set-text';
import { hashNow, stillStands } from './stands';

/** How long an open tab gets to show restored bytes before the call returns, in ms, before it is helped; usually it takes 150. */
const RELOAD_MS = 2000;

/** SHA-256 of what may be overwritten; `null`: no file; `undefined`: anything. */
type Over = string | null | undefined;

/**
 * `put` of the documents port, for a path that no other operation touches meanwhile. A file that is open is changed by a
 * text edit and saved, so that undo gives the former text, unsaved words included; where that does not give the exact
 * bytes (save participants, another encoding, mixed line ends) they are put there as they are. A file that is not open
 * is put there as it is.
 */
export function createPut(deps: {
  readonly paths: Paths;
  readonly documents: OpenDocuments;
  readonly own: OwnWrites;
  readonly log: Log;
}): (path: string, bytes: Uint8Array, over?: Over) => Promise<Result<{ readonly key: string; readonly kind: 'changed' | 'created' }>> {
  const { paths, documents, own, log } = deps;

  const equals = async (place: Place, bytes: Uint8Array): Promise<boolean> => {
    const there = await orMissing(readFile(place.real));
    return there !== undefined && Buffer.compare(there, bytes) === 0;
  };

  const setOrRefuse = async (place: Place, document: TextDocument, from: string, target: FileText): Promise<Result<void>> => {
    const set = await setText(document, from, target);
    if (set === 'set') return ok(undefined);
    return refuse(set === 'changed' ? 'doc.changed' : 'doc.apply-rejected', { path: place.key });
  };

  /** The text edit; what it leaves undone the exact bytes do. Resolves to whether the author typed on top of the text that was put there. */
  const throughBuffer = async (place: Place, document: TextDocument, target: FileText | undefined, over: Over): Promise<Result<boolean>> => {
    const stands = await stillStands(place, document, over);
    if (!stands.ok) return stands;
    if (document.isDirty) {
      // Bytes that are no text: all that can be asked of the buffer is that it holds nothing unsaved.
      if (target === undefined) {
        await save(document, log);
        return ok(false);
      }
      const set = await setOrRefuse(place, document, document.getText(), target);
      return set.ok ? ok(await typedBeforeSave(document, target.text, log)) : set;
    }
    if (target === undefined || target.encoding !== document.encoding) return ok(false);
    const standing = await documents.standing(place);
    if (!standing.ok) return ok(false);
    // Typed into while the file was read.
    if (over !== undefined && standing.value.dirty) return refuse('doc.changed', { path: place.key });
    if (standing.value.text === target.text) return ok(false);
    const opened = await documents.open(place, standing.value);
    if (!opened.ok) return opened.error.code === 'doc.changed' && document.isDirty ? opened : ok(false);
    const set = await setOrRefuse(place, opened.value, standing.value.text, target);
    return set.ok ? ok(await typedBeforeSave(opened.value, target.text, log)) : set;
  };

  /** Another program wrote the file while it was being put: the buffer is brought to what stands there, and nothing is overwritten. */
  const giveWay = async (place: Place, document: TextDocument): Promise<Result<void>> => {
    const there = await orMissing(readFile(place.real));
    const read = there === undefined ? undefined : await fileText(there, place.uri, document.encoding);
    if (document.isDirty && read?.ok === true && (await setText(document, document.getText(), read.value)) === 'set') await save(document, log);
    return refuse('doc.changed', { path: place.key });
  };

  const putOpen = async (place: Place, document: TextDocument, bytes: Uint8Array, over: Over): Promise<Result<void>> => {
    const read = await fileText(bytes, place.uri, document.encoding);
    const target = read.ok ? read.value : undefined;
    // What lies on the disk under unsaved words is as good as named: the checkpoint before has both.
    const under = document.isDirty ? hashNow(place) : null;
    const edited = await throughBuffer(place, document, target, over);
    if (!edited.ok) return edited;
    // What the author types from here on is theirs, and stands on what was asked for.
    if (edited.value) return ok(undefined);
    const isTarget = (): boolean => target === undefined || document.isClosed || document.getText() === target.text;
    const saved = document.isClosed ? undefined : sha256Hex(await encode(document.getText(), document.encoding));
    const known = new Set([over, under, saved]);
    const mayGo = (): boolean => over === undefined || (known.has(hashNow(place)) && (!document.isDirty || isTarget()));
    const putIt = async (): Promise<Result<void>> => {
      const put = await putExactly(place, bytes, { mayGo });
      return !put.ok && put.error.code === 'doc.changed' ? giveWay(place, document) : put;
    };

    if (!(await equals(place, bytes))) {
      if (target !== undefined && document.isDirty && !isTarget()) return refuse('doc.changed', { path: place.key });
      const put = await putIt();
      if (!put.ok) return put;
    }
    if (document.isDirty && !document.isClosed && isTarget()) {
      // The file had changed under the buffer, so that VS Code would not save; now both hold the same.
      await save(document, log);
      if (!(await equals(place, bytes))) {
        const put = await putIt();
        if (!put.ok) return put;
      }
    }
    if (document.isClosed) return ok(undefined);
    if (document.isDirty) return refuse('doc.save-failed', { path: place.key });
    // A clean buffer that is behind its file is no danger: VS Code never saves it, and the port reads the file.
    if (target !== undefined && !(await documents.reloads(document, target.text, target.encoding, RELOAD_MS))) {
      log.warn('the editor has not taken over restored bytes yet', { path: place.key });
    }
    return ok(undefined);
  };

  const putClosed = async (place: Place, bytes: Uint8Array, over: Over): Promise<Result<void>> => {
    const stands = await stillStands(place, undefined, over);
    if (!stands.ok) return stands;
    // It may be opened and typed into, or written by another program, until the last moment.
    const mayGo = (): boolean => over === undefined || (documents.find(place.key)?.isDirty !== true && hashNow(place) === over);
    return putExactly(place, bytes, { mayGo });
  };

  return async (path, bytes, over) => {
    const located = await paths.locate(path);
    if (!located.ok) return located;
    const place = located.value;
    if (place.stats !== undefined && !place.stats.isFile()) return refuse('doc.exists', { path: place.key });
    const document = documents.find(place.key);
    const put = document === undefined ? await putClosed(place, bytes, over) : await putOpen(place, document, bytes, over);
    if (!put.ok) return put;
    own.left(place.key, bytes);
    return ok({ key: place.key, kind: place.stats === undefined ? 'created' : 'changed' });
  };
}
