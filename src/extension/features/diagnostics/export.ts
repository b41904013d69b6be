import os from 'node:os';
import * as vscode from 'vscode';
import type { Diagnosis } from '../../../engine/index';
import { withCancel } from '../../cancellable';
import type { Host } from '../../host';
import { diagnosticsReport, type ReportInput } from './report';

interface Manifest {
  readonly version: string;
  readonly contributes: { readonly configuration: readonly { readonly properties: Readonly<Record<string, unknown>> }[] };
}

/** Writes the report where the person says (`target`: asked for already) and offers to open it. Nothing is sent anywhere. */
export async function exportDiagnostics(host: Host, target?: vscode.Uri): Promise<void> {
  const { t } = host;
  const day = new Date(host.clock.now()).toISOString().slice(0, 10);
  const file =
    target ??
    (await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.joinPath(vscode.Uri.file(os.homedir()), `liyuan-diagnostics-${day}.json`),
      filters: { JSON: ['json'] },
      title: t('Export Diagnostics'),
    }));
  if (file === undefined) return;
  const report = await withCancel(t('Collecting diagnostics…'), async (signal) => {
    const input = await collect(host, signal);
    return signal.aborted ? undefined : diagnosticsReport(input);
  });
  if (report === undefined) return;
  await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(report));
  const open = t('Open');
  void vscode.window
    .showInformationMessage(t('Diagnostics are in {file}. They hold names of files, but no text of yours and no keys; nothing was sent.', { file: file.fsPath }), open)
    .then((chosen) => (chosen === open ? vscode.window.showTextDocument(file) : undefined));
}

async function collect(host: Host, signal: AbortSignal): Promise<ReportInput> {
  const manifest = host.context.extension.packageJSON as Manifest;
  const config = vscode.workspace.getConfiguration();
  const names = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  const opened = await host.project.opened();
  let diagnosis: Diagnosis | undefined;
  let project: ReportInput['project'] = 'none';
  if (opened.ok) {
    const { engine, documents } = opened.value;
    diagnosis = await engine.diagnose(signal);
    project = { language: engine.project.config.language, folders: engine.project.rules.roots.length, dirty: documents.dirty().length };
  } else if (opened.error.code !== 'project.none') {
    project = { error: opened.error.code };
  }
  return {
    at: host.clock.now(),
    versions: {
      liyuan: manifest.version,
      editor: `${vscode.env.appName} ${vscode.version}`,
      node: process.version,
      platform: `${process.platform} ${process.arch} ${os.release()}`,
      ui: vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop',
      remote: vscode.env.remoteName ?? '',
      language: vscode.env.language,
    },
    settings: Object.fromEntries(names.map((name) => [name, config.get(name)])),
    trusted: vscode.workspace.isTrusted,
    project,
    diagnosis,
    events: host.log.recent(),
  };
}
