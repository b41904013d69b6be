import * as vscode from 'vscode';
import type { Host } from '../../host';
import { viewsFor } from './lenses';
import type { ReviewModel } from './model';

/** How many proposals wait, in the status bar; the keys that the commands depend on. */
export function registerStatus(host: Host, model: ReviewModel): vscode.Disposable {
  const { t } = host;
  const item = vscode.window.createStatusBarItem('liyuan.review', vscode.StatusBarAlignment.Left, 40);
  item.name = t('Liyuan: proposals');
  item.command = 'liyuan.review.open';
  const show = (): void => {
    const count = model.views().length;
    const editor = vscode.window.activeTextEditor;
    void vscode.commands.executeCommand('setContext', 'liyuan.review.pending', count > 0);
    void vscode.commands.executeCommand('setContext', 'liyuan.review.here', editor !== undefined && viewsFor(model, editor.document.uri).views.length > 0);
    if (count === 0) return item.hide();
    item.text = `$(git-pull-request-draft) ${t('{count} proposed', { count })}`;
    item.tooltip = t('Files with proposals of the agent that you have not decided on. Click to look at one.');
    item.accessibilityInformation = { label: t('Files with proposals that wait: {count}', { count }) };
    item.show();
  };
  show();
  return vscode.Disposable.from(item, model.onDidChange(show), vscode.window.onDidChangeActiveTextEditor(show));
}
