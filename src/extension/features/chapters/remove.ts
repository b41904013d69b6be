import * as vscode from 'vscode';
import { showRefusal, writableProject } from '../../commands';
import { baseName } from '../../project/paths';
import { offerUndo } from './apply-plan';
import { chaptersMeant, type ChapterDesk } from './desk';
import type { ChaptersNode } from './nodes';

const namedAtOnce = 10;

/** Deletes chapters after a confirmation; they can be taken back from the history. */
export async function removeChapters(desk: ChapterDesk, node: ChaptersNode | undefined, chosen: readonly ChaptersNode[] | undefined): Promise<void> {
  const { host, store } = desk;
  const { t } = host;
  const paths = chaptersMeant(desk, node, chosen);
  const [first] = paths;
  const project = first === undefined ? undefined : await writableProject(desk.host);
  if (first === undefined || project === undefined) return;
  const titleOf = (path: string): string => store.known(path)?.title ?? baseName(path);
  const remove = t('Delete');
  const question = paths.length === 1 ? t('Delete “{chapter}”?', { chapter: titleOf(first) }) : t('Delete {count} chapters?', { count: paths.length });
  const more = paths.length > namedAtOnce ? [t('… and {count} more', { count: paths.length - namedAtOnce })] : [];
  const list = paths.length === 1 ? [first] : [...paths.slice(0, namedAtOnce).map(titleOf), ...more];
  const detail = [...list, '', t('A checkpoint is taken first: they can be taken back from the history.')].join('\n');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) !== remove) return;
  const done = await project.engine.arrange.remove(paths);
  if (!done.ok) return showRefusal(host, done.error);
  host.signals.checkpointsChanged.fire();
  offerUndo(host, project, done.value, t('Chapters deleted: {count}', { count: paths.length }));
}
