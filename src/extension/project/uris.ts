import * as vscode from 'vscode';

/** Where a path of the project lies. */
export const uriIn = (root: vscode.Uri, path: string): vscode.Uri => vscode.Uri.joinPath(root, ...path.split('/'));
