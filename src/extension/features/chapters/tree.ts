import * as vscode from 'vscode';
import type { Host } from '../../host';
import { uriIn } from '../../project/uris';
import { createChapterItems } from './items';
import { childrenOf, nodeId, volumesAbove, type ChaptersNode } from './nodes';
import { outlineFiles } from './outline';
import type { ChapterStore } from './store';

export interface ChaptersTree extends vscode.TreeDataProvider<ChaptersNode>, vscode.Disposable {
  getParent(node: ChaptersNode): ChaptersNode | undefined;
  /** The row of a chapter, when it is one. */
  nodeOf(path: string): ChaptersNode | undefined;
}

/** Volumes and chapters in order, open notes below their chapters, the outline at the end. Reads a chapter's text only for its notes. */
export function createChaptersTree(host: Host, store: ChapterStore): ChaptersTree {
  const changed = new vscode.EventEmitter<ChaptersNode | ChaptersNode[] | undefined>();
  const nodes = new Map<string, ChaptersNode>();
  const item = createChapterItems({
    t: host.t,
    chapters: () => store.all(),
    known: (path) => store.known(path),
    uri: (path) => (host.project.root === undefined ? undefined : uriIn(host.project.root, path)),
  });

  /** The same object for the same thing. */
  function same<N extends ChaptersNode>(node: N): N {
    const id = nodeId(node);
    const known = nodes.get(id);
    if (known !== undefined && node.kind !== 'note') return known as N;
    nodes.set(id, node);
    return node;
  }

  const stop = store.onDidChange(({ paths, outline }) => {
    if (outline === true) return changed.fire(nodes.get('outline'));
    if (paths === undefined) {
      nodes.clear();
      return changed.fire(undefined);
    }
    const volumes = new Set(paths.flatMap((path) => volumesAbove(store.known(path)?.volume ?? '')));
    const rows = [...[...volumes].map((path) => nodes.get(`volume:${path}`)), ...paths.map((path) => nodes.get(`chapter:${path}`))];
    // A row above draws all below it anew.
    const [first] = rows.filter((row) => row !== undefined);
    if (first !== undefined) changed.fire(rows.filter((row) => row !== undefined));
  });

  async function roots(): Promise<ChaptersNode[]> {
    const chapters = await store.chapters();
    if (chapters.length === 0) return [];
    const project = await store.project();
    const outline = project === undefined ? [] : await outlineFiles(project);
    return [...childrenOf(chapters, '').map(same), ...(outline.length === 0 ? [] : [same({ kind: 'outline' })])];
  }

  async function notesOf(path: string): Promise<ChaptersNode[]> {
    const project = await store.project();
    const live = await project?.documents.read(path);
    if (live?.ok !== true) return [];
    const { findNotes } = await import('../../../engine/index');
    return findNotes(live.value.text).map((note, index) => same({ kind: 'note', path, note, index }));
  }

  return {
    onDidChangeTreeData: changed.event,
    async getChildren(node) {
      switch (node?.kind) {
        case undefined:
          return roots();
        case 'volume':
          return childrenOf(store.all(), node.path).map(same);
        case 'chapter':
          return notesOf(node.path);
        case 'outline': {
          const project = await store.project();
          return project === undefined ? [] : (await outlineFiles(project)).map((path) => same({ kind: 'text', path }));
        }
        default:
          return [];
      }
    },
    getTreeItem: item,
    getParent(node) {
      switch (node.kind) {
        case 'note':
          return same({ kind: 'chapter', path: node.path });
        case 'text':
          return same({ kind: 'outline' });
        case 'chapter': {
          const volume = store.known(node.path)?.volume ?? '';
          return volume === '' ? undefined : same({ kind: 'volume', path: volume });
        }
        case 'volume': {
          const above = volumesAbove(node.path).at(-2);
          return above === undefined ? undefined : same({ kind: 'volume', path: above });
        }
        default:
          return undefined;
      }
    },
    nodeOf: (path) => (store.known(path) === undefined ? undefined : same({ kind: 'chapter', path })),
    dispose: () => {
      stop.dispose();
      changed.dispose();
    },
  };
}
