import * as vscode from 'vscode';
import type { JobView } from '../../../engine/index';
import { registerCommand } from '../../commands';
import type { Feature, Host } from '../../host';
import { codeInWords } from '../../l10n/localise-error';
import { act, openChapter, openDiff, takeBack, undoChapter } from './actions';
import { createJobModel, type JobModel } from './model';
import { startJob } from './start';
import { createJobTree, type JobRow } from './tree';
import { progressWords, resultWords, stateWords } from './words';

export const jobsViewId = 'liyuan.jobs';

type Row = JobRow | undefined;

/** Long jobs: one instruction, chapter by chapter; the list of it, there only while there is one. */
export const jobsFeature: Feature = {
  name: 'jobs',
  register: (host) => {
    const model = createJobModel(host);
    const tree = createJobTree(host, model);
    const view = vscode.window.createTreeView<JobRow>(jobsViewId, { treeDataProvider: tree });
    return vscode.Disposable.from(
      view,
      tree,
      model,
      describe(host, model, view),
      registerCommand(host, 'liyuan.jobs.start', () => startJob(host, model)),
      registerCommand(host, 'liyuan.jobs.pause', () => act(host, ({ engine }) => { engine.jobs.pause(); return engine.jobs.current(); })),
      registerCommand(host, 'liyuan.jobs.stop', () => act(host, async ({ engine }) => { await engine.jobs.stop(); return engine.jobs.current(); })),
      registerCommand(host, 'liyuan.jobs.resume', () => act(host, ({ engine }) => engine.jobs.resume())),
      registerCommand(host, 'liyuan.jobs.retryFailed', () => act(host, ({ engine }) => engine.jobs.retry())),
      registerCommand(host, 'liyuan.jobs.takeBack', () => takeBack(host, model)),
      registerCommand(host, 'liyuan.jobs.close', () => act(host, ({ engine }) => engine.jobs.close())),
      registerCommand(host, 'liyuan.jobs.openChapter', (row: Row) => openChapter(host, row)),
      registerCommand(host, 'liyuan.jobs.openDiff', (row: Row) => openDiff(host, model, row)),
      registerCommand(host, 'liyuan.jobs.undoChapter', (row: Row) => undoChapter(host, row)),
      registerCommand(host, 'liyuan.jobs.retryChapter', async (row: Row) => { if (row !== undefined) await act(host, ({ engine }) => engine.jobs.retry(row.path)); }),
      registerCommand(host, 'liyuan.jobs.skipChapter', async (row: Row) => { if (row !== undefined) await act(host, ({ engine }) => engine.jobs.skip(row.path)); }),
    );
  },
};

/** Progress beside the view's name and in the status bar; a notice when the job ends or cannot go on by itself. */
function describe(host: Host, model: JobModel, view: vscode.TreeView<JobRow>): vscode.Disposable {
  const { t } = host;
  const item = vscode.window.createStatusBarItem('liyuan.jobs', vscode.StatusBarAlignment.Left, 39);
  item.name = t('Liyuan: changing the whole book');
  item.command = 'liyuan.jobs.focus';
  let before: Pick<JobView, 'id' | 'state'> | undefined;
  /** Changes are told in order; the engine is loaded by then. */
  let last: Promise<void> = Promise.resolve();

  const show = async (job: JobView | undefined): Promise<void> => {
    const was = before;
    before = job;
    if (job === undefined) {
      item.hide();
      return;
    }
    const { progressOf } = await import('../../../engine/index');
    const progress = progressOf(job);
    const words = progressWords(t, progress);
    const state = stateWords(t, job);
    const why = job.reason === undefined ? undefined : codeInWords(job.reason, t);
    view.description = words;
    view.message = [job.instruction, state, ...(why === undefined ? [] : [why])].join(' · ');
    item.text = `${job.state === 'running' ? '$(sync~spin)' : '$(debug-pause)'} ${progress.settled}/${progress.total}`;
    item.tooltip = `${job.instruction}\n${state} · ${words}`;
    item.accessibilityInformation = { label: `${t('Liyuan: changing the whole book')}, ${state}, ${words}`, role: 'button' };
    if (job.state === 'running' || job.state === 'paused') item.show();
    else item.hide();
    if (was?.id === job.id && was.state === 'running' && job.state !== 'running') notice(host, job, resultWords(t, job.chapters, progress), why);
  };

  const listener = model.onDidChange((job) => {
    last = last.then(() => show(job)).catch((error: unknown) => { host.log.error('the list of a job was not brought up to date', { error: String(error) }); });
  });
  return vscode.Disposable.from(item, listener);
}

function notice(host: Host, job: JobView, words: string, why: string | undefined): void {
  const { t } = host;
  const tell = async (): Promise<void> => {
    if (job.state === 'finished') {
      const look = t('Show');
      if ((await vscode.window.showInformationMessage(t('Done: {words}', { words }), look)) === look) await vscode.commands.executeCommand('liyuan.jobs.focus');
    } else if (job.state === 'paused' && why !== undefined) {
      const overBudget = job.reason === 'usage.over-budget';
      const resume = overBudget ? t('Go on for today') : t('Resume');
      if ((await vscode.window.showWarningMessage(t('The change of the whole book is paused: {why}', { why }), resume)) !== resume) return;
      if (overBudget) await host.usage.allow({ kind: 'today' });
      await vscode.commands.executeCommand('liyuan.jobs.resume');
    }
  };
  tell().catch((error: unknown) => { host.log.error('a notice was not shown', { error: String(error) }); });
}
