import * as vscode from 'vscode';
import type { Feature, Host } from '../../host';
import { webviewPage } from './html';

export const chatViewId = 'liyuan.chat';

/** The conversation in the side bar. Everything heavy is loaded when the view is shown. */
export const chatFeature: Feature = {
  name: 'chat',
  register: (host) => {
    let controller: Promise<import('./controller').ChatController> | undefined;
    const controllerOnce = (): Promise<import('./controller').ChatController> =>
      (controller ??= import('./controller').then(({ createChatController }) => createChatController(host)));
    return vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(chatViewId, { resolveWebviewView: (view) => { resolve(host, view, controllerOnce); } }),
      vscode.commands.registerCommand('liyuan.chat.open', () => vscode.commands.executeCommand(`${chatViewId}.focus`)),
      vscode.commands.registerCommand('liyuan.chat.newSession', async () => {
        await vscode.commands.executeCommand(`${chatViewId}.focus`);
        await (await controllerOnce()).handlers.newSession({});
      }),
      vscode.commands.registerCommand('liyuan.chat.stop', async () => { (await controllerOnce()).current()?.stop(); }),
      vscode.commands.registerCommand('liyuan.log.show', () => { host.channel.show(); }),
      { dispose: () => void controller?.then((one) => one.dispose()) },
    );
  },
};

function resolve(host: Host, view: vscode.WebviewView, controllerOnce: () => Promise<import('./controller').ChatController>): void {
  const { webview } = view;
  const root = host.context.extensionUri;
  const scripts = vscode.Uri.joinPath(root, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [scripts, vscode.Uri.joinPath(root, 'media')] };

  // Messages that arrive while the controller is being loaded wait for it.
  const connected = Promise.all([controllerOnce(), import('./connection'), import('../../../protocol/chat')]).then(
    ([controller, { createHostConnection }, { chatEvents, chatRequests }]) => {
      const early = listeners;
      const connection = createHostConnection({
        port: {
          postMessage: (message) => webview.postMessage(message),
          onDidReceiveMessage: (listener) => {
            early.add(listener);
            return { dispose: () => { early.delete(listener); } };
          },
        },
        requests: chatRequests,
        events: chatEvents,
        handlers: controller.handlers,
        log: host.log,
        describe: (error) => (error instanceof Error ? error.message : String(error)),
      });
      const attached = controller.attach({ visible: () => view.visible, post: (name, body, stamp) => { connection.post(name, body, stamp); } });
      return vscode.Disposable.from(attached, connection);
    },
  );
  const listeners = new Set<(message: unknown) => void>();
  connected.catch((error: unknown) => { host.log.error('the chat view did not come up', { error: String(error) }); });
  const received = webview.onDidReceiveMessage((message: unknown) => {
    void connected.then(() => { for (const listener of listeners) listener(message); });
  });

  const badge = (): void => {
    const waiting = host.asks.pending().length;
    view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: host.t('The agent asks something') };
  };
  const stopBadge = host.asks.onDidChange(badge);
  badge();

  view.onDidDispose(() => {
    received.dispose();
    stopBadge();
    void connected.then((one) => { one.dispose(); });
  });

  const uri = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(scripts, name)).toString();
  webview.html = webviewPage({
    cspSource: webview.cspSource,
    nonce: host.ids.next().replaceAll('-', ''),
    script: uri('chat.js'),
    styles: [{ href: uri('codicon.css'), id: 'vscode-codicon-stylesheet' }, { href: uri('chat.css') }],
    locale: vscode.env.language,
    element: 'liyuan-chat',
  });
}
