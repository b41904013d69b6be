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
 * Changes an open document to a text (with one kind of line end, `eol`) by the smallest edit, as one undo step; what the author
 * types meanwhile makes it try again. False when VS Code would not.
 */
export async function setText(document: vscode.TextDocument, target: { readonly text: string; readonly eol: Eol }): Promise<boolean> {
  for (let tried = 1; document.getText() !== target.text; tried += 1) {
    if (tried > TRIES) return false;
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
    await vscode.workspace.applyEdit(edit);
  }
  return true;
}
