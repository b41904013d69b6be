import * as vscode from 'vscode';
import { findNotes, isChapter, noteText } from '../../../engine/index';
import { writableProject } from '../../commands';
import { pathIn } from '../../project/paths';
import { openText, type ChapterDesk } from './desk';
import type { ChaptersNode } from './nodes';

/** Writes a note behind the selection (or at the cursor) of the chapter in the editor. One step of undo takes it back. */
export async function addNote(desk: ChapterDesk): Promise<void> {
  const { t } = desk.host;
  const editor = vscode.window.activeTextEditor;
  const project = editor === undefined ? undefined : await writableProject(desk.host);
  if (editor === undefined || project === undefined) return;
  const path = pathIn(project.root, editor.document.uri);
  if (path === undefined || !isChapter(path, project.engine.manuscript.folder)) {
    void vscode.window.showInformationMessage(t('Notes belong to chapters: put the cursor into one first.'));
    return;
  }
  const at = editor.selection.end;
  const version = editor.document.version;
  const words = await vscode.window.showInputBox({
    title: t('Add a note here'),
    prompt: t('Kept in the text as a comment that readers do not see, and that is not counted'),
    placeHolder: t('e.g. too fast; check the tide table'),
  });
  if (words === undefined || words.trim() === '') return;
  // Typed into meanwhile (the agent may have): the selection has moved along by itself.
  const place = editor.document.version === version ? at : editor.selection.end;
  await editor.edit((edit) => { edit.insert(place, noteText(words, project.engine.project.config.language)); });
}

/** Shows a note in its chapter: found by its words, should lines have moved since. */
export async function openNote(desk: ChapterDesk, node: ChaptersNode | undefined): Promise<void> {
  const project = node?.kind === 'note' ? await desk.store.project() : undefined;
  if (node?.kind !== 'note' || project === undefined) return;
  const editor = await openText(project, node.path, { preview: true });
  const text = editor.document.getText();
  const found = findNotes(text);
  const near = found.filter((note) => note.text === node.note.text).sort((a, b) => Math.abs(a.start - node.note.start) - Math.abs(b.start - node.note.start))[0];
  const { start, end } = near ?? found[0] ?? { start: 0, end: 0 };
  const range = new vscode.Range(editor.document.positionAt(start), editor.document.positionAt(end));
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

