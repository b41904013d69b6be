import * as vscode from 'vscode';
import type { Log, TextChange } from '../../../engine/index';

/** Adds changes (offsets into the document's text) to an edit. */
export function addChanges(edit: vscode.WorkspaceEdit, document: vscode.TextDocument, changes: readonly TextChange[]): void {
  for (const { start, end, text } of changes) {
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  }
}

/** Saves, with the participants the author chose; false when VS Code could not. */
export async function save(document: vscode.TextDocument, log: Log): Promise<boolean> {
  try {
    return await document.save();
  } catch (error) {
    log.warn('saving failed', { path: document.uri.path, error });
    return false;
  }
}

/** What save participants leave alone: they set space, line ends and marks, no words. */
const wordsOf = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Saves a document that was just set to `text`. True: the author typed before the save read it, or since, so that more than `text`
 * and what the save participants made of it stands there. While the participants run, the two are told apart by the words.
 */
export async function typedBeforeSave(document: vscode.TextDocument, text: string, log: Log): Promise<boolean> {
  let typed = document.getText() !== text;
  const words = wordsOf(text);
  const listener = vscode.workspace.onWillSaveTextDocument((event) => {
    // Trimming comes before this.
    if (event.document === document && wordsOf(document.getText()) !== words) typed = true;
  });
  try {
    await save(document, log);
  } finally {
    listener.dispose();
  }
  const now = document.getText();
  return typed || (now !== text && (document.isDirty || wordsOf(now) !== words));
}

/** True when the document has no unsaved words within `ms`. */
export function becomesClean(document: vscode.TextDocument, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const part of parts) part.dispose();
      resolve(!document.isDirty);
    };
    const look = (): void => {
      if (!document.isDirty || document.isClosed) done();
    };
    const timer = setTimeout(done, ms);
    // A change of the dirty state alone comes as a change without changes.
    const parts = [vscode.workspace.onDidChangeTextDocument(look), vscode.workspace.onDidSaveTextDocument(look), vscode.workspace.onDidCloseTextDocument(look)];
    look();
  });
}
