import * as vscode from 'vscode';
import { placedAt, placedIn, planOrder, type Chapter, type WantedPlace } from '../../../engine/index';
import { showRefusal, writableProject } from '../../commands';
import { baseName } from '../../project/paths';
import { applyPlan, confirmPlan, numbered } from './apply-plan';
import { chaptersMeant, chaptersNow, type ChapterDesk } from './desk';
import { askForVolume } from './new-chapter';
import { volumesOf, type ChaptersNode } from './nodes';

type Wanted = (chapters: ReturnType<typeof numbered>, folder: string) => readonly WantedPlace[];

/**
 * Brings chapters into another order. What touches more than the chapters that were moved is shown first. True: it was done.
 * `moved`: the chapters that the author took hold of; none: all are to be numbered anew.
 */
async function arrange(desk: ChapterDesk, title: string, moved: readonly string[], wanted: Wanted): Promise<boolean> {
  const { host } = desk;
  const project = await writableProject(desk.host);
  const chapters = project === undefined ? undefined : await chaptersNow(desk, project);
  if (project === undefined || chapters === undefined) return false;
  const { folder } = project.engine.manuscript;
  const all = numbered(chapters);
  const plan = planOrder(folder, all, wanted(all, folder), moved.length === 0 ? 'close' : 'keep');
  if (!plan.ok) {
    await showRefusal(host, plan.error);
    return false;
  }
  if (plan.value.length === 0) {
    if (moved.length === 0) void vscode.window.showInformationMessage(host.t('The chapters are numbered one after the other already.'));
    return false;
  }
  const alone = moved.length > 0 && plan.value.every(({ from }) => moved.includes(from));
  if (!alone && !(await confirmPlan(host, title, plan.value))) return false;
  if (!(await applyPlan(host, project, plan.value))) return false;
  const first = plan.value.find(({ from }) => from === moved[0]);
  if (first !== undefined) await desk.reveal(first.to);
  return true;
}

/** Numbers one after the other, without gaps and insertions, after a preview. */
export async function renumber(desk: ChapterDesk): Promise<void> {
  await arrange(desk, desk.host.t('Renumber chapters'), [], (chapters) => chapters.map(({ path, volume }) => ({ path, volume })));
}

const named = (chapters: readonly Chapter[], paths: readonly string[]): string => {
  const [first = ''] = paths;
  const title = chapters.find(({ path }) => path === first)?.title ?? baseName(first);
  return paths.length > 1 ? `${title} +${paths.length - 1}` : title;
};

/** Chapters take the place of another one. */
export async function moveTo(desk: ChapterDesk, paths: readonly string[], target: string): Promise<boolean> {
  const { t } = desk.host;
  const place = desk.store.known(target)?.title ?? baseName(target);
  const title = t('Move “{chapter}” to the place of “{place}”', { chapter: named(desk.store.all(), paths), place });
  return arrange(desk, title, paths, (chapters) => placedAt(chapters, paths, target));
}

/** Chapters go to the end of a volume. */
export async function moveInto(desk: ChapterDesk, paths: readonly string[], volume: string): Promise<boolean> {
  const { t } = desk.host;
  const title = t('Move “{chapter}” to {volume}', { chapter: named(desk.store.all(), paths), volume: volume === '' ? t('the top level') : volume });
  return arrange(desk, title, paths, (chapters, folder) => placedIn(folder, chapters, paths, volume));
}

/** One place up or down, for who works with the keyboard. */
export async function moveBy(desk: ChapterDesk, node: ChaptersNode | undefined, by: -1 | 1): Promise<void> {
  const [path] = chaptersMeant(desk, node, undefined);
  const all = desk.store.all();
  const target = all[all.findIndex((chapter) => chapter.path === path) + by];
  if (path !== undefined && target !== undefined) await moveTo(desk, [path], target.path);
}

/** Asks for the volume. */
export async function moveToVolume(desk: ChapterDesk, node: ChaptersNode | undefined, chosen: readonly ChaptersNode[] | undefined): Promise<void> {
  const { t } = desk.host;
  const paths = chaptersMeant(desk, node, chosen);
  if (paths.length === 0) return;
  const here = new Set(paths.map((path) => desk.store.known(path)?.volume));
  const others = volumesOf(desk.store.all()).filter((volume) => here.size > 1 || !here.has(volume));
  const top = here.has('') && here.size === 1 ? [] : [{ label: t('The top level'), volume: '' as string | undefined }];
  const rows = [...others.map((volume) => ({ label: volume, volume: volume })), ...top, { label: `$(add) ${t('New volume…')}`, volume: undefined }];
  const row = await vscode.window.showQuickPick(rows, { title: t('Move to volume'), placeHolder: t('The chapters go to its end') });
  const volume = row === undefined ? undefined : (row.volume ?? (await askForVolume(desk)));
  if (volume !== undefined) await moveInto(desk, paths, volume);
}
