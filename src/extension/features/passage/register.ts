import * as vscode from 'vscode';
import type { PassageTask } from '../../../engine/index';
import { registerCommand } from '../../commands';
import type { Feature, Host } from '../../host';
import { pathIn } from '../../project/paths';

type Desk = import('./desk').PassageDesk;

/** What is asked of a selection or at the cursor: its texts are offered beside the chapter and go into it when the author takes one. */
export const passageFeature: Feature = {
  name: 'passage',
  register: (host) => {
    let made: Promise<Desk> | undefined;
    const desk = (): Promise<Desk> => (made ??= import('./desk').then(({ createPassageDesk }) => createPassageDesk(host)));
    const ask = (task: PassageTask) => async (): Promise<void> => (await desk()).ask(task);
    return vscode.Disposable.from(
      registerCommand(host, 'liyuan.passage.rewrite', ask('rewrite')),
      registerCommand(host, 'liyuan.passage.expand', ask('expand')),
      registerCommand(host, 'liyuan.passage.shorten', ask('shorten')),
      registerCommand(host, 'liyuan.passage.continue', ask('continue')),
      registerCommand(host, 'liyuan.passage.alternatives', ask('alternatives')),
      registerCommand(host, 'liyuan.passage.show', async (sessionId: string, turnId: string) => (await desk()).show({ sessionId, userEntryId: turnId })),
      vscode.languages.registerCodeActionsProvider({ scheme: 'file', pattern: '**/*.{md,txt}' }, { provideCodeActions: (document, range) => actions(host, document, range) }, {
        providedCodeActionKinds: [vscode.CodeActionKind.RefactorRewrite],
      }),
      { dispose: () => void made?.then((one) => { one.dispose(); }) },
    );
  },
};

/** The same in the menu of the light bulb, for a selection in a file of the project. */
function actions(host: Host, document: vscode.TextDocument, range: vscode.Range): vscode.CodeAction[] {
  const { root } = host.project;
  if (range.isEmpty || root === undefined || pathIn(root, document.uri) === undefined) return [];
  const { t } = host;
  const entries: readonly (readonly [string, string])[] = [
    [t('Rewrite with Liyuan'), 'liyuan.passage.rewrite'],
    [t('Expand with Liyuan'), 'liyuan.passage.expand'],
    [t('Shorten with Liyuan'), 'liyuan.passage.shorten'],
    [t('Continue from here with Liyuan'), 'liyuan.passage.continue'],
    [t('Say it differently, in three ways'), 'liyuan.passage.alternatives'],
  ];
  return entries.map(([title, command]) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.RefactorRewrite);
    action.command = { command, title };
    return action;
  });
}
