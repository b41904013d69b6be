import * as vscode from 'vscode';
import type { CleanUpPlan, Mark, Verified } from '../../../engine/index';
import { showRefusal, writableProject } from '../../commands';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { withBusyNotice } from './busy-notice';
import { titleOf, whenOf } from './items';
import { badRows, bytesInWords, keptInWords, kindInWords, namedCheckpoint, verifiedInWords } from './upkeep-words';

const size = (bytes: number): string => bytesInWords(bytes, vscode.env.language);

/** How much the project's own folder takes, by what it is for; from there to a clean-up. */
export async function showStoreSize(host: Host): Promise<void> {
  const { t } = host;
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  const found = await project.value.engine.checkpoints.storeSize();
  if (!found.ok) return showRefusal(host, found.error);
  const kinds = found.value.kinds.filter(({ files }) => files > 0);
  const cleaning: vscode.QuickPickItem = { label: `$(trash) ${t('Clean up old checkpoints…')}` };
  const items: vscode.QuickPickItem[] = [
    ...kinds.map(({ kind, files, bytes }) => ({ label: kindInWords(t, kind), description: `${size(bytes)} · ${t('files: {count}', { count: files })}` })),
    ...(project.value.readOnly ? [] : [{ label: '', kind: vscode.QuickPickItemKind.Separator }, cleaning]),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: t('Liyuan’s folder in this project: {size}', { size: size(found.value.bytes) }), placeHolder: '.liyuan/' });
  if (chosen === cleaning) await cleanUp(host);
}

/** Shows what would go and how much is freed; nothing goes unless that is chosen. */
export async function cleanUp(host: Host): Promise<void> {
  const { t } = host;
  const project = await writableProject(host);
  if (project === undefined) return;
  const { engine } = project;
  const plan = await withBusyNotice(host, t('Looking at what could be cleaned up…'), () => engine.checkpoints.planCleanUp());
  if (!plan.ok) return showRefusal(host, plan.error);
  if (plan.value.checkpoints.length === 0 && plan.value.objects === 0) {
    void vscode.window.showInformationMessage(t('There is nothing to clean up. {kept}', { kept: keptInWords(t, plan.value.kept) }));
    return;
  }
  if (!(await confirmed(host, plan.value))) return;
  const done = await withBusyNotice(host, t('Cleaning up…'), () => engine.cleanUp(plan.value.checkpoints.map(({ id }) => id)));
  host.signals.checkpointsChanged.fire();
  if (!done.ok) return showRefusal(host, done.error);
  void vscode.window.showInformationMessage(t('Cleaned up {checkpoints} checkpoints; {size} are free again.', { checkpoints: done.value.checkpoints, size: size(done.value.bytes) }));
}

/** A list of what goes, whose first row keeps everything. Choosing one of the checkpoints in it does nothing. */
async function confirmed(host: Host, plan: CleanUpPlan): Promise<boolean> {
  const { t } = host;
  const cancel: vscode.QuickPickItem = { label: `$(close) ${t('Cancel: keep everything')}`, alwaysShow: true };
  const go: vscode.QuickPickItem = {
    label: `$(trash) ${t('Clean up: {count} checkpoints go, {size} are freed', { count: plan.checkpoints.length, size: size(plan.bytes) })}`,
    detail: t('This cannot be taken back.'),
    alwaysShow: true,
  };
  const items: vscode.QuickPickItem[] = [
    cancel,
    go,
    { label: t('These go'), kind: vscode.QuickPickItemKind.Separator },
    ...plan.checkpoints.map((record) => ({ label: titleOf(t, record), description: whenOf(record) })),
  ];
  for (;;) {
    const chosen = await vscode.window.showQuickPick(items, { title: t('Clean up old checkpoints'), placeHolder: keptInWords(t, plan.kept), ignoreFocusOut: true });
    if (chosen === go) return true;
    if (chosen === undefined || chosen === cancel) return false;
  }
}

/** 「校验」; when it takes longer, with a notice that says how far it is and can be cancelled. */
export async function verifyAll(host: Host): Promise<void> {
  const { t } = host;
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  const stop = new AbortController();
  let report: ((done: number, total: number) => void) | undefined;
  const running = project.value.engine.checkpoints.verify({ signal: stop.signal, progress: (done, total) => report?.(done, total) });
  const found = await withBusyNotice(host, t('Verifying the history…'), () => running, {
    cancel: () => { stop.abort(); },
    shown: (progress) => {
      let told = 0;
      report = (done, total) => {
        const now = (100 * done) / total;
        progress.report({ increment: now - told, message: `${done} / ${total}` });
        told = now;
      };
    },
  });
  if (!found.ok) return showRefusal(host, found.error);
  await tell(host, project.value, found.value);
}

async function tell(host: Host, project: OpenProject, found: Verified): Promise<void> {
  const { t } = host;
  const words = verifiedInWords(t, found);
  if (found.bad.length + found.broken.length === 0) {
    void vscode.window.showInformationMessage(words);
    return;
  }
  const records = await project.engine.checkpoints.list();
  const marks = await project.engine.checkpoints.marks();
  const markOf = (id: string): Mark | undefined => (marks.ok ? marks.value.get(id) : undefined);
  const names = new Map((records.ok ? records.value : []).map((record) => [record.id, namedCheckpoint(titleOf(t, record, markOf(record.id)), whenOf(record))]));
  const rows = badRows(t, found, (id) => names.get(id) ?? id);
  // No titles in the log: they are the author's words.
  for (const { sha, code, checkpoints } of found.bad) host.log.warn('verified: a stored text is bad', { sha, code, checkpoints: checkpoints.map(({ id }) => id).join(' ') });
  for (const id of found.broken) host.log.warn('verified: a checkpoint does not fold', { id });
  const show = t('Show which');
  if ((await vscode.window.showWarningMessage(words, show)) !== show) return;
  await vscode.window.showQuickPick([...rows], { title: words, placeHolder: t('What is damaged, and which checkpoints need it'), matchOnDescription: true, matchOnDetail: true });
}
