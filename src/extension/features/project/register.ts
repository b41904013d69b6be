import * as vscode from 'vscode';
import { registerCommand } from '../../commands';
import type { Feature, Host } from '../../host';
import { folderName } from './folder-name';

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
      host.signals.turnStarted.event(() => { void vscode.commands.executeCommand('setContext', 'liyuan.turn.begun', true); }),
      registerCommand(host, 'liyuan.project.create', async () => (await import('./create')).createProject(host)),
      registerCommand(host, 'liyuan.project.createAt', async (at?: unknown) => {
        const create = await import('./create');
        await (at instanceof vscode.Uri ? create.createProjectAt(host, at) : create.createProject(host));
      }),
      registerCommand(host, 'liyuan.project.openSample', async () => (await import('./sample')).openSample(host)),
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
