import * as vscode from 'vscode';
import type { CheckpointRecord, Manifest } from '../../../engine/index';
import { showRefusal, writableProject } from '../../commands';
import { objectUri } from '../../diffs/diffs';
import { objectScheme } from '../../diffs/object-uris';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { baseName, pathIn } from '../../project/paths';
import { titleOf, whenOf } from './items';
import type { CheckpointNode, FileNode, HistoryNode } from './nodes';
import { restoreFile } from './restore';
import type { FileFilter, HistoryTree } from './tree';

interface FileItem extends vscode.QuickPickItem {
  readonly path?: string;
}

/** Paths as the chapter list orders them: the manuscript first, then the rest, each in natural order. */
async function rows(project: OpenProject, paths: Iterable<string>): Promise<readonly FileItem[]> {
  const { compareNatural } = await import('../../../engine/index');
  const chapters = `${project.engine.manuscript.folder}/`;
  const first = (path: string): number => (path.startsWith(chapters) ? 0 : 1);
  return [...paths]
    .sort((a, b) => first(a) - first(b) || compareNatural(a, b))
    .map((path) => ({ label: baseName(path), description: path.split('/').slice(0, -1).join('/'), path }));
}

async function pickOf(host: Host, project: OpenProject, manifest: Manifest, title: string, placeHolder: string): Promise<string | undefined> {
  const items = await rows(project, manifest.keys());
  if (items.length === 0) {
    void vscode.window.showInformationMessage(host.t('There was no file at this checkpoint.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true }))?.path;
}

const stateName = (host: Host, record: CheckpointRecord): string => `${titleOf(host.t, record)} · ${whenOf(record)}`;

async function openStored(host: Host, { root }: OpenProject, record: CheckpointRecord, path: string, sha: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.open', objectUri(root, path, sha), { preview: true }, `${baseName(path)} (${stateName(host, record)})`);
}

/** A file as it was at its checkpoint, for reading only; one that was deleted then, as it was before. */
export async function openFile(host: Host, { record, change }: FileNode): Promise<void> {
  const sha = change.after ?? change.before;
  if (sha === null) return;
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  await openStored(host, project.value, record, change.path, sha);
}

/** A whole state, for reading only: its files to choose from, chapters first. */
export async function openState(host: Host, { record }: CheckpointNode): Promise<void> {
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  const manifest = await project.value.engine.checkpoints.manifest(record.id);
  if (!manifest.ok) return showRefusal(host, manifest.error);
  const path = await pickOf(host, project.value, manifest.value, stateName(host, record), host.t('Which file do you want to read as it was then?'));
  const sha = path === undefined ? undefined : manifest.value.get(path);
  if (path !== undefined && sha !== undefined) await openStored(host, project.value, record, path, sha);
}

/** One file of a state, whether or not this checkpoint changed it. */
export async function restoreOneFile(host: Host, { record }: CheckpointNode): Promise<void> {
  const project = await writableProject(host);
  if (project === undefined) return;
  const manifest = await project.engine.checkpoints.manifest(record.id);
  if (!manifest.ok) return showRefusal(host, manifest.error);
  const path = await pickOf(host, project, manifest.value, stateName(host, record), host.t('Which file shall be as it was then?'));
  if (path !== undefined) await restoreFile(host, record, path);
}

/** Asks for a file: those of the newest checkpoint, and below them those that are gone. */
export async function askForFilter(host: Host): Promise<FileFilter | undefined> {
  const { t } = host;
  const project = await host.project.opened();
  if (!project.ok) {
    await showRefusal(host, project.error);
    return undefined;
  }
  const records = await project.value.engine.checkpoints.list();
  if (!records.ok) {
    await showRefusal(host, records.error);
    return undefined;
  }
  const [newest] = records.value;
  const manifest = newest === undefined ? undefined : await project.value.engine.checkpoints.manifest(newest.id);
  const present = new Set(manifest?.ok === true ? manifest.value.keys() : []);
  const gone = new Set<string>();
  for (const { changed } of records.value) for (const path of [...changed.removed, ...changed.added, ...changed.modified]) if (!present.has(path)) gone.add(path);
  const items: FileItem[] = [
    ...(await rows(project.value, present)),
    ...(gone.size === 0 ? [] : [{ label: t('No longer there'), kind: vscode.QuickPickItemKind.Separator }]),
    ...(await rows(project.value, gone)),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: t('History of one file'), placeHolder: t('Which file?'), matchOnDescription: true });
  return chosen?.path === undefined ? undefined : { path: chosen.path };
}

/** Shows the view with what happened to the file that the command was called on. */
export async function showFileHistory(host: Host, tree: HistoryTree, of: vscode.Uri | HistoryNode | undefined): Promise<void> {
  const by = await filterFor(host, of);
  if (by === undefined) return;
  tree.filter(by);
  await vscode.commands.executeCommand('liyuan.history.focus');
}

/** The file that a command was called on: a row of the history, a file of the explorer or an editor, else the active editor's. */
async function filterFor(host: Host, of: vscode.Uri | HistoryNode | undefined): Promise<FileFilter | undefined> {
  if (of !== undefined && 'kind' in of) return of.kind === 'file' ? { path: of.change.path, at: of.record.id } : undefined;
  const uri = of ?? vscode.window.activeTextEditor?.document.uri;
  const project = await host.project.opened();
  if (!project.ok) {
    await showRefusal(host, project.error);
    return undefined;
  }
  const path = uri === undefined ? undefined : pathOf(project.value, uri);
  if (path !== undefined && project.value.engine.project.rules.covered(path)) return { path };
  void vscode.window.showInformationMessage(host.t('Checkpoints do not cover this file.'));
  return undefined;
}

/** Of a stored text too, which has the path of its file. */
const pathOf = ({ root }: OpenProject, uri: vscode.Uri): string | undefined =>
  pathIn(root, uri.scheme === objectScheme ? { scheme: root.scheme, path: uri.path } : uri);
