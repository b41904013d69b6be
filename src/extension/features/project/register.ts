import * as vscode from 'vscode';
import { registerCommand, showRefusal } from '../../commands';
import type { Feature, Host } from '../../host';
import type { OpenProject } from '../../project/active-project';

/** Context keys that menus and welcome texts depend on. */
async function setContexts(host: Host): Promise<void> {
  await host.project.settled;
  const set = (key: string, value: unknown): Thenable<unknown> => vscode.commands.executeCommand('setContext', key, value);
  await set('liyuan.project.open', host.project.root !== undefined);
  await set('liyuan.project.several', host.project.roots.length > 1);
  await set('liyuan.project.settled', true);
}

/** Making a project, choosing among several, and what the window says about it. */
export const projectFeature: Feature = {
  name: 'project',
  register: (host) => {
    const tell = (): void => { setContexts(host).catch((error: unknown) => { host.log.error('contexts not set', { error: String(error) }); }); };
    tell();
    void host.project.settled.then(() => offerChoice(host));
    return vscode.Disposable.from(
      host.project.onDidChange(tell),
      registerCommand(host, 'liyuan.project.create', () => createProject(host)),
      registerCommand(host, 'liyuan.project.choose', () => chooseProject(host)),
    );
  },
};

/** Several projects and none ever chosen: the first is shown, and a notice that takes no focus offers the others. */
async function offerChoice(host: Host): Promise<void> {
  const { project, t } = host;
  if (!project.undecided || project.root === undefined) return;
  const choose = t('Choose another…');
  const keep = t('Stay with this one');
  const chosen = await vscode.window.showInformationMessage(
    t('This window has {count} projects. Liyuan shows “{name}”.', { count: project.roots.length, name: folderName(project.root) }),
    choose,
    keep,
  );
  if (chosen === choose) await chooseProject(host);
  else if (chosen === keep) await project.choose(project.root);
}

const folderName = (uri: vscode.Uri): string => uri.path.split('/').filter((part) => part !== '').at(-1) ?? uri.path;

async function chooseProject(host: Host): Promise<void> {
  const items = host.project.roots.map((uri) => ({
    label: folderName(uri),
    description: uri.fsPath,
    picked: uri.toString() === host.project.root?.toString(),
    uri,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: host.t('Choose the project of this window'), matchOnDescription: true });
  if (chosen !== undefined) await host.project.choose(chosen.uri);
}

/** Folder, title, language; then `.liyuan/` is made. The texts are not touched. */
async function createProject(host: Host): Promise<void> {
  const { t } = host;
  await host.project.settled;
  if (!vscode.workspace.isTrusted) {
    const trust = t('Trust this folder…');
    const chosen = await vscode.window.showWarningMessage(t('This folder is not trusted, so nothing is written into it.'), trust);
    if (chosen === trust) await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(
    (folder) => folder.uri.scheme === 'file' && !host.project.roots.some((root) => root.toString() === folder.uri.toString()),
  );
  const folder = await chooseFolder(host, folders);
  if (folder === undefined) return;
  const title = await vscode.window.showInputBox({
    title: t('Set up a project: title'),
    prompt: t('Title of the novel. Your chapters stay where they are; nothing in them is changed.'),
    value: folder.name,
    validateInput: (text) => (text.trim() === '' ? t('A title is needed.') : undefined),
  });
  if (title === undefined) return;
  const language = await chooseLanguage(host);
  if (language === undefined) return;
  const { askForChapters, moveIntoManuscript } = await import('./find-texts');
  const chapters = await askForChapters(host, folder.uri);
  if (chapters === undefined) return;
  const made = await host.project.create(folder.uri, { title: title.trim(), language, ...(chapters.kind === 'folder' ? { manuscript: chapters.name } : {}) });
  if (!made.ok) return showRefusal(host, made.error);
  if (chapters.kind === 'move' && !(await moveIntoManuscript(folder.uri, chapters.files))) {
    void vscode.window.showWarningMessage(t('The texts could not be moved into 正文/. Nothing was changed; you can drag them there.'));
  }
  await tellMade(host, made.value);
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

async function chooseFolder(host: Host, folders: readonly vscode.WorkspaceFolder[]): Promise<vscode.WorkspaceFolder | undefined> {
  const { t } = host;
  if (folders.length === 0) {
    if (host.project.root !== undefined) {
      void vscode.window.showInformationMessage(t('The project is here already.'));
      return undefined;
    }
    const open = t('Open a folder…');
    const chosen = await vscode.window.showInformationMessage(t('Open the folder of your novel first.'), open);
    if (chosen === open) await vscode.commands.executeCommand('vscode.openFolder');
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
