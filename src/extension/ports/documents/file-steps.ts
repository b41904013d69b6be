import { randomUUID } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { link, lstat, readFile, rm } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { workspace, type TextDocument, type Uri } from 'vscode';
import { normalisePath, ok, refuse, sha256Hex, type AppliedFile, type Log, type Result } from '../../../engine/index';
import { fileStep, putExactly } from './exact-bytes';
import { encode, holds } from './file-text';
import { withEol } from './line-ends';
import type { OpenDocuments } from './open-documents';
import type { OwnWrites } from './own-writes';
import { errorCode, orMissing, type Paths, type Place } from './paths';
import { save } from './save';
import { hashNow, stillStands } from './stands';

export interface FileSteps {
  create(path: string, text: string): Promise<Result<AppliedFile>>;
  /** Resolves to the keys of both names; `undefined` when they are the same. */
  rename(from: string, to: string): Promise<Result<{ readonly from: string; readonly to: string } | undefined>>;
  /** Resolves to the key. */
  delete(path: string, over?: string): Promise<Result<string>>;
}

/** `create`, `rename` and `delete` of the documents port, for paths that no other operation touches meanwhile. */
export function createFileSteps(deps: {
  readonly paths: Paths;
  readonly documents: OpenDocuments;
  readonly own: OwnWrites;
  readonly maxBytes: number;
  readonly log: Log;
}): FileSteps {
  const { paths, documents, own, maxBytes, log } = deps;
  const gone = async (place: Place): Promise<boolean> => (await orMissing(lstat(place.file))) === undefined;
  const move = (from: Uri, to: Uri): Promise<boolean> => fileStep((edit) => edit.renameFile(from, to));

  /**
   * VS Code itself renames in case alone where its file system provider knows that case does not count; where it does not
   * know (a case-folding folder on Linux), the target "exists", and the way leads through a name that cannot clash. It is a
   * name the author can see, since undoing stops between the steps. Both steps in one edit would lose unsaved words (measured).
   */
  const renameCase = async (from: Place, to: Uri): Promise<boolean> => {
    if (await move(from.uri, to)) return true;
    const { dir, name, ext } = posix.parse(from.uri.path);
    const between = from.uri.with({ path: posix.join(dir, `${name}~${randomUUID().slice(0, 8)}${ext}`) });
    const key = paths.keyOf(between);
    if (key !== undefined) own.left(key, undefined);
    if (!(await move(from.uri, between))) return false;
    if (await move(between, to)) {
      // An auto-save that was under way during the second step writes the name between once more (measured).
      await rm(between.fsPath, { force: true });
      return true;
    }
    if (!(await move(between, from.uri))) log.error('a rename stopped half way', { path: from.key, at: between.path });
    return false;
  };

  /** With nothing between the last look and the deletion. A document opened and typed into meanwhile keeps its words. */
  const deleteClosed = (place: Place, over: string): Result<void> => {
    if (documents.find(place.key)?.isDirty === true || hashNow(place) !== over) return refuse('doc.changed', { path: place.key });
    try {
      unlinkSync(place.file);
      return ok(undefined);
    } catch (error) {
      return refuse(errorCode(error) === 'ENOENT' ? 'doc.not-found' : 'path.not-writable', { path: place.key }, error);
    }
  };

  /**
   * VS Code closes the document and its tab, after it has asked other extensions. What the author typed in that time, or another program
   * wrote into the file, comes back as the file.
   */
  const deleteOpen = async (place: Place, document: TextDocument | undefined, over: string | undefined): Promise<Result<void>> => {
    const remove = async (): Promise<Result<void>> =>
      (await fileStep((edit) => edit.deleteFile(place.uri))) ? ok(undefined) : refuse('doc.apply-rejected', { path: place.key });
    if (over === undefined || document === undefined) return remove();
    const text = document.getText();
    let typed: string | undefined;
    const listener = workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && event.contentChanges.length > 0 && document.getText() !== text) typed = document.getText();
    });
    // A second name for the file: what is written into it is still there when the first one is gone.
    const second = join(dirname(place.real), `.liyuan-${randomUUID()}.tmp`);
    const before = hashNow(place);
    try {
      if (before !== null) await link(place.real, second).catch((error: unknown) => { log.debug('a file cannot have a second name here', { path: place.key, error: String(error) }); });
      const removed = await remove();
      if (!removed.ok) return removed;
      const kept = await orMissing(readFile(second));
      const written = kept === undefined || sha256Hex(kept) === before ? undefined : kept;
      const back = typed === undefined ? written : await encode(typed, document.encoding);
      if (back === undefined) return ok(undefined);
      const put = await putExactly(place, back, { fresh: true });
      return put.ok ? refuse('doc.changed', { path: place.key }) : put;
    } finally {
      listener.dispose();
      await rm(second, { force: true });
    }
  };

  return {
    async create(path, given) {
      const located = await paths.locate(path, {});
      if (!located.ok) return located;
      const place = located.value;
      // A deleted file whose words are still unsaved in a buffer counts as there.
      if (place.stats !== undefined || documents.find(place.key)?.isDirty === true) return refuse('doc.exists', { path: place.key });
      const text = withEol(given.replace(/^\ufeff/, ''), '\n');
      if (text.includes('\ufffd') || !(await holds(text, 'utf8'))) return refuse('doc.unencodable', { path: place.key, encoding: 'utf8' });
      const bytes = Buffer.from(text, 'utf8');
      if (bytes.byteLength > maxBytes) return refuse('doc.too-large', { path: place.key, size: bytes.byteLength, limit: maxBytes });
      const put = await putExactly(place, bytes, { fresh: true });
      if (!put.ok) return put;
      own.left(place.key, bytes);
      return ok({ path: place.key, text, saved: true, changedOnSave: false });
    },

    async rename(fromPath, toPath) {
      const located = await paths.locate(fromPath);
      if (!located.ok) return located;
      const from = located.value;
      if (from.stats?.isFile() !== true) return refuse('doc.not-found', { path: from.key });
      const wanted = normalisePath(toPath);
      if (!wanted.ok) return wanted;
      if (wanted.value === from.key) return ok(undefined);
      const target = await paths.locate(toPath, { except: posix.basename(from.uri.path) });
      if (!target.ok) return target;
      const to = target.value;
      const name = posix.basename(wanted.value);
      const caseOnly = posix.dirname(to.key) === posix.dirname(from.key) && name.toLowerCase() === posix.basename(from.key).toLowerCase();
      const taken = to.stats !== undefined && !(caseOnly && to.stats.ino === from.stats.ino);
      const unsaved = documents.find(wanted.value);
      if (taken || (unsaved?.isDirty === true && unsaved !== documents.find(from.key))) return refuse('doc.exists', { path: to.key });
      const uri = to.uri.with({ path: posix.join(posix.dirname(to.uri.path), name) });
      if (!(await (caseOnly ? renameCase(from, uri) : move(from.uri, uri)))) return refuse('doc.apply-rejected', { path: from.key });
      own.left(from.key, undefined);
      const key = paths.keyOf(uri) ?? wanted.value;
      own.left(key, await orMissing(readFile(uri.fsPath)));
      return ok({ from: from.key, to: key });
    },

    async delete(path, over) {
      const located = await paths.locate(path);
      if (!located.ok) return located;
      const place = located.value;
      const document = documents.find(place.key);
      const stands = await stillStands(place, document, over);
      if (!stands.ok) return stands;
      if (place.stats === undefined && document?.isDirty === true) {
        // The file went away under unsaved words: it must be there again for VS Code to delete both.
        if (!(await save(document, log))) return refuse('doc.save-failed', { path: place.key });
      } else if (place.stats?.isFile() !== true) {
        return refuse('doc.not-found', { path: place.key });
      }
      const removed = over === undefined || document !== undefined ? await deleteOpen(place, document, over) : deleteClosed(place, over);
      if (!removed.ok) return removed;
      if (!(await gone(place))) return refuse('doc.apply-rejected', { path: place.key });
      own.left(place.key, undefined);
      return ok(place.key);
    },
  };
}
