import * as vscode from 'vscode';
import type { Host } from '../../host';
import { copyFolder, makeFreshFolder } from './copy-sample';

const NAME = '盐渡来信';

/** Asks for a folder, puts a copy of the sample novel into it, beside whatever is there, and opens that. Gives the copy's folder. */
export async function openSample(host: Host): Promise<vscode.Uri | undefined> {
  const { t } = host;
  const [parent] = (await vscode.window.showOpenDialog({
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
    title: t('The sample novel: into which folder?'),
    openLabel: t('Put the sample novel here'),
  })) ?? [];
  if (parent === undefined) return undefined;
  const sameWindow = await chooseWindow(host);
  if (sameWindow === undefined) return undefined;
  let folder: string;
  try {
    folder = await makeFreshFolder(parent.fsPath, NAME);
    await copyFolder(host.context.asAbsolutePath('assets/sample-novel'), folder);
  } catch (error) {
    host.log.error('the sample novel was not copied', { error: String(error) });
    void vscode.window.showErrorMessage(t('The sample novel could not be put into {folder}. Choose a folder that you may write to.', { folder: parent.fsPath }));
    return undefined;
  }
  const uri = vscode.Uri.file(folder);
  await vscode.commands.executeCommand('vscode.openFolder', uri, sameWindow ? { forceReuseWindow: true } : { forceNewWindow: true });
  return uri;
}

/** True: this window; `undefined`: the person ended it. An empty window is not asked about. */
async function chooseWindow({ t }: Host): Promise<boolean | undefined> {
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) return true;
  const picked = await vscode.window.showQuickPick(
    [
      { label: `$(empty-window) ${t('In a new window')}`, here: false },
      { label: `$(window) ${t('In this window')}`, detail: t('What is open now is closed; VS Code asks about unsaved words.'), here: true },
    ],
    { title: t('The sample novel: where to open it?') },
  );
  return picked?.here;
}
