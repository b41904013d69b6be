import * as vscode from 'vscode';
import { versionOf } from './file-text';

/** A change is told before the document is called dirty; so long it takes at most, in ms. */
const SETTLES_MS = 200;

/** What the files of open documents held when buffer and file were last the same. */
export interface KnownFiles extends vscode.Disposable {
  /** Whether a text is what the document's file was last known to hold; also when nothing is known, of a document that was dirty when first seen. */
  knows(document: vscode.TextDocument, text: string): boolean;
}

export function createKnownFiles(isOurs: (uri: vscode.Uri) => boolean): KnownFiles {
  const known = new WeakMap<vscode.TextDocument, string>();
  const timers = new Map<vscode.TextDocument, NodeJS.Timeout>();
  const note = (document: vscode.TextDocument): void => {
    if (!document.isDirty && !document.isClosed && isOurs(document.uri)) known.set(document, versionOf(document.getText()));
  };
  const noteSoon = (document: vscode.TextDocument): void => {
    clearTimeout(timers.get(document));
    timers.set(
      document,
      setTimeout(() => {
        timers.delete(document);
        note(document);
      }, SETTLES_MS),
    );
  };
  vscode.workspace.textDocuments.forEach(note);
  const listeners = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(note),
    vscode.workspace.onDidSaveTextDocument(note),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // Perhaps taken over from the disk.
      if (contentChanges.length > 0 && isOurs(document.uri)) noteSoon(document);
    }),
  );
  return {
    knows: (document, text) => known.get(document) === undefined || known.get(document) === versionOf(text),
    dispose() {
      listeners.dispose();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
