import * as vscode from 'vscode';
import { registerCommand, showRefusal } from '../../commands';
import type { Feature, Host } from '../../host';
import { connectLater, showPage } from '../../webviews/page';

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
        registerCommand(host, 'liyuan.chat.rename', () => openInView(controller, 'rename')),
        registerCommand(host, 'liyuan.chat.find', () => openInView(controller, 'find')),
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

/** The view with the focus, and this part of it opened. */
async function openInView(controllerOnce: () => Promise<Controller>, what: 'rename' | 'find'): Promise<void> {
  await vscode.commands.executeCommand(`${chatViewId}.focus`);
  const controller = await controllerOnce();
  await controller.shown;
  controller.open(what);
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
  connectLater(host, view, 'chat', async (port) => {
    const [controller, { createHostConnection }, { chatEvents, chatRequests }] = await Promise.all([
      controllerOnce(),
      import('../../webviews/connection'),
      import('../../../protocol/chat'),
    ]);
    const connection = createHostConnection({ port, requests: chatRequests, events: chatEvents, handlers: controller.handlers, log: host.log });
    const attached = controller.attach({ visible: () => view.visible, post: (name, body, stamp) => { connection.post(name, body, stamp); } });
    return vscode.Disposable.from(attached, connection);
  });

  const badge = (): void => {
    const waiting = host.asks.pending().length;
    view.badge = waiting === 0 ? undefined : { value: waiting, tooltip: host.t('The agent asks something') };
  };
  const stopBadge = host.asks.onDidChange(badge);
  badge();
  view.onDidDispose(() => { stopBadge(); });

  showPage(host, view.webview, 'chat', { media: true });
}
