import * as vscode from 'vscode';
import { uriIn } from '../../project/uris';
import { chaptersMeant, type ChapterDesk } from './desk';
import type { ChaptersNode } from './nodes';

export const chaptersMime = 'application/vnd.code.tree.liyuan.chapters';

/**
 * Chapters dropped on a chapter take its place; dropped on a volume they go to its end. What that does to other chapters' numbers is shown
 * before anything happens. Dragged into an editor, a chapter opens.
 */
export function createChapterDrag(desk: ChapterDesk): vscode.TreeDragAndDropController<ChaptersNode> {
  return {
    dragMimeTypes: ['text/uri-list'],
    dropMimeTypes: [chaptersMime],
    handleDrag(source, data) {
      const paths = source.flatMap((node) => (node.kind === 'chapter' ? [node.path] : []));
      if (paths.length === 0) return;
      data.set(chaptersMime, new vscode.DataTransferItem(chaptersMeant(desk, undefined, source.filter(({ kind }) => kind === 'chapter'))));
      const { root } = desk.host.project;
      if (root !== undefined) data.set('text/uri-list', new vscode.DataTransferItem(paths.map((path) => uriIn(root, path).toString()).join('\r\n')));
    },
    async handleDrop(target, data) {
      const paths = data.get(chaptersMime)?.value as unknown;
      if (!Array.isArray(paths) || paths.length === 0) return;
      const chapters = paths.filter((path): path is string => typeof path === 'string' && desk.store.known(path) !== undefined);
      const { moveInto, moveTo } = await import('./order');
      if (target?.kind === 'volume') await moveInto(desk, chapters, target.path);
      else if ((target?.kind === 'chapter' || target?.kind === 'note') && !chapters.includes(target.path)) await moveTo(desk, chapters, target.path);
    },
  };
}
