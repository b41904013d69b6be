import * as vscode from 'vscode';
import type { Chapter } from '../../../engine/index';
import type { Translate } from '../../l10n/translate';
import { baseName } from '../../project/paths';
import { nodeId, sumOf, type ChaptersNode } from './nodes';
import { progressOf, statusIcons, statusKind } from './status';

const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** Novels with more volumes than this begin folded, but for the last one. */
const mostOpenVolumes = 4;

export interface ItemDeps {
  readonly t: Translate;
  readonly chapters: () => readonly Chapter[];
  readonly known: (path: string) => Chapter | undefined;
  readonly uri: (path: string) => vscode.Uri | undefined;
}

/** How the rows of the chapters view look. */
export function createChapterItems({ t, chapters, known, uri }: ItemDeps): (node: ChaptersNode) => vscode.TreeItem {
  const number = new Intl.NumberFormat(vscode.env.language);
  const counted = (words: number): string => t('{count} words', { count: number.format(words) });

  /** The editor's own command: a click shows the text and leaves the keyboard in the list, a double click takes it along. */
  function opens(item: vscode.TreeItem, path: string): void {
    const at = uri(path);
    if (at !== undefined) item.command = { command: 'vscode.open', title: t('Open'), arguments: [at] };
  }

  function volumeItem(path: string): vscode.TreeItem {
    const all = chapters();
    const volumes = new Set(all.map(({ volume }) => volume));
    const last = all.at(-1)?.volume ?? '';
    const open = volumes.size <= mostOpenVolumes || last === path || last.startsWith(`${path}/`);
    const item = new vscode.TreeItem(baseName(path), open ? Expanded : Collapsed);
    const sum = sumOf(all, path);
    item.description = [t('{count} chapters', { count: sum.chapters }), counted(sum.words)].join(' · ');
    item.iconPath = new vscode.ThemeIcon('library');
    item.accessibilityInformation = { label: t('Volume {name}, {what}', { name: baseName(path), what: item.description }) };
    return item;
  }

  function chapterItem(path: string): vscode.TreeItem {
    const chapter = known(path);
    if (chapter === undefined) return new vscode.TreeItem(baseName(path));
    const { title, words, status, target, notes = 0, dirty } = chapter;
    const item = new vscode.TreeItem(title, notes > 0 ? Collapsed : None);
    const parts = [
      counted(words),
      ...(target === undefined ? [] : [t('{percent}% of {target}', { percent: progressOf(words, target), target: number.format(target) })]),
      ...(status === undefined ? [] : [status]),
      ...(notes === 0 ? [] : [t('{count} notes', { count: notes })]),
    ];
    item.description = parts.join(' · ');
    item.iconPath = new vscode.ThemeIcon(status === undefined ? 'file-text' : statusIcons[statusKind(status)]);
    item.tooltip = [path, ...parts, ...(dirty ? [t('unsaved')] : [])].join('\n');
    item.accessibilityInformation = { label: [title, ...parts, ...(dirty ? [t('unsaved')] : [])].join(', ') };
    opens(item, path);
    return item;
  }

  function noteItem({ path, note }: Extract<ChaptersNode, { kind: 'note' }>): vscode.TreeItem {
    const item = new vscode.TreeItem(note.text === '' ? t('(empty note)') : note.text);
    item.description = t('line {line}', { line: note.line + 1 });
    item.iconPath = new vscode.ThemeIcon(note.kind === 'todo' ? 'tasklist' : 'note');
    item.tooltip = note.text;
    item.accessibilityInformation = { label: t('Note, line {line}: {text}', { line: note.line + 1, text: note.text }) };
    item.command = { command: 'liyuan.chapters.openNote', title: t('Open'), arguments: [{ kind: 'note', path, note, index: 0 }] };
    return item;
  }

  function itemOf(node: ChaptersNode): vscode.TreeItem {
    switch (node.kind) {
      case 'volume':
        return volumeItem(node.path);
      case 'chapter':
        return chapterItem(node.path);
      case 'note':
        return noteItem(node);
      case 'outline': {
        const item = new vscode.TreeItem(t('Outline'), Collapsed);
        item.iconPath = new vscode.ThemeIcon('list-tree');
        return item;
      }
      case 'text': {
        const item = new vscode.TreeItem(baseName(node.path).replace(/\.(?:md|txt)$/i, ''));
        item.iconPath = new vscode.ThemeIcon('list-unordered');
        item.tooltip = node.path;
        opens(item, node.path);
        return item;
      }
    }
  }

  return (node) => {
    const item = itemOf(node);
    item.id = nodeId(node);
    item.contextValue = node.kind;
    const at = node.kind === 'chapter' ? uri(node.path) : undefined;
    // Lets problems and git say what they know of the file; the icon stays ours.
    if (at !== undefined) item.resourceUri = at;
    return item;
  };
}
