import * as vscode from 'vscode';
import type { Translate } from '../l10n/translate';
import type { LanguageModels } from './language-models';
import { vscodeLanguageModels } from './vscode-language-models';
import { vscodeModelRows } from './vscode-model-rows';
import type { ChosenVscodeModel } from './vscode-model-rows';

export type { ChosenVscodeModel };

interface ModelItem extends vscode.QuickPickItem {
  readonly chosen?: ChosenVscodeModel;
}

/** Lets the person choose one of VS Code's own models; `undefined` when they do not. Sends nothing to any of them. */
export async function pickVscodeModel({ t, models = vscodeLanguageModels }: { readonly t: Translate; readonly models?: LanguageModels }): Promise<ChosenVscodeModel | undefined> {
  const number = new Intl.NumberFormat(vscode.env.language);
  const rows = async (): Promise<readonly ModelItem[]> => {
    const all = vscodeModelRows(await models.select(), t, (value) => number.format(value));
    if (all.length === 0) return [{ label: t('$(info) VS Code offers no models now'), detail: t('Sign in to GitHub Copilot, or add models in VS Code (“Manage Language Models”), then try again.') }];
    return all.flatMap(({ vendor, ...row }, at): readonly ModelItem[] => [
      ...(all[at - 1]?.vendor === vendor ? [] : [{ label: vendor, kind: vscode.QuickPickItemKind.Separator }]),
      row,
    ]);
  };
  const picked = await vscode.window.showQuickPick(rows(), {
    title: t('Models of VS Code'),
    placeHolder: t('VS Code asks once, when you first send a message, whether Liyuan may use the model'),
    matchOnDetail: true,
  });
  return picked?.chosen;
}
