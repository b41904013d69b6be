import * as vscode from 'vscode';
import { showRefusal } from '../../commands';
import type { Host } from '../../host';
import type { NewProject, OpenProject } from '../../project/active-project';
import { askForChapters, moveIntoManuscript, type ChaptersAt } from './find-texts';
import { folderName } from './folder-name';

/** A folder that becomes a project: where it is and what it is called. */
interface Place {
  readonly uri: vscode.Uri;
  readonly name: string;
}

/** Folder, title, language, and where the chapters are; then `.liyuan/` is made. The texts are not touched but when told to move. */
export async function createProject(host: Host): Promise<void> {
  await host.project.settled;
  if (!(await mayWrite(host))) return;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file' && !isProject(host, folder.uri));
  const folder = await chooseFolder(host, folders);
  if (folder !== undefined) await createIn(host, folder);
}

/** The same for a folder that was pointed at: one of the window's, or one inside of them. */
export async function createProjectAt(host: Host, uri: vscode.Uri): Promise<void> {
  const { t } = host;
  await host.project.settled;
  if (!(await mayWrite(host))) return;
  const root = vscode.workspace.getWorkspaceFolder(uri);
  if (root === undefined || uri.scheme !== 'file') return createProject(host);
  if (root.uri.toString() === uri.toString()) {
    if (isProject(host, uri)) void vscode.window.showInformationMessage(t('The project is here already.'));
    else await createIn(host, root);
    return;
  }
  const manuscript = uri.path.slice(root.uri.path.replace(/\/$/, '').length + 1);
  const items = [
    ...(isProject(host, root.uri) ? [] : [{
      label: `$(book) ${t('“{folder}” becomes the project, its chapters are in {name}/', { folder: root.name, name: manuscript })}`,
      own: false,
    }]),
    { label: `$(empty-window) ${t('“{name}” is a novel of its own', { name: folderName(uri) })}`, detail: t('It becomes a project and opens in a new window.'), own: true },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: t('Set up a project: which folder?') });
  if (picked?.own === false) await createIn(host, root, { kind: 'folder', name: manuscript });
  else if (picked?.own === true) await createApart(host, { uri, name: folderName(uri) });
}

const isProject = (host: Host, uri: vscode.Uri): boolean => host.project.roots.some((root) => root.toString() === uri.toString());

async function mayWrite({ t }: Host): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const trust = t('Trust this folder…');
  const chosen = await vscode.window.showWarningMessage(t('This folder is not trusted, so nothing is written into it.'), trust);
  if (chosen === trust) await vscode.commands.executeCommand('workbench.trust.manage');
  return false;
}

/** In a folder of this window. `known`: where the chapters are, when that was said already. */
async function createIn(host: Host, place: Place, known?: ChaptersAt): Promise<void> {
  const answers = await askAll(host, place, known);
  if (answers === undefined) return;
  const made = await host.project.create(place.uri, answers.input);
  if (!made.ok) return showRefusal(host, made.error);
  await moveAsSaid(host, place, answers.chapters);
  await tellMade(host, made.value);
}

/** In a folder inside of this window's, which then has a window of its own. */
async function createApart(host: Host, place: Place): Promise<void> {
  const answers = await askAll(host, place);
  if (answers === undefined) return;
  const made = await host.project.make(place.uri, answers.input);
  if (!made.ok) return showRefusal(host, made.error);
  await moveAsSaid(host, place, answers.chapters);
  await vscode.commands.executeCommand('vscode.openFolder', place.uri, { forceNewWindow: true });
}

/** `undefined`: the person ended it; nothing is written before the last answer. */
async function askAll(host: Host, { uri, name }: Place, known?: ChaptersAt): Promise<{ readonly input: NewProject; readonly chapters: ChaptersAt } | undefined> {
  const { t } = host;
  const title = await vscode.window.showInputBox({
    title: t('Set up a project: title'),
    prompt: t('Title of the novel. Your chapters stay where they are; nothing in them is changed.'),
    value: name,
    validateInput: (text) => (text.trim() === '' ? t('A title is needed.') : undefined),
  });
  if (title === undefined) return undefined;
  const language = await chooseLanguage(host);
  if (language === undefined) return undefined;
  const chapters = known ?? (await askForChapters(host, uri));
  if (chapters === undefined) return undefined;
  return { input: { title: title.trim(), language, ...(chapters.kind === 'folder' ? { manuscript: chapters.name } : {}) }, chapters };
}

async function moveAsSaid({ t }: Host, { uri }: Place, chapters: ChaptersAt): Promise<void> {
  if (chapters.kind !== 'move' || (await moveIntoManuscript(uri, chapters.names))) return;
  void vscode.window.showWarningMessage(t('The texts could not be moved into 正文/. Nothing was changed; you can drag them there.'));
}

/** What the project holds now, in one sentence that takes no focus. */
async function tellMade(host: Host, { engine }: OpenProject): Promise<void> {
  const { t } = host;
  const chapters = await engine.manuscript.chapters();
  const folder = engine.manuscript.folder;
  if (!chapters.ok) return;
  const count = chapters.value.length;
  const text =
    count === 0
      ? t('The project is set up. Put your chapters into {folder}/, or ask the agent to write the first one.', { folder })
      : t('The project is set up. Chapters in {folder}/: {count}.', { folder, count });
  void vscode.window.showInformationMessage(text);
}

async function chooseFolder(host: Host, folders: readonly vscode.WorkspaceFolder[]): Promise<Place | undefined> {
  const { t } = host;
  if (folders.length === 0) {
    if (host.project.root !== undefined) {
      void vscode.window.showInformationMessage(t('The project is here already.'));
      return undefined;
    }
    const open = t('Open a folder…');
    const sample = t('Open the sample novel…');
    const chosen = await vscode.window.showInformationMessage(t('Open the folder of your novel first.'), open, sample);
    if (chosen === open) await vscode.commands.executeCommand('vscode.openFolder');
    else if (chosen === sample) await vscode.commands.executeCommand('liyuan.project.openSample');
    return undefined;
  }
  if (folders.length === 1) return folders[0];
  const picked = await vscode.window.showQuickPick(
    folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder })),
    { title: t('Set up a project: folder') },
  );
  return picked?.folder;
}

async function chooseLanguage(host: Host): Promise<'zh' | 'en' | undefined> {
  const zh = { label: '中文', language: 'zh' as const };
  const en = { label: 'English', language: 'en' as const };
  const picked = await vscode.window.showQuickPick(vscode.env.language.startsWith('zh') ? [zh, en] : [en, zh], {
    title: host.t('Set up a project: language the novel is written in'),
  });
  return picked?.language;
}
