import * as vscode from 'vscode';
import { registerCommand, showRefusal } from '../../commands';
import { openDiff, openDiffs } from '../../diffs/diffs';
import type { Feature, Host } from '../../host';
import type { HistoryNode } from './nodes';
import { finishOpenRestore, restoreConversation, restoreFile, restoreFiles, restoreTurn } from './restore';
import { createHistoryTree } from './tree';

export const historyViewId = 'liyuan.history';

type CheckpointNode = Extract<HistoryNode, { kind: 'checkpoint' }>;
type FileNode = Extract<HistoryNode, { kind: 'file' }>;

/** The history view and what can be done with a checkpoint. */
export const historyFeature: Feature = {
  name: 'history',
  register: (host) => {
    const tree = createHistoryTree(host);
    const view = vscode.window.createTreeView(historyViewId, { treeDataProvider: tree, showCollapseAll: true });
    const onCheckpoint = (id: string, run: (node: CheckpointNode) => unknown): vscode.Disposable =>
      registerCommand(host, id, (node?: HistoryNode) => (node?.kind === 'checkpoint' ? run(node) : undefined));
    const onFile = (id: string, run: (node: FileNode) => unknown): vscode.Disposable =>
      registerCommand(host, id, (node?: HistoryNode) => (node?.kind === 'file' ? run(node) : undefined));
    offerOpenRestore(host);
    return vscode.Disposable.from(
      view,
      tree,
      host.signals.checkpointsChanged.event(() => { tree.refresh(); }),
      host.project.onDidChange(() => {
        tree.refresh();
        offerOpenRestore(host);
      }),
      registerCommand(host, 'liyuan.history.refresh', () => { tree.refresh(); }),
      registerCommand(host, 'liyuan.history.showMore', () => { tree.showMore(); }),
      registerCommand(host, 'liyuan.history.createCheckpoint', () => createCheckpoint(host)),
      registerCommand(host, 'liyuan.history.finishRestore', () => finishOpenRestore(host, false)),
      onCheckpoint('liyuan.history.restoreFiles', ({ record }) => restoreFiles(host, record)),
      onCheckpoint('liyuan.history.restoreTurn', ({ record }) => restoreTurn(host, record)),
      onCheckpoint('liyuan.history.restoreConversation', ({ record }) => restoreConversation(host, record)),
      onCheckpoint('liyuan.history.compareWithNow', ({ record }) => compareWithNow(host, record.id, undefined)),
      onCheckpoint('liyuan.history.openAllDiffs', (node) => openAll(host, node)),
      onFile('liyuan.history.restoreFile', ({ record, change }) => restoreFile(host, record, change.path)),
      onFile('liyuan.history.compareFileWithNow', ({ record, change }) => compareWithNow(host, record.id, change.path)),
      onFile('liyuan.history.openDiff', (node) => openOne(host, node)),
    );
  },
};

/** Looked for in the background once the project is known; asks only when there is one. */
function offerOpenRestore(host: Host): void {
  const look = async (): Promise<void> => {
    await host.project.settled;
    if (host.project.root !== undefined) await finishOpenRestore(host, true);
  };
  look().catch((error: unknown) => { host.log.error('open restore not looked for', { error: String(error) }); });
}

async function createCheckpoint(host: Host): Promise<void> {
  const { t } = host;
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  if (project.value.readOnly) return showRefusal(host, { code: 'workspace.untrusted' });
  const message = await vscode.window.showInputBox({ title: t('Create a checkpoint'), prompt: t('A few words to find it by; may be empty'), placeHolder: t('e.g. before the rewrite of volume two') });
  if (message === undefined) return;
  const taken = await project.value.engine.checkpoints.take({ author: 'user', message: message.trim() === '' ? t('Checkpoint') : message.trim() });
  if (!taken.ok) return showRefusal(host, taken.error);
  host.signals.checkpointsChanged.fire();
  if (taken.value === undefined) void vscode.window.showInformationMessage(t('Nothing has changed since the newest checkpoint.'));
}

async function openOne(host: Host, { record, change }: FileNode): Promise<void> {
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  await openDiff(project.value, change, `${change.path.split('/').at(-1) ?? change.path} (${record.message})`);
}

async function openAll(host: Host, { record }: CheckpointNode): Promise<void> {
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  const changes = await project.value.engine.checkpoints.compare(record.parents[0] ?? null, record.id);
  if (!changes.ok) return showRefusal(host, changes.error);
  await openDiffs(project.value, changes.value, record.message, host.t);
}

async function compareWithNow(host: Host, id: string, path: string | undefined): Promise<void> {
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  const all = await project.value.engine.checkpoints.compare(id, 'now');
  if (!all.ok) return showRefusal(host, all.error);
  const changes = path === undefined ? all.value : all.value.filter((change) => change.path === path || change.from === path);
  await openDiffs(project.value, changes, host.t('then ↔ now'), host.t);
}
