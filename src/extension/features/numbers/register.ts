import * as vscode from 'vscode';
import { registerCommand } from '../../commands';
import type { Feature, Host } from '../../host';
import { connectLater, showPage } from '../../webviews/page';
import { createCounter, type Counter } from './counter';
import { createStatusBar } from './status-bar';

export const numbersViewId = 'liyuan.numbers';

/** The numbers of a book: status bar, view, tab, export. What counts them is loaded with the first chapter or view that is shown. */
export const numbersFeature: Feature = {
  name: 'numbers',
  register: (host) => {
    const counter = createCounter(host);
    let panel: vscode.WebviewPanel | undefined;
    const openPanel = (): void => {
      if (panel !== undefined) {
        panel.reveal();
        return;
      }
      const made = vscode.window.createWebviewPanel(numbersViewId, host.t('Numbers'), vscode.ViewColumn.Active);
      made.iconPath = vscode.Uri.joinPath(host.context.extensionUri, 'media', 'numbers.svg');
      made.onDidDispose(() => { panel = undefined; });
      panel = made;
      show(host, counter, made, () => made.visible, (listener) => made.onDidChangeViewState(listener));
    };
    return vscode.Disposable.from(
      counter,
      createStatusBar(host, counter),
      vscode.window.registerWebviewViewProvider(numbersViewId, {
        resolveWebviewView: (view) => { show(host, counter, view, () => view.visible, (listener) => view.onDidChangeVisibility(listener)); },
      }),
      registerCommand(host, 'liyuan.numbers.open', openPanel),
      registerCommand(host, 'liyuan.numbers.export', async (target?: unknown) => {
        const { exportNumbers } = await import('./export');
        await exportNumbers(host, counter, target instanceof vscode.Uri ? target : undefined);
      }),
      { dispose: () => { panel?.dispose(); } },
    );
  },
};

/** Shows the numbers in a view or a tab. */
function show(
  host: Host,
  counter: Counter,
  place: vscode.WebviewView | vscode.WebviewPanel,
  visible: () => boolean,
  onDidChangeVisibility: (listener: () => void) => vscode.Disposable,
): void {
  connectLater(host, place, 'numbers', async (port) => (await import('./view')).connectNumbersView(host, counter, { visible, onDidChangeVisibility, port }));
  showPage(host, place.webview, 'numbers');
}
