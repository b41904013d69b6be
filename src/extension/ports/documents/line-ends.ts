import { EOL } from 'node:os';
import * as vscode from 'vscode';

export type Eol = '\n' | '\r\n';

/**
 * The one line end VS Code gives a text on opening it: CRLF when more than half of its line ends have a CR,
 * the `files.eol` of the resource when there is none.
 */
export function eolOf(text: string, uri: vscode.Uri): { readonly eol: Eol; readonly mixed: boolean } {
  let cr = 0;
  let lf = 0;
  let crlf = 0;
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) {
    if (end === '\r\n') crlf += 1;
    else if (end === '\r') cr += 1;
    else lf += 1;
  }
  const all = cr + lf + crlf;
  if (all === 0) {
    const chosen = vscode.workspace.getConfiguration('files', uri).get<string>('eol');
    return { eol: (chosen === '\n' || chosen === '\r\n' ? chosen : EOL) === '\r\n' ? '\r\n' : '\n', mixed: false };
  }
  return cr + crlf > all / 2 ? { eol: '\r\n', mixed: cr + lf > 0 } : { eol: '\n', mixed: cr + crlf > 0 };
}

/** Every CR, LF and CRLF as `eol`, as VS Code does with text that goes into a document. */
export const withEol = (text: string, eol: Eol): string => text.replace(/\r\n|\r|\n/g, eol);

export const eolOfDocument = (document: vscode.TextDocument): Eol => (document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
