import * as vscode from 'vscode';
import type { CheckpointRecord, ConversationRestored, EngineError, FileChange, RestoreKind, Result } from '../../../engine/index';
import { showRefusal, writableProject } from '../../commands';
import type { Host } from '../../host';
import { localiseError } from '../../l10n/localise-error';
import type { OpenProject } from '../../project/active-project';
import { withBusyNotice } from './busy-notice';
import { whenOf } from './items';
import { planWords } from './plan-words';

async function confirmed(question: string, detail: string, button: string): Promise<boolean> {
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

async function refused(host: Host, error: EngineError): Promise<undefined> {
  await showRefusal(host, error);
  return undefined;
}

/** (a): the project's texts as at the checkpoint. */
export async function restoreFiles(host: Host, record: CheckpointRecord): Promise<void> {
  const project = await writableProject(host);
  if (project === undefined) return;
  const plan = await project.engine.checkpoints.planRestore(record.id);
  if (!plan.ok) return refused(host, plan.error);
  await restore(host, project, 'files', record, plan.value.files, host.t('Restore all files to “{message}” ({when})?', { message: record.message, when: whenOf(record) }));
}

/** (b): files and conversation as before the checkpoint's turn. */
export async function restoreTurn(host: Host, record: CheckpointRecord): Promise<void> {
  const project = await writableProject(host);
  if (project === undefined) return;
  if (record.turn === undefined) return refused(host, { code: 'checkpoint.no-turn' });
  const before = await project.engine.checkpoints.before({ sessionId: record.turn.sessionId, userEntryId: record.turn.userEntryId });
  if (!before.ok) return refused(host, before.error);
  const plan = await project.engine.checkpoints.planRestore(before.value.id);
  if (!plan.ok) return refused(host, plan.error);
  await restore(host, project, 'files-and-conversation', record, plan.value.files, host.t('Go back to before the turn “{message}”, files and conversation?', { message: record.message }));
}

/** (d): the conversation alone goes back to before the checkpoint's turn. */
export async function restoreConversation(host: Host, record: CheckpointRecord): Promise<void> {
  const { t } = host;
  const project = await writableProject(host);
  if (project === undefined) return;
  if (record.turn === undefined) return refused(host, { code: 'checkpoint.no-turn' });
  const detail = t('The conversation goes back to before that turn; what you said then returns to the box. No file changes. What was said since is kept on its own branch.');
  if (!(await confirmed(t('Take the conversation back to before “{message}”?', { message: record.message }), detail, t('Restore')))) return;
  await carryOut(host, project, 'conversation', record);
}

async function restore(host: Host, project: OpenProject, kind: RestoreKind, record: CheckpointRecord, files: readonly FileChange[], question: string): Promise<void> {
  if (kind === 'files' && files.length === 0) {
    void vscode.window.showInformationMessage(host.t('The files are already as they were then.'));
    return;
  }
  if (!(await confirmed(question, planWords(host.t, files, kind !== 'files'), host.t('Restore')))) return;
  await carryOut(host, project, kind, record);
}

async function carryOut(host: Host, project: OpenProject, kind: RestoreKind, record: CheckpointRecord): Promise<void> {
  const done: Result<ConversationRestored> = await withBusyNotice(host, host.t('Restoring…'), () => project.engine.restore(kind, record.id));
  host.signals.checkpointsChanged.fire();
  if (!done.ok) return refused(host, done.error);
  if (kind !== 'files' && record.turn !== undefined) {
    const { words, mentions } = done.value;
    host.signals.conversationMoved.fire({ sessionId: record.turn.sessionId, ...(words === undefined ? {} : { words }), ...(mentions === undefined ? {} : { mentions }) });
  }
  host.log.info('restored', { kind, checkpoint: record.id, files: done.value.files?.files.length ?? 0 });
}

/** What was asked for and done is said in passing, in ms. */
const toldMs = 5_000;

/** (c): one file as at the checkpoint. */
export async function restoreFile(host: Host, record: CheckpointRecord, path: string): Promise<void> {
  const { t } = host;
  const project = await writableProject(host);
  if (project === undefined) return;
  const plan = await project.engine.checkpoints.planRestore(record.id, { path });
  if (!plan.ok) return refused(host, plan.error);
  if (plan.value.files.length === 0) {
    void vscode.window.showInformationMessage(t('This file is already as it was then.'));
    return;
  }
  const question = t('Restore {path} to “{message}” ({when})?', { path, message: record.message, when: whenOf(record) });
  if (!(await confirmed(question, planWords(t, plan.value.files, false), t('Restore')))) return;
  const done = await withBusyNotice(host, t('Restoring…'), () => project.engine.checkpoints.restore(record.id, { path }));
  host.signals.checkpointsChanged.fire();
  if (!done.ok) return showRefusal(host, done.error);
  vscode.window.setStatusBarMessage(t('Restored: {path}', { path }), toldMs);
}

/** A restore that a crash left open: finished or undone as the person decides. `uninvited`: nothing is said when there is none. */
export async function finishOpenRestore(host: Host, uninvited: boolean): Promise<void> {
  const { t } = host;
  const project = await host.project.opened();
  if (!project.ok || project.value.readOnly) return;
  const open = await project.value.engine.checkpoints.openRestore();
  if (!open.ok) {
    host.log.warn('open restore could not be looked for', { code: open.error.code });
    return;
  }
  if (open.value === undefined) {
    if (!uninvited) void vscode.window.showInformationMessage(t('There is no unfinished restore.'));
    return;
  }
  const finish = t('Finish it');
  const undo = t('Undo it');
  const chosen = await vscode.window.showWarningMessage(t('A restore was interrupted. Finish it, or put everything back as it was before it?'), finish, undo);
  if (chosen === undefined) return;
  const done = await project.value.engine.checkpoints.finishRestore(open.value.id, chosen === finish ? 'finish' : 'undo');
  host.signals.checkpointsChanged.fire();
  if (!done.ok) await offerLeaving(host, project.value, open.value.id, done.error);
}

/** Neither end can be had, e.g. because a stored text is gone: then the files may stay as they are, so that other restores go on. */
async function offerLeaving(host: Host, project: OpenProject, id: string, error: EngineError): Promise<void> {
  const { t } = host;
  host.log.warn('an open restore cannot be ended', { code: error.code });
  const leave = t('Leave the files as they are');
  const chosen = await vscode.window.showWarningMessage(localiseError(error, t), leave);
  if (chosen !== leave) return;
  const left = await project.engine.checkpoints.finishRestore(id, 'leave');
  host.signals.checkpointsChanged.fire();
  if (!left.ok) await showRefusal(host, left.error);
}
