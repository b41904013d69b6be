import type * as vscode from 'vscode';

/** The last part of a folder's path. */
export const folderName = (uri: vscode.Uri): string => uri.path.split('/').filter((part) => part !== '').at(-1) ?? uri.path;
