import * as vscode from 'vscode';
import { pathOfPlace, splitTitle, type Chapter, type ChapterMove } from '../../../engine/index';
import { writableProject } from '../../commands';
import { baseName } from '../../project/paths';
import { applyPlan } from './apply-plan';
import { chapterMeant, type ChapterDesk } from './desk';
import type { ChaptersNode } from './nodes';

type What = 'both' | 'name' | 'heading';

const stemOf = (path: string): string => baseName(path).replace(/\.(?:md|txt)$/i, '');
const extensionOf = (path: string): string => /\.(?:md|txt)$/i.exec(path)?.[0] ?? '';

/** The plan of giving one chapter another title. Numbers in front stay. */
export function renamePlan(chapter: Chapter, title: string, what: What): ChapterMove {
  const { path, heading } = chapter;
  const pathHead = path.slice(0, path.lastIndexOf('/') + 1) + splitTitle(stemOf(path)).head;
  const to = what === 'heading' ? path : pathOfPlace({ pathHead, extension: extensionOf(path) }, title);
  const renamed = heading === undefined || what === 'name' ? undefined : splitTitle(heading).head + title.trim();
  return { from: path, to, ...(heading === undefined || renamed === undefined || renamed === heading ? {} : { heading: { from: heading, to: renamed } }) };
}

/** Asks for another title, and, where the chapter has a heading, what is to carry it. */
export async function renameChapter(desk: ChapterDesk, node: ChaptersNode | undefined): Promise<void> {
  const { host } = desk;
  const { t } = host;
  const project = await writableProject(desk.host);
  const chapter = chapterMeant(desk, node);
  if (project === undefined || chapter === undefined) return;
  const now = splitTitle(chapter.heading ?? stemOf(chapter.path)).title;
  const title = await vscode.window.showInputBox({
    title: t('Rename chapter'),
    prompt: t('The title alone; its number stays'),
    value: now,
    validateInput: (value) => (value.trim() === '' ? t('A chapter needs a title.') : undefined),
  });
  if (title === undefined) return;
  const what = chapter.heading === undefined ? 'name' : await askWhat(desk, chapter, title);
  if (what === undefined) return;
  const move = renamePlan(chapter, title, what);
  if (move.from === move.to && move.heading === undefined) return;
  if (await applyPlan(host, project, [move])) await desk.reveal(move.to);
}

async function askWhat({ host: { t } }: ChapterDesk, chapter: Chapter, title: string): Promise<What | undefined> {
  const preview = renamePlan(chapter, title, 'both');
  const rows: readonly (vscode.QuickPickItem & { readonly what: What })[] = [
    { what: 'both', label: t('File name and heading'), description: t('{file} and “{heading}”', { file: baseName(preview.to), heading: preview.heading?.to ?? chapter.heading ?? '' }) },
    { what: 'heading', label: t('The heading only'), description: preview.heading?.to ?? chapter.heading ?? '' },
    { what: 'name', label: t('The file name only'), description: baseName(preview.to) },
  ];
  return (await vscode.window.showQuickPick(rows, { title: t('Rename chapter'), placeHolder: t('What is to carry the new title?') }))?.what;
}
