import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ok, refuse, type AppliedFile, type FileChanges, type Log, type Result, type TextChange } from '../../../engine/index';
import { eolOfDocument } from './document-eol';
import { encode, fileText, holds, versionOf } from './file-text';
import type { OpenDocuments } from './open-documents';
import type { OwnWrites } from './own-writes';
import { orMissing, type Paths, type Place } from './paths';
import { addChanges, becomesClean, save } from './save';
import { changed, inverse, placeable } from './text-changes';
import { watchUninvitedTabs } from './uninvited-tabs';

/** How often an edit that VS Code turns down is tried. */
const TRIES = 3;
/** How long a save that took the place of ours may take to end, in ms. */
const SAVE_MS = 1000;

interface Prepared {
  readonly place: Place;
  readonly document: vscode.TextDocument;
  readonly version: string;
  readonly before: string;
  readonly changes: readonly TextChange[];
  /** The text we ask for. */
  readonly after: string;
  /** The file has line ends of more than one kind, of which a save leaves one. */
  readonly mixed: boolean;
  /** Nothing of the author's was unsaved when we came. */
  readonly clean: boolean;
}

const hasEditor = (document: vscode.TextDocument): boolean => vscode.window.visibleTextEditors.some((editor) => editor.document === document);

/** `apply` of the documents port, for paths that no other operation touches meanwhile. */
export function createApply(deps: {
  readonly paths: Paths;
  readonly documents: OpenDocuments;
  readonly own: OwnWrites;
  readonly maxBytes: number;
  readonly log: Log;
}): (batch: readonly FileChanges[]) => Promise<Result<readonly AppliedFile[]>> {
  const { paths, documents, own, maxBytes, log } = deps;

  const prepare = async (given: FileChanges): Promise<Result<Prepared>> => {
    const located = await paths.locate(given.path);
    if (!located.ok) return located;
    const place = located.value;
    const path = place.key;
    const standing = await documents.standing(place);
    if (!standing.ok) return standing;
    const { file, dirty, encoding } = standing.value;
    if (versionOf(standing.value.text) !== given.version) return refuse('doc.changed', { path });
    if (file?.lossless === false) return refuse('doc.encoding-mismatch', { path, encoding, found: encoding });
    if (standing.value.text.includes('\ufffd')) return refuse('doc.undecodable', { path });
    if (!dirty) {
      try {
        await access(place.real, constants.W_OK);
      } catch (error) {
        return refuse('path.not-writable', { path }, error);
      }
    }
    const opened = await documents.open(place, standing.value);
    if (!opened.ok) return opened;
    const document = opened.value;
    const before = standing.value.text;
    const changes = placeable(before, given.changes, eolOfDocument(document));
    const after = changed(before, changes);
    if (after.includes('\ufffd') || !(await holds(after, encoding))) return refuse('doc.unencodable', { path, encoding });
    const size = (await encode(after, encoding)).byteLength;
    if (size > maxBytes) return refuse('doc.too-large', { path, size, limit: maxBytes });
    return ok({ place, document, version: given.version, before, changes, after, mixed: file?.mixed === true, clean: !dirty });
  };

  /** No await between the check and the call, and VS Code itself checks the version it knew at the call. */
  const write = async (files: readonly Prepared[]): Promise<Result<void>> => {
    for (let tried = 1; ; tried += 1) {
      const stale = files.find(({ document, version, clean }) => document.isClosed || (clean && document.isDirty) || versionOf(document.getText()) !== version);
      if (stale !== undefined) return refuse('doc.changed', { path: stale.place.key });
      const edit = new vscode.WorkspaceEdit();
      for (const { document, changes } of files) addChanges(edit, document, changes);
      if (await vscode.workspace.applyEdit(edit)) return ok(undefined);
      log.debug('an edit was turned down', { tried, paths: files.map(({ place }) => place.key) });
      if (tried === TRIES) return refuse('doc.apply-rejected', { path: files[0]?.place.key ?? '' });
    }
  };

  /** Whether the author has typed into what we just changed; a document nobody sees is changed by extensions only. */
  const typedInto = ({ document, after }: Prepared): boolean => document.getText() !== after && hasEditor(document);

  /**
   * Saves what was clean: true when it is on disk, false when it is the author's to save, `undefined` when it failed. A save
   * that ran answers no as well when the buffer had changed again by its end, or when another save (auto-save) took its place.
   */
  const saveOne = async (one: Prepared): Promise<boolean | undefined> => {
    if (!one.clean) return false;
    for (let tried = 1; tried <= TRIES; tried += 1) {
      if (typedInto(one)) return !one.document.isDirty;
      if (await save(one.document, log)) return true;
      if (await becomesClean(one.document, SAVE_MS)) return true;
      log.debug('a save did not go through', { path: one.place.key, tried });
    }
    return typedInto(one) ? false : undefined;
  };

  /** Takes a batch back after a failed save: our words out again, and what was clean saved again. */
  const takeBack = async (files: readonly Prepared[]): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    const mine = files.filter(({ document, after }) => document.getText() === after);
    for (const { document, before, changes } of mine) addChanges(edit, document, inverse(before, changes));
    const taken = await vscode.workspace.applyEdit(edit);
    const saved = await Promise.all(mine.filter(({ clean }) => clean).map(({ document }) => save(document, log)));
    if (!taken || mine.length < files.length || saved.includes(false)) {
      log.error('a batch could not be taken back whole', { paths: files.map(({ place }) => place.key) });
    }
  };

  const report = async (one: Prepared, saved: boolean): Promise<AppliedFile> => {
    const { place, document, after, mixed } = one;
    if (!saved) return { path: place.key, text: document.getText(), saved, changedOnSave: false };
    const bytes = await orMissing(readFile(place.real));
    own.left(place.key, bytes);
    const file = bytes === undefined ? undefined : await fileText(bytes, place.uri, document.encoding);
    const written = file?.ok === true ? file.value.text : undefined;
    // Not the buffer's text: the author may have typed on since the save.
    return { path: place.key, text: written ?? document.getText(), saved, changedOnSave: mixed || written !== after };
  };

  /** `again`: the same files after they were taken back; the author's words and another program's keep it from being tried. */
  const attempt = async (batch: readonly FileChanges[], again: boolean): Promise<Result<readonly AppliedFile[]>> => {
    const files: Prepared[] = [];
    for (const given of batch) {
      const prepared = await prepare(given);
      if (!prepared.ok) return prepared;
      if (again && !prepared.value.clean) return refuse('doc.save-failed', { path: prepared.value.place.key });
      if (files.some(({ place }) => place.key === prepared.value.place.key)) throw new Error(`one batch names ${prepared.value.place.key} twice`);
      files.push(prepared.value);
    }
    if (files.length === 0) return ok([]);
    const tabs = watchUninvitedTabs(files.filter(({ clean }) => clean).map(({ document }) => document));
    const written = await write(files);
    if (!written.ok) return written;

    const saved = await Promise.all(files.map(saveOne));
    tabs.close();
    const failed = saved.indexOf(undefined);
    if (failed !== -1) {
      await takeBack(files);
      return refuse('doc.save-failed', { path: files[failed]?.place.key ?? '' });
    }
    return ok(await Promise.all(files.map((one, i) => report(one, saved[i] ?? false))));
  };

  return async (batch) => {
    const first = await attempt(batch, false);
    if (first.ok || first.error.code !== 'doc.save-failed') return first;
    // VS Code may take what it just read for older than the disk. Saving what stands there, as taking back does, sets that right;
    // texts that are another program's by now are refused.
    const second = await attempt(batch, true);
    return second.ok ? second : first;
  };
}
