import * as vscode from 'vscode';
import type { FileChange } from '../../engine/index';
import type { OpenProject } from '../project/active-project';
import type { Translate } from '../l10n/translate';
import { uriIn } from '../project/uris';
import { aboutInWords, diffTitle, type About } from './diff-title';
import { identityQuery, objectScheme } from './object-uris';

/** A read-only document: the stored text under the path of the file itself, so that the editor takes it for no other one. */
export function objectUri(root: vscode.Uri, path: string, sha: string | null): vscode.Uri {
  const query = identityQuery(sha === null ? { kind: 'nothing' } : { kind: 'object', sha });
  return uriIn(root, path).with({ scheme: objectScheme, query });
}

/** One side of a diff; `live`: it is the file as it stands, and goes on changing. */
interface DiffSide {
  readonly uri: vscode.Uri;
  readonly live: boolean;
}

/** The real file when the change's result is what stands there now (unsaved words included), else the stored text. */
async function rightSide({ root, documents }: OpenProject, change: FileChange): Promise<DiffSide> {
  const stored: DiffSide = { uri: objectUri(root, change.path, change.after), live: false };
  if (change.after === null) return stored;
  const { sha256Hex } = await import('../../engine/index');
  const now = await documents.bytes(change.path);
  return now !== undefined && sha256Hex(now) === change.after ? { uri: uriIn(root, change.path), live: true } : stored;
}

const leftSide = ({ root }: OpenProject, change: FileChange): vscode.Uri => objectUri(root, change.from ?? change.path, change.before);

/** `keepFocus`: the keyboard stays where it is, as for rows of a list that are looked through. */
export interface DiffOptions {
  readonly keepFocus?: boolean;
}

/** Opens the diff of one change. */
export async function openDiff(project: OpenProject, change: FileChange, about: About, t: Translate, { keepFocus = false }: DiffOptions = {}): Promise<void> {
  const right = await rightSide(project, change);
  const title = diffTitle(t, change.path, about, right.live);
  await vscode.commands.executeCommand('vscode.diff', leftSide(project, change), right.uri, title, { preview: true, preserveFocus: keepFocus });
}

/** Opens one diff, or the editor for several. Nothing opens when there is no change. */
export async function openDiffs(project: OpenProject, changes: readonly FileChange[], about: About, t: Translate, options: DiffOptions = {}): Promise<void> {
  const [only] = changes;
  if (only === undefined) {
    void vscode.window.showInformationMessage(t('There is no difference.'));
    return;
  }
  if (changes.length === 1) {
    await openDiff(project, only, about, t, options);
    return;
  }
  const rows = await Promise.all(
    changes.map(async (change): Promise<[vscode.Uri, vscode.Uri, vscode.Uri]> => [
      uriIn(project.root, change.path),
      leftSide(project, change),
      (await rightSide(project, change)).uri,
    ]),
  );
  await vscode.commands.executeCommand('vscode.changes', aboutInWords(about), rows);
}
