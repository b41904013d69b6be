import * as vscode from 'vscode';
import { registerCommand } from '../../commands';
import type { Feature, Host } from '../../host';
import { webviewPage } from '../../webviews/html';
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
      if (panel !== undefined) return panel.reveal();
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
      { dispose: () => panel?.dispose() },
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
  const { webview } = place;
  const scripts = vscode.Uri.joinPath(host.context.extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [scripts] };
  // Messages that arrive while the rest is being loaded wait for it.
  const listeners = new Set<(message: unknown) => void>();
  const connected = import('./view').then(({ connectNumbersView }) =>
    connectNumbersView(host, counter, {
      visible,
      onDidChangeVisibility,
      port: {
        postMessage: (message) => webview.postMessage(message),
        onDidReceiveMessage: (listener) => {
          listeners.add(listener);
          return new vscode.Disposable(() => listeners.delete(listener));
        },
      },
    }),
  );
  connected.catch((error: unknown) => { host.log.error('the numbers view did not come up', { error: String(error) }); });
  const received = webview.onDidReceiveMessage((message: unknown) => {
    void connected.then(() => { for (const listener of listeners) listener(message); });
  });
  place.onDidDispose(() => {
    received.dispose();
    void connected.then((one) => { one.dispose(); });
  });
  const uri = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(scripts, name)).toString();
  webview.html = webviewPage({
    cspSource: webview.cspSource,
    nonce: host.ids.next().replaceAll('-', ''),
    script: uri('numbers.js'),
    styles: [{ href: uri('codicon.css'), id: 'vscode-codicon-stylesheet' }, { href: uri('numbers.css') }],
    locale: vscode.env.language,
    element: 'liyuan-numbers',
  });
}
