import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { EngineFailure, MAX_FILE_BYTES, ok, refuse, type DocumentEvent, type Documents, type Log, type Result } from '../../engine/index';
import { createApply } from './documents/apply';
import { defaultEol, eolOfDocument } from './documents/document-eol';
import { encode, fileText, firstLost, versionOf } from './documents/file-text';
import { createFileSteps } from './documents/file-steps';
import { createKnownFiles } from './documents/known-files';
import { createKeyedQueue } from './documents/keyed-queue';
import { createOpenDocuments } from './documents/open-documents';
import { createOwnWrites } from './documents/own-writes';
import { createPaths, listFiles, orMissing, refusalOf, type Place } from './documents/paths';
import { createPut } from './documents/put';
import { bytesAt } from './documents/stands';
import { createWatch } from './documents/watch';

/**
 * The documents port in VS Code. `root`: the project's folder, of scheme `file`. Never shows a document, opens a tab or
 * moves the focus; saves only what was clean before. Operations on the same path wait for one another, others run side by
 * side. The methods without a `Result` reject with `EngineFailure` `path.outside` or `path.clash`.
 *
 * What the platform does, measured on VS Code 1.139.1:
 * - `applyEdit` sends along the version the host knew at the call and is turned down (`false`) when the editor is further.
 * - A document that is dirty and has no tab gets one about 800 ms later; saved before that it gets none. One that a slow save
 *   brought up is closed again (see `watchUninvitedTabs`).
 * - A clean document takes over a change on disk about 150 ms after it. An edit in between is applied to the old text and
 *   the save then fails with a conflict; so buffer and file are brought together first.
 * - `createFile` leaves an undo entry that deletes the file, with `overwrite` too (see `putExactly`).
 * - `renameFile` keeps unsaved words; two of them chained in one edit lose them.
 * - `save()` answers `false` not only when it failed, but also when an auto-save took its place or the buffer changed again.
 * - A save of the bytes that are on disk already is no conflict, whatever the times say.
 * - A save writes one kind of line end and, for UTF-16, always a BOM.
 */
export function createVsCodeDocuments(options: { readonly root: vscode.Uri; readonly log: Log }): Documents & vscode.Disposable {
  const { root, log } = options;
  const paths = createPaths(root);
  const own = createOwnWrites();
  const documents = createOpenDocuments(paths, MAX_FILE_BYTES, log);
  const watch = createWatch(root, paths, own, log);
  const queue = createKeyedQueue();
  const parts = { paths, documents, own, maxBytes: MAX_FILE_BYTES, log };
  const known = createKnownFiles((uri) => paths.keyOf(uri) !== undefined);
  const apply = createApply(parts);
  const steps = createFileSteps(parts);
  const put = createPut(parts);

  /** A system call that fails is a refusal, never a raw error. */
  const guarded = async <T>(path: string, work: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await work();
    } catch (error) {
      return { ok: false, error: refusalOf(error, path) };
    }
  };
  const orFailure = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw new EngineFailure(refusalOf(error, path));
    }
  };

  const placeOf = async (path: string): Promise<Place> => {
    const located = await paths.locate(path);
    if (!located.ok) throw new EngineFailure(located.error);
    return located.value;
  };

  /** One operation of ours at a time for each path; afterwards it is told once, if it did anything. */
  const change = <T>(given: readonly string[], work: () => Promise<Result<T>>, events: (value: T) => readonly DocumentEvent[]): Promise<Result<T>> => {
    const keys = given.map((path) => path.normalize('NFC').split('/').filter((part) => part !== '' && part !== '.').join('/'));
    return queue.run(keys, async () => {
      const result = await own.during(keys, () => guarded(given[0] ?? '', work));
      const held = own.heldBack(keys);
      const told = result.ok ? events(result.value) : [];
      for (const event of told) watch.tell(event);
      // What happened meanwhile on a path that we did not change after all.
      for (const path of held) if (!told.some((event) => event.path === path)) watch.tell({ kind: 'changed', path, source: 'buffer' });
      return result;
    });
  };

  return {
    read: (path) =>
      guarded(path, async () => {
        const located = await paths.locate(path);
        if (!located.ok) return located;
        const standing = await documents.standing(located.value);
        if (!standing.ok) return standing;
        const { document, dirty, file, text, encoding } = standing.value;
        const eol = dirty && document !== undefined ? eolOfDocument(document) : (file?.eol ?? defaultEol(located.value.uri));
        return ok({ path: located.value.key, text, version: versionOf(text), dirty, encoding, eol });
      }),

    bytes: (path) =>
      orFailure(path, async () => {
        const place = await placeOf(path);
        const document = documents.find(place.key);
        return document?.isDirty === true || place.stats?.isFile() === true ? bytesAt(place, document) : undefined;
      }),

    encode: (path, text) =>
      guarded(path, async () => {
        const located = await paths.locate(path);
        if (!located.ok) return located;
        const standing = await documents.standing(located.value);
        if (!standing.ok) return standing;
        const { encoding } = standing.value;
        const char = await firstLost(text, encoding);
        return char === undefined ? ok(await encode(text, encoding)) : refuse('doc.unencodable', { path: located.value.key, encoding, char });
      }),

    decode: (path, bytes) =>
      guarded(path, async () => {
        const located = await paths.locate(path);
        if (!located.ok) return located;
        const { key, uri } = located.value;
        const read = await fileText(bytes, uri, documents.find(key)?.encoding);
        return read.ok ? ok(read.value.text) : refuse('doc.undecodable', { path: key });
      }),

    beneath: (path) =>
      orFailure(path, async () => {
        const place = await placeOf(path);
        const document = documents.find(place.key);
        if (document?.isDirty !== true || place.stats?.isFile() !== true) return undefined;
        const bytes = await orMissing(readFile(place.real));
        const read = bytes === undefined ? undefined : await fileText(bytes, place.uri, document.encoding);
        return read?.ok === true && known.knows(document, read.value.text) ? undefined : bytes;
      }),

    dirty() {
      const keys = vscode.workspace.textDocuments.filter((document) => document.isDirty && !document.isClosed).map((document) => paths.keyOf(document.uri));
      return [...new Set(keys.filter((key) => key !== undefined))];
    },

    list: (folder) => orFailure(folder, async () => listFiles(await placeOf(folder), paths, (message, data) => log.warn(message, data))),

    apply: (batch) =>
      change(
        batch.map(({ path }) => path),
        () => apply(batch),
        (files) => files.map(({ path }) => ({ kind: 'changed', path, source: 'buffer' })),
      ),

    create: (path, text) => change([path], () => steps.create(path, text), (file) => [{ kind: 'created', path: file.path, source: 'disk' }]),

    async rename(from, to) {
      const moved = await change([from, to], () => steps.rename(from, to), (keys) =>
        keys === undefined ? [] : [{ kind: 'deleted', path: keys.from, source: 'disk' }, { kind: 'created', path: keys.to, source: 'disk' }],
      );
      return moved.ok ? ok(undefined) : moved;
    },

    async delete(path, over) {
      const deleted = await change([path], () => steps.delete(path, over), (key) => [{ kind: 'deleted', path: key, source: 'disk' }]);
      return deleted.ok ? ok(undefined) : deleted;
    },

    async put(path, bytes, over) {
      const done = await change([path], () => put(path, bytes, over), ({ kind, key }) => [{ kind, path: key, source: 'disk' }]);
      return done.ok ? ok(undefined) : done;
    },

    watch: (listener) => watch.listen(listener),

    dispose() {
      known.dispose();
      watch.dispose();
    },
  };
}
