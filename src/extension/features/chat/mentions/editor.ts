import * as vscode from 'vscode';
import type { ChatMention } from '../../../../protocol/mentions';
import { openDiffs } from '../../../diffs/diffs';
import type { Host } from '../../../host';
import { localiseError } from '../../../l10n/localise-error';
import type { OpenProject } from '../../../project/active-project';
import { pathIn } from '../../../project/paths';
import { uriIn } from '../../../project/uris';
import { nameOf } from './project-sources';

/** Of a selection no more is handed on, UTF-16 units; the engine keeps less of it still. */
const MOST_SELECTED = 100_000;

/** The path of a text of this project. */
function textPath({ root, engine }: OpenProject, uri: vscode.Uri): string | undefined {
  const path = pathIn(root, uri);
  return path !== undefined && engine.project.rules.covered(path) ? path : undefined;
}

/** What is selected in the editor that was used last. */
export function selectedText(project: OpenProject, editor: vscode.TextEditor | undefined = vscode.window.activeTextEditor): ChatMention | undefined {
  if (editor === undefined || editor.selection.isEmpty) return undefined;
  const ref = textPath(project, editor.document.uri);
  const { start, end } = editor.selection;
  const text = editor.document.getText(editor.selection).slice(0, MOST_SELECTED);
  if (ref === undefined || text.trim() === '') return undefined;
  // A selection that ends before the first character of a line does not hold that line.
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return { kind: 'selection', ref, start: start.line + 1, end: last, text };
}

/** What the command was called on: files of the explorer, or the selection of the editor, or its file. */
export function mentionsOn(project: OpenProject, uri: unknown, all: unknown): readonly ChatMention[] {
  const chosen = Array.isArray(all) ? all.filter((one): one is vscode.Uri => one instanceof vscode.Uri) : [];
  const editor = vscode.window.activeTextEditor;
  const here = uri instanceof vscode.Uri ? uri : editor?.document.uri;
  if (chosen.length === 0 && editor !== undefined && here?.toString() === editor.document.uri.toString()) {
    const selected = selectedText(project, editor);
    if (selected !== undefined) return [selected];
  }
  const uris = chosen.length > 0 ? chosen : here === undefined ? [] : [here];
  return uris.flatMap((one) => {
    const ref = textPath(project, one);
    return ref === undefined ? [] : [{ kind: 'file' as const, ref, title: nameOf(ref) }];
  });
}

/** Opens what a mention points at: a file, its lines, or what has changed since a checkpoint. */
export async function openMention(host: Host, project: OpenProject, mention: ChatMention): Promise<void> {
  if (mention.kind === 'checkpoint') {
    const changes = await project.engine.checkpoints.compare(mention.ref, 'now');
    if (!changes.ok) throw new Error(localiseError(changes.error, host.t));
    return openDiffs(project, changes.value, { sides: host.t('then ↔ now') }, host.t);
  }
  const path = project.engine.project.rules.normalise(mention.ref);
  if (!path.ok) throw new Error(localiseError(path.error, host.t));
  const uri = uriIn(project.root, path.value);
  const range = mention.kind === 'selection' ? { selection: new vscode.Range(mention.start - 1, 0, mention.end - 1, Number.MAX_SAFE_INTEGER) } : {};
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...range });
}
