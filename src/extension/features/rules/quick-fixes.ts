import * as vscode from 'vscode';
import type { Host } from '../../host';
import { ForbiddenMark } from './forbidden-marks';

/** What may stand instead of a forbidden word, and the way to the list. */
export function registerForbiddenFixes(host: Host): vscode.Disposable {
  const { t } = host;
  const kind = vscode.CodeActionKind.QuickFix;

  function fixesOf(document: vscode.TextDocument, mark: ForbiddenMark): vscode.CodeAction[] {
    const replacements = mark.instead.map((instead, at) => {
      const action = new vscode.CodeAction(t('Replace by “{instead}”', { instead }), kind);
      action.edit = new vscode.WorkspaceEdit();
      action.edit.replace(document.uri, mark.range, instead);
      action.diagnostics = [mark];
      action.isPreferred = at === 0;
      return action;
    });
    const open = new vscode.CodeAction(t('Open the forbidden words'), kind);
    open.command = { command: 'liyuan.rules.openForbidden', title: open.title };
    open.diagnostics = [mark];
    return [...replacements, open];
  }

  return vscode.languages.registerCodeActionsProvider(
    { pattern: '**/*.md' },
    {
      provideCodeActions: (document, range) =>
        vscode.languages
          .getDiagnostics(document.uri)
          .filter((mark): mark is ForbiddenMark => mark instanceof ForbiddenMark && mark.range.intersection(range) !== undefined)
          .flatMap((mark) => fixesOf(document, mark)),
    },
    { providedCodeActionKinds: [kind] },
  );
}
