import * as vscode from 'vscode';
import { showRefusal } from '../../commands';
import type { Host } from '../../host';
import type { Counter } from './counter';
import { numbersCsv } from './csv';

/** Writes the days as CSV where the person says (`target`: asked for already). */
export async function exportNumbers(host: Host, counter: Counter, target?: vscode.Uri): Promise<void> {
  const { t } = host;
  const numbers = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: t('Counting…') }, () => counter.counted());
  if (numbers === undefined) {
    if (counter.error !== undefined) await showRefusal(host, counter.error);
    return;
  }
  const { root } = host.project;
  const file =
    target ??
    (await vscode.window.showSaveDialog({
      ...(root === undefined ? {} : { defaultUri: vscode.Uri.joinPath(root, `${t('words')}-${numbers.today.day}.csv`) }),
      filters: { CSV: ['csv'] },
      title: t('Export Numbers'),
    }));
  if (file === undefined) return;
  const csv = numbersCsv([t('Day'), t('You'), t('Agent'), t('Both')], numbers.days, numbers.today);
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(csv));
  void vscode.window.showInformationMessage(t('The numbers are in {file}.', { file: file.fsPath }));
}
