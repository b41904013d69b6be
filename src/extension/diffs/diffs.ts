import * as vscode from 'vscode';
import type { FileChange } from '../../engine/index';
import type { OpenProject } from '../project/active-project';
import type { Translate } from '../l10n/translate';
import { identityQuery, objectScheme } from './object-uris';

/** A read-only document: the stored text under the file's own name. */
export function objectUri(path: string, sha: string | null): vscode.Uri {
  const query = identityQuery(sha === null ? { kind: 'nothing' } : { kind: 'object', sha });
  return vscode.Uri.from({ scheme: objectScheme, path: `/${path}`, query });
}

/** The real file when the change's result is what stands there now (unsaved words included), else the stored text. */
async function rightSide(project: OpenProject, change: FileChange): Promise<vscode.Uri> {
  if (change.after === null) return objectUri(change.path, null);
  const { sha256Hex } = await import('../../engine/index');
  const now = await project.documents.bytes(change.path);
  return now !== undefined && sha256Hex(now) === change.after
    ? vscode.Uri.joinPath(project.root, ...change.path.split('/'))
    : objectUri(change.path, change.after);
}

const leftSide = (change: FileChange): vscode.Uri => objectUri(change.from ?? change.path, change.before);

/** Opens the diff of one change: `title` names what is compared, e.g. “before this turn ↔ after”. */
export async function openDiff(project: OpenProject, change: FileChange, title: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', leftSide(change), await rightSide(project, change), title, { preview: true });
}

/** Opens one diff, or the editor for several. Nothing opens when there is no change. */
export async function openDiffs(project: OpenProject, changes: readonly FileChange[], title: string, t: Translate): Promise<void> {
  const [only] = changes;
  if (only === undefined) {
    void vscode.window.showInformationMessage(t('There is no difference.'));
    return;
  }
  if (changes.length === 1) {
    await openDiff(project, only, `${only.path.split('/').at(-1) ?? only.path} (${title})`);
    return;
  }
  const rows = await Promise.all(
    changes.map(async (change): Promise<[vscode.Uri, vscode.Uri, vscode.Uri]> => [
      vscode.Uri.joinPath(project.root, ...change.path.split('/')),
      leftSide(change),
      await rightSide(project, change),
    ]),
  );
  await vscode.commands.executeCommand('vscode.changes', title, rows);
}
