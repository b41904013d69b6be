import { EOL } from 'node:os';
import * as vscode from 'vscode';
import type { Eol } from './line-ends';

export const eolOfDocument = (document: vscode.TextDocument): Eol => (document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');

/** What a text without line ends gets: `files.eol` of the resource, else the system's. */
export function defaultEol(uri: vscode.Uri): Eol {
  const chosen = vscode.workspace.getConfiguration('files', uri).get<string>('eol');
  return (chosen === '\n' || chosen === '\r\n' ? chosen : EOL) === '\r\n' ? '\r\n' : '\n';
}
