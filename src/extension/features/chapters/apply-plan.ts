import * as vscode from 'vscode';
import type { Arranged, Chapter, ChapterMove, Result } from '../../../engine/index';
import { withCancel } from '../../cancellable';
import { showRefusal } from '../../commands';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { baseName } from '../../project/paths';

interface PlanItem extends vscode.QuickPickItem {
  readonly apply?: true;
}

/** One line for each rename: `003-信 → 004-信`, with its folder when that changes and its heading when that does. */
export function planLines(host: Host, moves: readonly ChapterMove[]): readonly { readonly label: string; readonly detail?: string }[] {
  return moves.map(({ from, to, heading }) => {
    const folder = (path: string): string => path.slice(0, path.lastIndexOf('/'));
    const elsewhere = folder(from) !== folder(to);
    const label = from === to ? baseName(from) : `${baseName(from)}  →  ${elsewhere ? `${baseName(folder(to))}/` : ''}${baseName(to)}`;
    return { label, ...(heading === undefined ? {} : { detail: host.t('Heading: {from} → {to}', heading) }) };
  });
}

/**
 * Shows what would be renamed; nothing is done before the first row is chosen. True: apply. Rows of the plan only tell; Esc leaves all as it is.
 */
export async function confirmPlan(host: Host, title: string, moves: readonly ChapterMove[]): Promise<boolean> {
  const { t } = host;
  const pick = vscode.window.createQuickPick<PlanItem>();
  const files = moves.filter(({ from, to }) => from !== to).length;
  const headings = moves.filter(({ heading }) => heading !== undefined).length;
  const apply: PlanItem = {
    label: `$(check) ${t('Apply')}`,
    description: [t('files renamed: {count}', { count: files }), ...(headings === 0 ? [] : [t('headings changed: {count}', { count: headings })])].join(' · '),
    detail: t('The state of now is kept in the history first; unsaved words go along.'),
    alwaysShow: true,
    apply: true,
  };
  pick.title = title;
  pick.placeholder = t('Look through the new names, then choose Apply; Esc changes nothing');
  pick.matchOnDetail = true;
  pick.items = [apply, { label: t('Old name → new name'), kind: vscode.QuickPickItemKind.Separator }, ...planLines(host, moves)];
  pick.activeItems = [apply];
  return new Promise((resolve) => {
    let answer = false;
    pick.onDidAccept(() => {
      if (pick.activeItems[0]?.apply !== true) return;
      answer = true;
      pick.hide();
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(answer);
    });
    pick.show();
  });
}

/** Plans of this many files or fewer are done before a notification could be read. */
const quickPlan = 20;

function withProgress(host: Host, project: OpenProject, moves: readonly ChapterMove[]): Thenable<Result<Arranged>> {
  return withCancel(host.t('Renaming chapters'), (signal, report) =>
    project.engine.arrange.apply(moves, { signal, progress: (done, total) => { report.report({ increment: 100 / total, message: `${done} / ${total}` }); } }));
}

/** Carries a plan out, with progress and a way to stop, and offers to take it back. False: nothing was done, and why has been told. */
export async function applyPlan(host: Host, project: OpenProject, moves: readonly ChapterMove[]): Promise<boolean> {
  const done = moves.length <= quickPlan ? await project.engine.arrange.apply(moves) : await withProgress(host, project, moves);
  if (!done.ok) {
    if (done.error.code === 'turn.aborted') void vscode.window.showInformationMessage(host.t('Stopped. Every chapter has its former name.'));
    else await showRefusal(host, done.error);
    return false;
  }
  host.signals.checkpointsChanged.fire();
  offerUndo(host, project, done.value, host.t('Chapters changed: {count}', { count: moves.length }));
  return true;
}

/** Says what was done; the button takes it back by restoring the checkpoint before it. */
export function offerUndo(host: Host, project: OpenProject, { before, after }: Arranged, words: string): void {
  const undo = host.t('Undo');
  const offer = async (): Promise<void> => {
    if ((await vscode.window.showInformationMessage(words, undo)) === undo) await takeBack(host, project, before, after);
  };
  offer().catch((error: unknown) => { host.log.error('undo failed', { error: String(error) }); });
}

/** Restores the checkpoint before an arrangement. What was written since would go as well: that is asked first (and kept in the history). */
export async function takeBack(host: Host, project: OpenProject, before: string, after: string): Promise<void> {
  const { t } = host;
  const since = await project.engine.checkpoints.compare(after, 'now');
  if (!since.ok) return showRefusal(host, since.error);
  if (since.value.length > 0) {
    const take = t('Undo');
    const files = since.value.slice(0, 10).map(({ path }) => path).join('\n');
    const detail = t('These files have changed since. They go back as well; what stands in them now is kept in the history:\n{files}', { files });
    if ((await vscode.window.showWarningMessage(t('Undo the change of chapters?'), { modal: true, detail }, take)) !== take) return;
  }
  const restored = await project.engine.restore('files', before);
  if (!restored.ok) return showRefusal(host, restored.error);
  host.signals.checkpointsChanged.fire();
}

/** What a plan needs to know of the chapters. */
export const numbered = (chapters: readonly Chapter[]): readonly { readonly path: string; readonly volume: string; readonly heading?: string }[] =>
  chapters.map(({ path, volume, heading }) => ({ path, volume, ...(heading === undefined ? {} : { heading }) }));
