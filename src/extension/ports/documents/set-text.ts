import * as vscode from 'vscode';
import { eolOfDocument } from './document-eol';
import { withEol, type Eol } from './line-ends';
import { smallestChange } from './text-changes';

const TRIES = 3;

/** The position of an offset into a text whose line ends are all LF. */
function positionIn(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length - 1;
  return new vscode.Position(line, offset - (before.lastIndexOf('\n') + 1));
}

/**
 * Changes an open document from the text `from` to another (with one kind of line end, `eol`) by the smallest edit, as one undo step.
 * `changed`: it held another text, or the author typed before the edit arrived, and is left alone. `refused`: VS Code would not.
 */
export async function setText(
  document: vscode.TextDocument,
  from: string,
  target: { readonly text: string; readonly eol: Eol },
): Promise<'set' | 'changed' | 'refused'> {
  if (document.getText() !== from) return 'changed';
  if (from === target.text) return 'set';
  for (let tried = 1; ; tried += 1) {
    if (tried > TRIES) return 'refused';
    const now = withEol(document.getText(), '\n');
    const change = smallestChange(now, withEol(target.text, '\n'));
    const edits: vscode.TextEdit[] = [];
    if (eolOfDocument(document) !== target.eol) {
      edits.push(vscode.TextEdit.setEndOfLine(target.eol === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF));
    }
    if (change !== undefined) {
      edits.push(vscode.TextEdit.replace(new vscode.Range(positionIn(now, change.start), positionIn(now, change.end)), change.text));
    }
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, edits);
    // The edit carries the version that this text has here, and is turned down when the editor is further.
    if (await vscode.workspace.applyEdit(edit)) return 'set';
    if (document.getText() !== from) return 'changed';
  }
}
