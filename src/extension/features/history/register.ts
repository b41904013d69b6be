import * as vscode from 'vscode';
import { registerCommand, showRefusal, writableProject } from '../../commands';
import type { Feature, Host } from '../../host';
import { baseName } from '../../project/paths';
import { compareWithNow, createComparison, openAll, openOne } from './compare';
import { askForFilter, openFile, openState, restoreOneFile, showFileHistory } from './files';
import { giveName, setPinned } from './marks';
import type { CheckpointNode, FileNode, HistoryNode } from './nodes';
import { finishOpenRestore, restoreConversation, restoreFile, restoreFiles, restoreTurn } from './restore';
import { createHistoryTree } from './tree';
import { cleanUp, showStoreSize, verifyAll } from './upkeep';

export const historyViewId = 'liyuan.history';

/** The history view and what can be done with a checkpoint. */
export const historyFeature: Feature = {
  name: 'history',
  register: (host) => {
    const tree = createHistoryTree(host);
    const view = vscode.window.createTreeView(historyViewId, { treeDataProvider: tree, showCollapseAll: true, canSelectMany: true });
    const comparison = createComparison(host);
    const onCheckpoint = (id: string, run: (node: CheckpointNode) => unknown): vscode.Disposable =>
      registerCommand(host, id, (node?: HistoryNode) => (node?.kind === 'checkpoint' ? run(node) : undefined));
    const onFile = (id: string, run: (node: FileNode) => unknown): vscode.Disposable =>
      registerCommand(host, id, (node?: HistoryNode) => (node?.kind === 'file' ? run(node) : undefined));
    /** All rows that are chosen, when the one that was clicked is among them. */
    const onCheckpoints = (id: string, run: (nodes: readonly CheckpointNode[]) => unknown): vscode.Disposable =>
      registerCommand(host, id, (node?: HistoryNode, chosen?: readonly HistoryNode[]) => run((chosen ?? [node]).filter((one) => one?.kind === 'checkpoint')));
    offerOpenRestore(host);
    return vscode.Disposable.from(
      view,
      tree,
      host.signals.checkpointsChanged.event(() => { tree.refresh(); }),
      host.project.onDidChange(() => {
        tree.filter(undefined);
        comparison.forget();
        tree.refresh();
        offerOpenRestore(host);
      }),
      tree.onDidFilter((by) => {
        view.description = by === undefined ? '' : host.t('only {name}', { name: baseName(by.path) });
        void vscode.commands.executeCommand('setContext', 'liyuan.history.filtered', by !== undefined);
      }),
      registerCommand(host, 'liyuan.history.refresh', () => { tree.refresh(); }),
      registerCommand(host, 'liyuan.history.showMore', () => { tree.showMore(); }),
      registerCommand(host, 'liyuan.history.createCheckpoint', () => createCheckpoint(host)),
      registerCommand(host, 'liyuan.history.finishRestore', () => finishOpenRestore(host, false)),
      registerCommand(host, 'liyuan.history.filterByFile', async () => {
        const by = await askForFilter(host);
        if (by !== undefined) tree.filter(by);
      }),
      registerCommand(host, 'liyuan.history.clearFilter', () => { tree.filter(undefined); }),
      registerCommand(host, 'liyuan.history.showFileHistory', (of?: vscode.Uri | HistoryNode) => showFileHistory(host, tree, of)),
      registerCommand(host, 'liyuan.history.selectForCompare', (node?: HistoryNode) => comparison.select(node)),
      registerCommand(host, 'liyuan.history.compareWithSelected', (node?: HistoryNode) => comparison.withSelected(node)),
      registerCommand(host, 'liyuan.history.compareTwo', (_node?: HistoryNode, chosen?: readonly HistoryNode[]) => comparison.two(chosen ?? view.selection)),
      registerCommand(host, 'liyuan.history.storeSize', () => showStoreSize(host)),
      registerCommand(host, 'liyuan.history.cleanUp', () => cleanUp(host)),
      registerCommand(host, 'liyuan.history.verify', () => verifyAll(host)),
      onCheckpoints('liyuan.history.pin', (nodes) => setPinned(host, nodes, true)),
      onCheckpoints('liyuan.history.unpin', (nodes) => setPinned(host, nodes, false)),
      onCheckpoint('liyuan.history.giveName', (node) => giveName(host, node)),
      onCheckpoint('liyuan.history.openState', (node) => openState(host, node)),
      onCheckpoint('liyuan.history.restoreOneFile', (node) => restoreOneFile(host, node)),
      onCheckpoint('liyuan.history.restoreFiles', ({ record }) => restoreFiles(host, record)),
      onCheckpoint('liyuan.history.restoreTurn', ({ record }) => restoreTurn(host, record)),
      onCheckpoint('liyuan.history.restoreConversation', ({ record }) => restoreConversation(host, record)),
      onCheckpoint('liyuan.history.compareWithNow', ({ record, only }) => compareWithNow(host, record.id, only)),
      onCheckpoint('liyuan.history.openAllDiffs', (node) => openAll(host, node)),
      onFile('liyuan.history.openFile', (node) => openFile(host, node)),
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
  const project = await writableProject(host);
  if (project === undefined) return;
  const message = await vscode.window.showInputBox({ title: t('Create a checkpoint'), prompt: t('A few words to find it by; may be empty'), placeHolder: t('e.g. before the rewrite of volume two') });
  if (message === undefined) return;
  const { checkpoints } = project.engine;
  const name = message.trim();
  const taken = await checkpoints.take({ author: 'user', message: name === '' ? t('Checkpoint') : name });
  if (!taken.ok) return showRefusal(host, taken.error);
  if (taken.value === undefined) {
    // The state is kept already: what was to be said of it becomes its name.
    const head = await checkpoints.head();
    if (!head.ok) return showRefusal(host, head.error);
    const named = name === '' || head.value === undefined ? undefined : await checkpoints.mark(head.value.id, { name });
    if (named?.ok === false) return showRefusal(host, named.error);
    void vscode.window.showInformationMessage(
      named === undefined ? t('Nothing has changed since the newest checkpoint.') : t('Nothing has changed since the newest checkpoint, so it carries this name now: “{name}”.', { name }),
    );
  }
  host.signals.checkpointsChanged.fire();
}
