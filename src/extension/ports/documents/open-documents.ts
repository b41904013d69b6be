import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ok, refuse, type Log, type Result } from '../../../engine/index';
import { fileText, type FileText } from './file-text';
import { orMissing, sameKey, type Paths, type Place } from './paths';
import { save } from './save';
import { setText } from './set-text';

/** How long VS Code gets to take over a change on disk by itself before it is helped, in ms; usually it takes 150. */
const RELOAD_MS = 1500;

/** Encodings that read the same text in the same bytes. */
const TWINS: ReadonlyMap<string, string> = new Map([['utf8', 'utf8bom'], ['utf8bom', 'utf8']]);

/** What stands in a file for the author now. */
export interface Standing {
  /** The open document, whether it has a tab or not. */
  readonly document: vscode.TextDocument | undefined;
  readonly dirty: boolean;
  /** What is on disk; `undefined`: no such file (the document is then dirty). */
  readonly file: FileText | undefined;
  readonly bytes: Uint8Array | undefined;
  /** The live text: the buffer's when it is dirty, else the file's. */
  readonly text: string;
  readonly encoding: string;
}

export interface OpenDocuments {
  find(key: string): vscode.TextDocument | undefined;
  /** Refuses `doc.not-found`, `doc.too-large`, `doc.undecodable`, and `doc.encoding-mismatch` for a dirty buffer whose encoding does not fit its file. */
  standing(place: Place): Promise<Result<Standing>>;
  /**
   * The document of `standing`, opened without showing it and in step with the file unless it is dirty, with the encoding
   * of `standing`. Refuses `doc.changed` when buffer and file would not come together, `doc.undecodable` when VS Code
   * takes the file for binary.
   */
  open(place: Place, standing: Standing): Promise<Result<vscode.TextDocument>>;
  /** Waits up to `ms` until a clean document has taken over what is on disk; false when it has not. */
  reloads(document: vscode.TextDocument, text: string, encoding: string, ms: number): Promise<boolean>;
}

/** Resolves when the document has this text, or after `ms`. */
function textArrives(document: vscode.TextDocument, text: string, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, ms);
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.getText() === text) done();
    });
    if (document.getText() === text) done();
  });
}

export function createOpenDocuments(paths: Paths, maxBytes: number, log: Log): OpenDocuments {
  const find = (key: string): vscode.TextDocument | undefined =>
    vscode.workspace.textDocuments.find((document) => !document.isClosed && sameKey(paths.keyOf(document.uri) ?? '', key));

  /** Opening a clean document with another encoding reads its file again, in one step. False when VS Code would not. */
  const reopen = async (document: vscode.TextDocument, encoding: string): Promise<boolean> => {
    try {
      await vscode.workspace.openTextDocument(document.uri, { encoding });
      return true;
    } catch (error) {
      log.warn('a document could not be opened with another encoding', { path: document.uri.path, encoding, error });
      return false;
    }
  };

  const reloads = async (document: vscode.TextDocument, text: string, encoding: string, ms: number): Promise<boolean> => {
    if (document.encoding === encoding) {
      await textArrives(document, text, ms);
      const twin = TWINS.get(encoding);
      // No watcher told VS Code. There and back: both read the same text, so whoever looks or types meanwhile sees the right one.
      if (twin !== undefined && !document.isDirty && document.getText() !== text) {
        if (await reopen(document, twin)) await reopen(document, encoding);
      }
    } else if (!(await reopen(document, encoding))) {
      return false;
    }
    return document.getText() === text && document.encoding === encoding && !document.isDirty;
  };

  /**
   * Brings a clean document that VS Code did not reload by itself to the text of its file. The save writes what is there
   * already, which VS Code does not take for a conflict.
   */
  const bring = async (document: vscode.TextDocument, file: FileText): Promise<boolean> => {
    if (document.isDirty || document.encoding !== file.encoding) return false;
    return (await setText(document, document.getText(), file)) === 'set' && save(document, log);
  };

  return {
    find,
    reloads,

    async standing(place) {
      const path = place.key;
      const document = find(path);
      const dirty = document?.isDirty === true;
      if (place.stats !== undefined && !place.stats.isFile()) return refuse('doc.not-found', { path });
      if (place.stats === undefined && !dirty) return refuse('doc.not-found', { path });
      if (place.stats !== undefined && place.stats.size > maxBytes) return refuse('doc.too-large', { path, size: place.stats.size, limit: maxBytes });
      const bytes = await orMissing(readFile(place.real));
      if (bytes === undefined && !dirty) return refuse('doc.not-found', { path });
      let file: FileText | undefined;
      if (bytes !== undefined) {
        const read = await fileText(bytes, place.uri, document?.encoding);
        if (!read.ok) return refuse('doc.undecodable', { path });
        file = read.value;
      }
      // The document may have become dirty, or have been saved, while the file was read: what counts is now.
      if (document !== undefined && !document.isClosed && document.isDirty) {
        if (file !== undefined && file.encoding !== document.encoding) {
          return refuse('doc.encoding-mismatch', { path, encoding: document.encoding, found: file.encoding });
        }
        return ok({ document, dirty: true, file, bytes, text: document.getText(), encoding: document.encoding });
      }
      if (file === undefined) return refuse('doc.not-found', { path });
      return ok({ document: document?.isClosed === true ? undefined : document, dirty: false, file, bytes, text: file.text, encoding: file.encoding });
    },

    async open(place, standing) {
      if (standing.document !== undefined && standing.dirty) return ok(standing.document);
      let document = standing.document;
      if (document === undefined || document.isClosed) {
        try {
          document = await vscode.workspace.openTextDocument(place.uri, { encoding: standing.encoding });
        } catch (error) {
          return refuse('doc.undecodable', { path: place.key }, error);
        }
      }
      if (document.getText() === standing.text && document.encoding === standing.encoding) return ok(document);
      if (document.isDirty) return refuse('doc.changed', { path: place.key });
      if (await reloads(document, standing.text, standing.encoding, RELOAD_MS)) return ok(document);
      if (standing.file !== undefined && (await bring(document, standing.file)) && document.getText() === standing.text) return ok(document);
      return refuse('doc.changed', { path: place.key });
    },
  };
}
