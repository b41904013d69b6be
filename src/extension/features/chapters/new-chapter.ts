import * as vscode from 'vscode';
import { newChapterPlace, nextVolumeName, pathOfPlace } from '../../../engine/index';
import { showRefusal, writableProject } from '../../commands';
import { numbered } from './apply-plan';
import { chaptersNow, openText, type ChapterDesk } from './desk';
import { volumesOf, type ChaptersNode } from './nodes';

/** Behind the chapter, at the end of the volume, or at the end of all. */
export interface Where {
  readonly after?: string;
  readonly volume?: string;
}

export const whereOf = (node: ChaptersNode | undefined): Where =>
  node?.kind === 'chapter' || node?.kind === 'note' ? { after: node.path } : node?.kind === 'volume' ? { volume: node.path } : {};

/** Asks for a title and writes an empty chapter by the pattern in use, then opens it. */
export async function newChapter(desk: ChapterDesk, where: Where): Promise<void> {
  const { host } = desk;
  const { t } = host;
  const project = await writableProject(desk.host);
  if (project === undefined) return;
  const chapters = await chaptersNow(desk, project);
  if (chapters === undefined) return;
  const place = newChapterPlace(project.engine.manuscript.folder, numbered(chapters), where);
  const example = (title: string): string => pathOfPlace(place, title.trim());
  const title = await vscode.window.showInputBox({
    title: t('New chapter'),
    prompt: t('The title; the file will be {file}', { file: example('…') }),
    placeHolder: t('Title of the chapter'),
    validateInput: (value) => (example(value).endsWith(`/${place.extension}`) ? t('This chapter needs a title: its name is made of it.') : undefined),
  });
  if (title === undefined) return;
  // A novel that has no headings stays one.
  const withHeading = chapters.length === 0 || chapters.some(({ heading }) => heading !== undefined);
  const heading = `${place.headingHead}${title.trim()}`.trim();
  const path = example(title);
  const text = withHeading && heading !== '' ? `# ${heading}\n\n` : '';
  const created = await project.documents.create(path, text);
  if (!created.ok) return showRefusal(host, created.error);
  const editor = await openText(project, created.value.path);
  const end = editor.document.positionAt(editor.document.getText().length);
  editor.selection = new vscode.Selection(end, end);
  await desk.reveal(created.value.path);
  if (place.inserted) offerRenumber(desk);
}

function offerRenumber({ host }: ChapterDesk): void {
  const renumber = host.t('Renumber…');
  void vscode.window.showInformationMessage(host.t('The new chapter has a number of its own between its neighbours; the later chapters keep theirs.'), renumber).then((chosen) => {
    if (chosen === renumber) void vscode.commands.executeCommand('liyuan.chapters.renumber');
  });
}

/** Asks for the name of a volume, then for its first chapter: a volume is there with the first chapter in it. */
export async function newVolume(desk: ChapterDesk): Promise<void> {
  const name = await askForVolume(desk);
  if (name !== undefined) await newChapter(desk, { volume: name });
}

/** A name for a volume that is not there yet, as a path below the manuscript folder. */
export async function askForVolume(desk: ChapterDesk): Promise<string | undefined> {
  const { host } = desk;
  const { t } = host;
  const project = await writableProject(desk.host);
  if (project === undefined) return undefined;
  const chapters = await chaptersNow(desk, project);
  if (chapters === undefined) return undefined;
  const volumes = volumesOf(chapters);
  const suggested = nextVolumeName(volumes, project.engine.project.config.language);
  const name = await vscode.window.showInputBox({
    title: t('New volume'),
    prompt: t('A volume is a folder; it is made with its first chapter'),
    value: suggested,
    valueSelection: [suggested.length, suggested.length],
    validateInput: (value) => {
      const path = value.trim();
      if (path === '') return t('A volume needs a name.');
      if (volumes.includes(path)) return t('There is a volume of this name already.');
      const normal = project.engine.project.rules.normalise(path);
      return !normal.ok || normal.value !== path || path.startsWith('.') ? t('This name cannot be used for a folder on every system.') : undefined;
    },
  });
  return name?.trim();
}
