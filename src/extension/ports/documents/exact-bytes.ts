import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { chmod, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ok, refuse, type Result } from '../../../engine/index';
import { errorCode, orMissing, type Place } from './paths';

/** Applies one step of file operations; false when VS Code turned it down. */
export async function fileStep(fill: (edit: vscode.WorkspaceEdit) => void): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  fill(edit);
  return vscode.workspace.applyEdit(edit);
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Renames onto a path, over what is there, if `mayGo` says so in the same moment. Where another program holds it (Windows), its content is
 * replaced instead. Resolves to whether it was done.
 */
async function replace(temp: string, place: Place, bytes: Uint8Array, mayGo: () => boolean): Promise<boolean> {
  const old = await orMissing(stat(place.real));
  if (old !== undefined) await chmod(temp, old.mode);
  if (!mayGo()) return false;
  try {
    renameSync(temp, place.real);
  } catch (error) {
    const code = errorCode(error);
    if (old === undefined || (code !== 'EPERM' && code !== 'EACCES' && code !== 'EBUSY')) throw error;
    await vscode.workspace.fs.writeFile(vscode.Uri.file(place.real), bytes);
    await rm(temp, { force: true });
  }
  return true;
}

/**
 * Puts exactly these bytes at a place, no save participant in between; parent folders are made. With `fresh` a file
 * that came into being meanwhile is never written over. `mayGo` is asked with nothing left to wait for; its no is `doc.changed`. Refuses
 * also `path.not-writable`, `store.disk-full` and `doc.save-failed`; the place is then as it was.
 *
 * The bytes arrive by `createFile` with `contents` under a temporary name and move from there, because `createFile` at the
 * place itself leaves an entry on the undo stack of that path whose undo deletes the file: one Ctrl+Z in a chapter
 * restored or made so, even much later, takes the whole file away (measured on 1.139.1; `overwrite` is no different).
 */
export async function putExactly(place: Place, bytes: Uint8Array, options: { readonly fresh?: boolean; readonly mayGo?: () => boolean } = {}): Promise<Result<void>> {
  const temp = join(dirname(place.real), `.liyuan-${randomUUID()}.tmp`);
  const uri = vscode.Uri.file(temp);
  try {
    if (!(await fileStep((edit) => edit.createFile(uri, { contents: bytes })))) return refuse('doc.save-failed', { path: place.key });
    await flush(temp);
    if (options.fresh === true) {
      await vscode.workspace.fs.rename(uri, place.uri, { overwrite: false });
    } else if (!(await replace(temp, place, bytes, options.mayGo ?? ((): boolean => true)))) {
      await rm(temp, { force: true });
      return refuse('doc.changed', { path: place.key });
    }
    return ok(undefined);
  } catch (error) {
    await rm(temp, { force: true });
    const code = errorCode(error);
    if (code === 'ENOSPC' || code === 'EDQUOT') return refuse('store.disk-full', { path: place.key }, error);
    if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return refuse('path.not-writable', { path: place.key }, error);
    return refuse('doc.save-failed', { path: place.key }, error);
  }
}
