import * as vscode from 'vscode';
import { registerCommand } from '../../commands';
import type { Feature } from '../../host';
import { connectLater, showPage } from '../../webviews/page';

const pageId = 'liyuan.usage.page';

/** What calls to models have taken: a page of its own, and its files. */
export const usageFeature: Feature = {
  name: 'usage',
  register: (host) => {
    let panel: vscode.WebviewPanel | undefined;
    const open = (): void => {
      if (panel !== undefined) {
        panel.reveal();
        return;
      }
      const made = vscode.window.createWebviewPanel(pageId, host.t('Usage'), vscode.ViewColumn.Active);
      made.onDidDispose(() => { panel = undefined; });
      panel = made;
      connectLater(host, made, 'usage', async (port) =>
        (await import('./view')).connectUsagePage(host, { visible: () => made.visible, onDidChangeVisibility: (listener) => made.onDidChangeViewState(listener), port }));
      showPage(host, made.webview, 'usage');
    };
    return vscode.Disposable.from(
      registerCommand(host, 'liyuan.usage.open', open),
      registerCommand(host, 'liyuan.usage.export', async (target?: unknown) =>
        (await import('./export')).exportUsage(host, target instanceof vscode.Uri && target.path.endsWith('.csv') ? 'csv' : 'json', target instanceof vscode.Uri ? target : undefined)),
      { dispose: () => { panel?.dispose(); } },
    );
  },
};
