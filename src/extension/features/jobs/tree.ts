import * as vscode from 'vscode';
import type { JobChapter, JobChapterState, JobView } from '../../../engine/index';
import type { Host } from '../../host';
import { codeInWords } from '../../l10n/localise-error';
import type { JobModel } from './model';
import { chapterWords } from './words';

/** A row: one chapter of the job. */
export type JobRow = JobChapter;

const icons: Readonly<Record<JobChapterState, readonly [icon: string, color?: string]>> = {
  waiting: ['circle-outline'],
  running: ['sync~spin'],
  done: ['pass', 'testing.iconPassed'],
  skipped: ['circle-slash'],
  failed: ['error', 'testing.iconFailed'],
  undone: ['discard'],
};

/** What can be done with a row, for the menus. */
function contextOf({ state, added, removed }: JobRow): string {
  if (state === 'failed') return (added ?? 0) + (removed ?? 0) > 0 ? 'failed.changed' : 'failed';
  return state;
}

export function createJobTree(host: Host, model: JobModel): vscode.TreeDataProvider<JobRow> & vscode.Disposable {
  const { t } = host;
  const changed = new vscode.EventEmitter<JobRow | undefined>();
  const listener = model.onDidChange(() => { changed.fire(undefined); });
  const why = (code: string): string => codeInWords(code, t) ?? code;

  const item = (row: JobRow, job: JobView | undefined): vscode.TreeItem => {
    const { path, title, state } = row;
    const running = job?.state === 'running';
    const words = chapterWords(t, row, running, why);
    const [icon, color] = state === 'running' && !running ? (['debug-pause'] as const) : icons[state];
    const made = new vscode.TreeItem(title);
    made.id = path;
    made.description = words;
    made.tooltip = `${path}\n${words}`;
    made.iconPath = new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
    made.contextValue = contextOf(row);
    made.accessibilityInformation = { label: `${title}, ${words}` };
    const has = made.contextValue === 'done' || made.contextValue === 'failed.changed';
    made.command = { command: has ? 'liyuan.jobs.openDiff' : 'liyuan.jobs.openChapter', title: t('Open'), arguments: [row] };
    return made;
  };

  return {
    onDidChangeTreeData: changed.event,
    getTreeItem: (row) => item(row, model.job),
    getChildren: (row) => (row === undefined ? [...(model.job?.chapters ?? [])] : []),
    getParent: () => undefined,
    dispose: () => {
      listener.dispose();
      changed.dispose();
    },
  };
}
