import * as vscode from 'vscode';
import type { Chapter } from '../../../engine/index';
import { showRefusal } from '../../commands';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { pathIn } from '../../project/paths';
import { uriIn } from '../../project/uris';
import type { ChaptersNode } from './nodes';
import type { ChapterStore } from './store';

/** What the commands of the view work with. */
export interface ChapterDesk {
  readonly host: Host;
  readonly store: ChapterStore;
  /** The rows that are chosen. */
  readonly selection: () => readonly ChaptersNode[];
  /** Shows a chapter's row, chosen, without taking the focus. */
  readonly reveal: (path: string) => Promise<void>;
}

/** The chapters as they are this moment. */
export async function chaptersNow(desk: ChapterDesk, project: OpenProject): Promise<readonly Chapter[] | undefined> {
  const chapters = await project.engine.manuscript.chapters();
  if (chapters.ok) return chapters.value;
  await showRefusal(desk.host, chapters.error);
  return undefined;
}

/** The chapters a command is about: the row it was called on and all others chosen with it, those below a volume too; in their order. */
export function chaptersMeant({ store, selection }: ChapterDesk, node: ChaptersNode | undefined, chosen: readonly ChaptersNode[] | undefined): readonly string[] {
  const rows = chosen !== undefined && chosen.length > 0 ? chosen : node !== undefined ? [node] : selection();
  const meant = new Set(
    rows.flatMap((row) => {
      if (row.kind === 'chapter') return [row.path];
      if (row.kind !== 'volume') return [];
      return store.all().filter(({ volume }) => volume === row.path || volume.startsWith(`${row.path}/`)).map(({ path }) => path);
    }),
  );
  return store.all().map(({ path }) => path).filter((path) => meant.has(path));
}

/** The one chapter a command is about: its row, the chosen one, or the one in the editor. */
export function chapterMeant(desk: ChapterDesk, node: ChaptersNode | undefined): Chapter | undefined {
  const row = node ?? desk.selection()[0];
  if (row?.kind === 'chapter' || row?.kind === 'note') return desk.store.known(row.path);
  return node === undefined ? chapterInEditor(desk) : undefined;
}

export function chapterInEditor({ host, store }: ChapterDesk): Chapter | undefined {
  const { root } = host.project;
  const uri = vscode.window.activeTextEditor?.document.uri;
  const path = root === undefined || uri === undefined ? undefined : pathIn(root, uri);
  return path === undefined ? undefined : store.known(path);
}

/** Opens a text of the project where the author asked for it. */
export async function openText(project: OpenProject, path: string, options: vscode.TextDocumentShowOptions = {}): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(uriIn(project.root, path), options);
}
