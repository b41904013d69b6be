import * as vscode from 'vscode';
import type { Host } from '../../host';
import { usageCsv, usageJson } from './export-text';

/** Writes the figures where the person says (`target`: asked for already). */
export async function exportUsage(host: Host, format: 'json' | 'csv', target?: vscode.Uri): Promise<void> {
  const { t } = host;
  const [{ dayOf, speedOf }, store] = await Promise.all([import('../../../engine/index'), host.usage.store()]);
  const name = `liyuan-usage-${dayOf(host.clock.now())}.${format}`;
  const folder = host.project.root;
  const file =
    target ??
    (await vscode.window.showSaveDialog({
      ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
      filters: format === 'json' ? { JSON: ['json'] } : { CSV: ['csv'] },
      title: t('Export Usage'),
    }));
  if (file === undefined) return;
  const [days, calls] = await Promise.all([store.days(), store.calls()]);
  const { version } = host.context.extension.packageJSON as { readonly version: string };
  const text = format === 'csv' ? usageCsv(calls, speedOf) : usageJson(version, days, calls, speedOf);
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(text));
  void vscode.window.showInformationMessage(t('The figures are in {file}. They hold no text and no key.', { file: file.fsPath }));
}
