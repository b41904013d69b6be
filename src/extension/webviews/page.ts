import * as vscode from 'vscode';
import type { Host } from '../host';
import type { MessagePort } from './connection';
import { webviewPage } from './html';

/** Shows a page of `dist/webview` by its name. `media`: pictures of the extension are shown in it too. */
export function showPage({ context, ids }: Pick<Host, 'context' | 'ids'>, webview: vscode.Webview, name: 'chat' | 'numbers' | 'passage' | 'models' | 'usage', { media = false } = {}): void {
  const scripts = vscode.Uri.joinPath(context.extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [scripts, ...(media ? [vscode.Uri.joinPath(context.extensionUri, 'media')] : [])] };
  const uri = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(scripts, file)).toString();
  webview.html = webviewPage({
    cspSource: webview.cspSource,
    nonce: ids.next().replaceAll('-', ''),
    script: uri(`${name}.js`),
    styles: [{ href: uri('codicon.css'), id: 'vscode-codicon-stylesheet' }, { href: uri(`${name}.css`) }],
    locale: vscode.env.language,
    element: `liyuan-${name}`,
  });
}

/**
 * Connects a view with what is still being loaded: messages that arrive meanwhile wait for it. What `connect` gives is disposed of with
 * the view.
 */
export function connectLater(
  host: Pick<Host, 'log'>,
  view: vscode.WebviewView | vscode.WebviewPanel,
  name: 'chat' | 'numbers' | 'models' | 'usage',
  connect: (port: MessagePort) => Promise<vscode.Disposable>,
): void {
  const { webview } = view;
  const listeners = new Set<(message: unknown) => void>();
  const connected = connect({
    postMessage: (message) => webview.postMessage(message),
    onDidReceiveMessage: (listener) => {
      listeners.add(listener);
      return new vscode.Disposable(() => listeners.delete(listener));
    },
  });
  connected.catch((error: unknown) => { host.log.error(`the ${name} view did not come up`, { error: String(error) }); });
  const received = webview.onDidReceiveMessage((message: unknown) => {
    void connected.then(() => { for (const listener of listeners) listener(message); });
  });
  view.onDidDispose(() => {
    received.dispose();
    void connected.then((one) => { one.dispose(); });
  });
}

/** The texts of a page in the language of the editor. */
export const pageStrings = (t: Host['t'], strings: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(strings).map(([key, text]) => [key, t(text)]));
