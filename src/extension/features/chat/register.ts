import * as vscode from 'vscode';
import { registerCommand, showRefusal } from '../../commands';
import type { Feature, Host } from '../../host';
import { webviewPage } from '../../webviews/html';

export const chatViewId = 'liyuan.chat';

type Controller = import('./controller').ChatController;

/** The conversation in the side bar, and the way to it for who is not a view. */
export interface ChatFeature extends Feature {
  /** Made with the first view that is shown, or the first call. */
  controller(): Promise<Controller>;
}

/** Everything heavy is loaded when the view is shown. */
export function createChatFeature(host: Host): ChatFeature {
  let made: Promise<Controller> | undefined;
  const controller = (): Promise<Controller> => (made ??= import('./controller').then(({ createChatController }) => createChatController(host)));
  return {
    name: 'chat',
    controller,
    register: () =>
      vscode.Disposable.from(
        vscode.window.registerWebviewViewProvider(chatViewId, { resolveWebviewView: (view) => { resolve(host, view, controller); } }),
        registerCommand(host, 'liyuan.chat.open', () => vscode.commands.executeCommand(`${chatViewId}.focus`)),
        registerCommand(host, 'liyuan.chat.newSession', async () => {
          await vscode.commands.executeCommand(`${chatViewId}.focus`);
          await (await controller()).handlers.newSession({});
        }),
        registerCommand(host, 'liyuan.chat.mention', (uri: unknown, all: unknown) => mention(host, controller, uri, all)),
        registerCommand(host, 'liyuan.chat.stop', async () => { (await controller()).current()?.stop(); }),
        registerCommand(host, 'liyuan.chat.export', async () => { await (await import('./export')).exportConversation(host, await controller()); }),
        registerCommand(host, 'liyuan.chat.exportUntitled', async () => { await (await import('./export')).exportUntitled(host, await controller()); }),
        registerCommand(host, 'liyuan.chat.copyMarkdown', async () => { await (await import('./export')).copyConversation(host, await controller()); }),
        registerCommand(host, 'liyuan.chat.compact', async () => {
          const [chat, { compactByCommand }] = await Promise.all([controller().then((one) => one.shownChat()), import('./compact')]);
          await compactByCommand(host, chat);
        }),
        registerCommand(host, 'liyuan.log.show', () => { host.channel.show(); }),
        { dispose: () => void made?.then((one) => one.dispose()) },
      ),
  };
}

/** Puts what the command was called on into the input box, with the focus: nothing is sent. */
async function mention(host: Host, controllerOnce: () => Promise<Controller>, uri: unknown, all: unknown): Promise<void> {
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  const { mentionsOn } = await import('./mentions/editor');
  // Looked at before the focus goes away.
  const mentions = mentionsOn(project.value, uri, all);
  if (mentions.length === 0) {
    void vscode.window.showInformationMessage(host.t('This is not a text of the project, so it cannot be mentioned.'));
    return;
  }
  await vscode.commands.executeCommand(`${chatViewId}.focus`);
  (await controllerOnce()).mention(mentions);
}

function resolve(host: Host, view: vscode.WebviewView, controllerOnce: () => Promise<Controller>): void {
  const { webview } = view;
  const root = host.context.extensionUri;
  const scripts = vscode.Uri.joinPath(root, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [scripts, vscode.Uri.joinPath(root, 'media')] };

  // Messages that arrive while the controller is being loaded wait for it.
  const connected = Promise.all([controllerOnce(), import('../../webviews/connection'), import('../../../protocol/chat')]).then(
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
