import * as vscode from 'vscode';
import type { JobView } from '../../../engine/index';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';

/** The job of the window's project, for who shows it. */
export interface JobModel extends vscode.Disposable {
  readonly job: JobView | undefined;
  readonly onDidChange: vscode.Event<JobView | undefined>;
  /** Follows the jobs of a project that has been opened. */
  follow(project: OpenProject): Promise<void>;
}

/** Light: a project is opened for it only when a list lies there. */
export function createJobModel(host: Host): JobModel {
  const changed = new vscode.EventEmitter<JobView | undefined>();
  let job: JobView | undefined;
  let followed: OpenProject | undefined;
  let stop: (() => void) | undefined;

  const show = (next: JobView | undefined): void => {
    const before = job;
    job = next;
    const has = (...states: readonly string[]): boolean => next?.chapters.some(({ state }) => states.includes(state)) ?? false;
    void vscode.commands.executeCommand('setContext', 'liyuan.jobs.any', next !== undefined);
    void vscode.commands.executeCommand('setContext', 'liyuan.jobs.running', next?.state === 'running');
    void vscode.commands.executeCommand('setContext', 'liyuan.jobs.paused', next?.state === 'paused');
    void vscode.commands.executeCommand('setContext', 'liyuan.jobs.failed', has('failed'));
    void vscode.commands.executeCommand('setContext', 'liyuan.jobs.changed', has('done', 'failed'));
    tellOthers(host, before, next);
    changed.fire(next);
  };

  function leave(): void {
    stop?.();
    stop = undefined;
    followed = undefined;
    show(undefined);
  }

  async function follow(project: OpenProject): Promise<void> {
    if (followed?.engine === project.engine) return;
    stop?.();
    followed = project;
    stop = project.engine.jobs.onChange(show);
    const now = await project.engine.jobs.current();
    if (followed.engine !== project.engine) return;
    if (now.ok) show(now.value);
    else host.log.warn('the list of a job could not be read', { code: now.error.code });
  }

  async function look(): Promise<void> {
    const { root } = host.project;
    if (root === undefined || !(await hasList(root))) return;
    const opened = await host.project.opened();
    if (opened.ok) await follow(opened.value);
  }
  const lookNow = (): void => {
    look().catch((error: unknown) => { host.log.warn('jobs could not be looked for', { error: String(error) }); });
  };

  void host.project.settled.then(lookNow);
  const subscriptions = [
    changed,
    host.project.onDidChange(() => {
      leave();
      lookNow();
    }),
    host.project.beforeClose(async () => { await followed?.engine.jobs.stop(); }),
  ];
  return {
    get job() { return job; },
    onDidChange: changed.event,
    follow,
    dispose: () => {
      stop?.();
      for (const one of subscriptions) one.dispose();
    },
  };
}

async function hasList(root: vscode.Uri): Promise<boolean> {
  try {
    const found = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(root, '.liyuan', 'local', 'jobs'));
    return found.some(([name]) => name.endsWith('.json'));
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return false;
    throw error;
  }
}

/** A chapter's turn has begun or ended: the views of checkpoints and places follow. */
function tellOthers(host: Host, before: JobView | undefined, now: JobView | undefined): void {
  if (now === undefined) return;
  const running = (job: JobView | undefined): string | undefined => job?.chapters.find(({ state }) => state === 'running')?.path;
  const [was, is] = [running(before), running(now)];
  if (was === is) return;
  if (was !== undefined) host.signals.checkpointsChanged.fire();
  if (is !== undefined && now.state === 'running') host.signals.turnStarted.fire();
}
