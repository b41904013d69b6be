import * as vscode from 'vscode';
import { registerCommand } from '../../commands';
import type { Feature, Host } from '../../host';
import { chapterInEditor, chapterMeant, openText, type ChapterDesk } from './desk';
import { createChapterDrag } from './drag';
import type { ChaptersNode } from './nodes';
import { removeChapters } from './remove';
import { createChapterStore } from './store';
import { createChaptersTree } from './tree';

export const chaptersViewId = 'liyuan.chapters';

type Row = ChaptersNode | undefined;
type Rows = readonly ChaptersNode[] | undefined;

/** Volumes and chapters, and what an author does with them as a whole. The commands that need the engine are loaded with it, when they are called. */
export const chaptersFeature: Feature = {
  name: 'chapters',
  register: (host) => {
    const store = createChapterStore(host);
    const tree = createChaptersTree(host, store);
    // The drag controller and the view need one another.
    const desk: ChapterDesk = { host, store, selection: () => view.selection, reveal: (path) => reveal(path) };
    const view = vscode.window.createTreeView<ChaptersNode>(chaptersViewId, {
      treeDataProvider: tree,
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: createChapterDrag(desk),
    });

    async function reveal(path: string): Promise<void> {
      await store.settled();
      const node = tree.nodeOf(path);
      if (node !== undefined && view.visible) await view.reveal(node, { select: true, focus: false });
    }

    const follow = (): void => {
      const chapter = view.visible ? chapterInEditor(desk) : undefined;
      const chosen = view.selection[0];
      if (chapter === undefined || (chosen !== undefined && 'path' in chosen && chosen.path === chapter.path)) return;
      reveal(chapter.path).catch((error: unknown) => { host.log.debug('row not shown', { error: String(error) }); });
    };

    return vscode.Disposable.from(
      view,
      tree,
      store,
      describe(host, view, store),
      vscode.window.onDidChangeActiveTextEditor(follow),
      registerCommand(host, 'liyuan.chapters.open', (node: Row) => open(desk, node)),
      registerCommand(host, 'liyuan.chapters.openNote', async (node: Row) => (await import('./notes')).openNote(desk, node)),
      registerCommand(host, 'liyuan.chapters.next', async () => (await import('./next')).writeNext(desk)),
      registerCommand(host, 'liyuan.chapters.newChapter', async (node: Row) => {
        const at = node ?? (view.visible ? view.selection[0] : undefined);
        const { newChapter, whereOf } = await import('./new-chapter');
        await newChapter(desk, whereOf(at));
      }),
      registerCommand(host, 'liyuan.chapters.newVolume', async () => (await import('./new-chapter')).newVolume(desk)),
      registerCommand(host, 'liyuan.chapters.rename', async (node: Row) => (await import('./rename')).renameChapter(desk, node)),
      registerCommand(host, 'liyuan.chapters.moveToVolume', async (node: Row, chosen: Rows) => (await import('./order')).moveToVolume(desk, node, chosen)),
      registerCommand(host, 'liyuan.chapters.moveUp', async (node: Row) => (await import('./order')).moveBy(desk, node, -1)),
      registerCommand(host, 'liyuan.chapters.moveDown', async (node: Row) => (await import('./order')).moveBy(desk, node, 1)),
      registerCommand(host, 'liyuan.chapters.renumber', async () => (await import('./order')).renumber(desk)),
      registerCommand(host, 'liyuan.chapters.delete', (node: Row, chosen: Rows) => removeChapters(desk, node, chosen)),
      registerCommand(host, 'liyuan.chapters.setStatus', async (node: Row, chosen: Rows) => (await import('./set-status')).setStatus(desk, node, chosen)),
      registerCommand(host, 'liyuan.chapters.setTarget', async (node: Row, chosen: Rows) => (await import('./set-status')).setTarget(desk, node, chosen)),
      registerCommand(host, 'liyuan.chapters.addNote', async () => (await import('./notes')).addNote(desk)),
      registerCommand(host, 'liyuan.chapters.copyTable', async () => (await import('./set-status')).copyTable(desk)),
      registerCommand(host, 'liyuan.chapters.revealInExplorer', (node: Row) => revealInExplorer(desk, node)),
      registerCommand(host, 'liyuan.chapters.refresh', () => { store.refresh(); }),
      registerCommand(host, 'liyuan.outline.open', async () => (await import('./outline')).openOutline(host)),
    );
  },
};

/** How much there is in all, beside the view's name. */
function describe(host: Host, view: vscode.TreeView<ChaptersNode>, store: ReturnType<typeof createChapterStore>): vscode.Disposable {
  const number = new Intl.NumberFormat(vscode.env.language);
  const tell = (): void => {
    const all = store.all();
    const words = all.reduce((sum, chapter) => sum + chapter.words, 0);
    view.description = all.length === 0 ? '' : `${host.t('{count} chapters', { count: all.length })} · ${host.t('{count} words', { count: number.format(words) })}`;
  };
  return store.onDidChange(tell);
}

async function open(desk: ChapterDesk, node: Row): Promise<void> {
  const project = await desk.store.project();
  if (project !== undefined && (node?.kind === 'chapter' || node?.kind === 'text')) await openText(project, node.path, { preview: true });
}

async function revealInExplorer(desk: ChapterDesk, node: Row): Promise<void> {
  const project = await desk.store.project();
  if (project === undefined) return;
  const volume = node?.kind === 'volume' ? [project.engine.manuscript.folder, ...node.path.split('/')] : undefined;
  const parts = volume ?? chapterMeant(desk, node)?.path.split('/');
  if (parts !== undefined) await vscode.commands.executeCommand('revealInExplorer', vscode.Uri.joinPath(project.root, ...parts));
}
