import * as vscode from 'vscode';
import type { FileChange, Result } from '../../../engine/index';
import { showRefusal, writableProject } from '../../commands';
import { openDiffs } from '../../diffs/diffs';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { uriIn } from '../../project/uris';
import type { JobModel } from './model';
import type { JobRow } from './tree';

/** A command of the list; what it is refused is told. */
export async function act(host: Host, f: (project: OpenProject) => Promise<Result<unknown>>): Promise<void> {
  const project = await writableProject(host);
  if (project === undefined) return;
  const done = await f(project);
  if (!done.ok) await showRefusal(host, done.error);
  host.signals.checkpointsChanged.fire();
}

export async function openChapter(host: Host, row: JobRow | undefined): Promise<void> {
  const { root } = host.project;
  if (root !== undefined && row !== undefined) await vscode.window.showTextDocument(uriIn(root, row.path), { preview: true, preserveFocus: true });
}

/** What the chapter's turn changed; what it proposes is looked at where it is decided on. */
export async function openDiff(host: Host, model: JobModel, row: JobRow | undefined): Promise<void> {
  const { job } = model;
  const turnId = row?.turnId;
  const project = await host.project.opened();
  if (!project.ok || job === undefined || row === undefined || turnId === undefined) return;
  const { review } = project.value.engine;
  const [proposal] = row.proposed === true ? await review.rows(job.sessionId, turnId) : [];
  if (proposal !== undefined) {
    await vscode.commands.executeCommand('liyuan.review.open', proposal.id);
    return;
  }
  const changes = await changesOfTurn(project.value, turnId);
  if (!changes.ok) return showRefusal(host, changes.error);
  await openDiffs(project.value, changes.value, { what: job.instruction }, host.t, { keepFocus: true });
}

async function changesOfTurn({ engine }: OpenProject, turnId: string): Promise<Result<readonly FileChange[]>> {
  const records = await engine.checkpoints.records();
  if (!records.ok) return records;
  const changes: FileChange[] = [];
  for (const { id } of records.value.filter(({ author, turn }) => author === 'agent' && turn?.userEntryId === turnId)) {
    const one = await engine.checkpoints.changesOf(id);
    if (!one.ok) return one;
    changes.push(...one.value);
  }
  return { ok: true, value: changes };
}

/** Takes one chapter's turn back. The author's own words since then stay; where they are the same words, that is said. */
export async function undoChapter(host: Host, row: JobRow | undefined): Promise<void> {
  if (row === undefined) return;
  await act(host, async ({ engine }) => {
    const undone = await engine.jobs.undo(row.path);
    if (undone.ok && undone.value.conflicts.length > 0) {
      void vscode.window.showWarningMessage(host.t('You have changed some of the same words since; those places were left as they are: {count}', { count: undone.value.conflicts.length }));
    }
    return undone;
  });
}

/** All files as before the job: asked, with what else would go back. */
export async function takeBack(host: Host, model: JobModel): Promise<void> {
  const { t } = host;
  const { job } = model;
  const project = await writableProject(host);
  if (project === undefined || job === undefined) return;
  const plan = await project.engine.checkpoints.planRestore(job.before);
  if (!plan.ok) return showRefusal(host, plan.error);
  const own = new Set(job.chapters.filter(({ added, removed }) => added !== undefined || removed !== undefined).map(({ path }) => path));
  const others = plan.value.files.filter(({ path }) => !own.has(path)).map(({ path }) => path);
  const detail = [
    t('{count} files go back to how they were before this job began. What you have written in them since goes back as well; it is kept in the history as a checkpoint.', { count: plan.value.files.length }),
    ...(others.length === 0 ? [] : [t('Files that this job did not change are among them:\n{files}', { files: others.slice(0, 10).join('\n') })]),
  ].join('\n\n');
  const take = t('Take All Back');
  if ((await vscode.window.showWarningMessage(t('Take back all that this job changed?'), { modal: true, detail }, take)) !== take) return;
  await act(host, ({ engine }) => engine.jobs.takeBack());
}
