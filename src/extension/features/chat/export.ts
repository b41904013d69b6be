import * as vscode from 'vscode';
import type { Host } from '../../host';
import type { ChatController } from './controller';
import { conversationMarkdown } from './conversation-markdown';
import { fileNameOf } from './titles';

interface Exported {
  readonly title: string;
  readonly text: string;
}

/** The conversation that is shown, as Markdown; nothing, and the person is told, where there is none. */
async function exported(host: Host, controller: ChatController): Promise<Exported | undefined> {
  const { t } = host;
  const chat = await controller.shownChat();
  if (chat === undefined || chat.items().length === 0) {
    void vscode.window.showInformationMessage(t('There is no conversation here yet.'));
    return undefined;
  }
  const format = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  const title = chat.session.title();
  return { title, text: conversationMarkdown(chat.items(), { t, title, createdAt: chat.session.header.createdAt, time: (ts) => format.format(ts) }) };
}

/** Asks where, and writes the conversation there. */
export async function exportConversation(host: Host, controller: ChatController): Promise<void> {
  const { t } = host;
  const found = await exported(host, controller);
  if (found === undefined) return;
  const { root } = host.project;
  const name = `${fileNameOf(found.title === '' ? t('Untitled conversation') : found.title)}.md`;
  const target = await vscode.window.showSaveDialog({
    title: t('Export the conversation'),
    ...(root === undefined ? {} : { defaultUri: vscode.Uri.joinPath(root, name) }),
    filters: { Markdown: ['md'] },
  });
  if (target === undefined) return;
  try {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(found.text));
  } catch (error) {
    host.log.error('a conversation could not be exported', { error: String(error) });
    void vscode.window.showErrorMessage(t('The conversation could not be written to {path}.', { path: target.fsPath }));
    return;
  }
  const open = t('Open');
  const chosen = await vscode.window.showInformationMessage(t('The conversation was exported to {path}.', { path: target.fsPath }), open);
  if (chosen === open) await vscode.commands.executeCommand('vscode.open', target);
}

/** The conversation in an editor of its own, not saved anywhere. */
export async function exportUntitled(host: Host, controller: ChatController): Promise<void> {
  const found = await exported(host, controller);
  if (found === undefined) return;
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: found.text });
  await vscode.window.showTextDocument(document);
}

/** The conversation on the clipboard. */
export async function copyConversation(host: Host, controller: ChatController): Promise<void> {
  const found = await exported(host, controller);
  if (found === undefined) return;
  await vscode.env.clipboard.writeText(found.text);
  vscode.window.setStatusBarMessage(host.t('The conversation is on the clipboard.'), 4_000);
}
