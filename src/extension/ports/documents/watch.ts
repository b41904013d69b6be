import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { DocumentEvent, Log } from '../../../engine/index';
import type { OwnWrites } from './own-writes';
import { errorCode, listFiles, type Paths } from './paths';

export interface Watch extends vscode.Disposable {
  listen(listener: (event: DocumentEvent) => void): () => void;
  /** Tells of a change this port made. */
  tell(event: DocumentEvent): void;
}

/** Tells of changes on disk and in buffers (of a folder by its own path, when a whole one went away); what this port did itself is told by `tell`, once, and not again by the watcher. */
export function createWatch(root: vscode.Uri, paths: Paths, own: OwnWrites, log: Log): Watch {
  const listeners = new Set<(event: DocumentEvent) => void>();

  const tell = (event: DocumentEvent): void => {
    for (const listener of [...listeners]) {
      try {
        listener(event);
      } catch (error) {
        log.error('a listener to document changes failed', { path: event.path, error });
      }
    }
  };

  /**
   * On Linux the watcher may tell of a new folder and never of what was put into it at once (seen on 1.139.1 under load), so
   * its files are told here; some are then told twice.
   */
  const inNewFolder = async (folder: string): Promise<void> => {
    const place = await paths.locate(folder);
    if (!place.ok) return;
    const files = await listFiles(place.value, paths, () => undefined);
    for (const { path } of files) if (!own.holdsBack(path) && !own.wrote(path)) tell({ kind: 'created', path, source: 'disk' });
  };

  const onDisk = async (uri: vscode.Uri, kind: DocumentEvent['kind']): Promise<void> => {
    const path = paths.keyOf(uri);
    if (path === undefined || own.holdsBack(path) || listeners.size === 0) return;
    let bytes: Uint8Array | undefined;
    try {
      bytes = await readFile(uri.fsPath);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EISDIR') {
        if (kind === 'created') await inNewFolder(path);
        return;
      }
      if (code !== 'ENOENT' && code !== 'ENOTDIR') log.debug('a changed file could not be read', { path, error });
    }
    if (own.holdsBack(path) || own.recognises(path, bytes)) return;
    tell({ kind, path, source: 'disk' });
  };

  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(root, '**/*'));
  const parts: readonly vscode.Disposable[] = [
    watcher,
    watcher.onDidChange((uri) => void onDisk(uri, 'changed')),
    watcher.onDidCreate((uri) => void onDisk(uri, 'created')),
    watcher.onDidDelete((uri) => void onDisk(uri, 'deleted')),
    vscode.workspace.onDidChangeTextDocument((event) => {
      // A save, or a change of encoding, comes as an event without changes.
      if (event.contentChanges.length === 0) return;
      const path = paths.keyOf(event.document.uri);
      if (path !== undefined && !own.holdsBack(path)) tell({ kind: 'changed', path, source: 'buffer' });
    }),
  ];

  return {
    tell,
    listen(listener) {
      // Wrapped, so that the same function may listen twice and each be taken off alone.
      const one = (event: DocumentEvent): void => listener(event);
      listeners.add(one);
      return () => void listeners.delete(one);
    },
    dispose() {
      listeners.clear();
      for (const part of parts) part.dispose();
    },
  };
}
