import * as vscode from 'vscode';
import type { CheckpointRecord, Mark } from '../../../engine/index';
import { wordsChanged, type WordCounts } from '../../diffs/word-counts';
import type { Translate } from '../../l10n/translate';
import { baseName } from '../../project/paths';
import { daysAgo } from './days';
import { changedCount, contextValue, nodeId, type CheckpointNode, type FileNode, type HistoryNode } from './nodes';

const icons = { agent: 'sparkle', user: 'edit', import: 'arrow-down' } as const;
const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

/** What is known of a checkpoint besides its record. */
export interface Known {
  readonly count?: WordCounts;
  /** Its fold does not match its tree. */
  readonly broken: boolean;
}

/** A checkpoint's name for people: the one it was given, else its message. */
export const titleOf = (t: Translate, record: CheckpointRecord, mark?: Mark): string =>
  mark?.name ?? (record.message === '' ? t('Checkpoint') : record.message);

/** Day and minute, in the display language. */
export const whenOf = (record: CheckpointRecord): string =>
  new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(record.ts);

/** How the rows of the history look. */
export function createHistoryItems(deps: { readonly t: Translate; readonly now: () => number; readonly known: (node: CheckpointNode) => Known }): (node: HistoryNode) => vscode.TreeItem {
  const { t, now, known } = deps;
  const timeOf = new Intl.DateTimeFormat(vscode.env.language, { hour: '2-digit', minute: '2-digit' });
  const dateOf = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'full' });

  function dayItem(node: Extract<HistoryNode, { kind: 'day' }>): vscode.TreeItem {
    const ago = daysAgo(node.start, now());
    const label = ago === 0 ? t('Today') : ago === 1 ? t('Yesterday') : dateOf.format(node.start);
    const open = ago <= 1 || node.nodes[0]?.only !== undefined;
    const item = new vscode.TreeItem(label, open ? Expanded : Collapsed);
    item.description = String(node.nodes.length);
    return item;
  }

  function keptItem(node: Extract<HistoryNode, { kind: 'kept' }>): vscode.TreeItem {
    const item = new vscode.TreeItem(t('Pinned and named'), Expanded);
    item.description = String(node.nodes.length);
    item.iconPath = new vscode.ThemeIcon('pinned');
    return item;
  }

  function iconOf({ record, mark, kept }: CheckpointNode, broken: boolean): vscode.ThemeIcon {
    if (broken) return new vscode.ThemeIcon('warning');
    if (kept === true) return new vscode.ThemeIcon(mark?.pinned === true ? 'pinned' : 'bookmark');
    return new vscode.ThemeIcon(record.restoredFrom === undefined ? icons[record.author] : 'history');
  }

  function checkpointItem(node: CheckpointNode): vscode.TreeItem {
    const { record, mark, kept, only } = node;
    const { count, broken } = known(node);
    const files = changedCount(record);
    const label = titleOf(t, record, mark);
    const item = new vscode.TreeItem(label, files === 0 || broken ? None : Collapsed);
    const author = record.author === 'agent' ? t('the agent') : record.author === 'user' ? t('you') : t('import');
    item.description = [
      ...(kept === true ? [whenOf(record)] : [timeOf.format(record.ts)]),
      ...(broken ? [t('cannot be restored')] : count === undefined ? [] : [wordsChanged(t, count)]),
      ...(kept !== true && mark?.pinned === true ? [t('pinned')] : []),
      ...(mark?.name === undefined || record.message === '' ? [] : [record.message]),
    ].join(' · ');
    item.iconPath = iconOf(node, broken);
    item.tooltip = [
      ...(mark?.name === undefined ? [] : [mark.name]),
      record.message,
      `${dateOf.format(record.ts)} ${timeOf.format(record.ts)} · ${author}`,
      t('Files changed: {count}', { count: files }),
      ...(only === undefined ? [] : [only]),
      ...(record.aborted === true ? [t('The turn was stopped.')] : []),
      ...(broken ? [t('This checkpoint’s records do not add up, so it cannot be restored. Others are not affected.')] : []),
    ].join('\n');
    item.accessibilityInformation = { label: `${label}, ${author}, ${item.description}` };
    return item;
  }

  function fileItem(node: FileNode): vscode.TreeItem {
    const { change } = node;
    const item = new vscode.TreeItem(baseName(change.path));
    const folder = change.path.split('/').slice(0, -1).join('/');
    const status = change.from !== undefined ? t('was {name}', { name: change.from }) : change.before === null ? t('new') : change.after === null ? t('deleted') : '';
    item.description = [wordsChanged(t, change), folder, status].filter((part) => part !== '').join(' · ');
    item.resourceUri = vscode.Uri.from({ scheme: 'liyuan-history', path: `/${change.path}` });
    item.iconPath = vscode.ThemeIcon.File;
    item.tooltip = change.path;
    item.command = { command: 'liyuan.history.openDiff', title: t('Compare'), arguments: [node] };
    return item;
  }

  function itemOf(node: HistoryNode): vscode.TreeItem {
    switch (node.kind) {
      case 'kept':
        return keptItem(node);
      case 'day':
        return dayItem(node);
      case 'checkpoint':
        return checkpointItem(node);
      case 'file':
        return fileItem(node);
      case 'more': {
        const item = new vscode.TreeItem(t('Show {count} older ones', { count: node.hidden }));
        item.iconPath = new vscode.ThemeIcon('ellipsis');
        item.command = { command: 'liyuan.history.showMore', title: t('Show older ones') };
        return item;
      }
    }
  }

  return (node) => {
    const item = itemOf(node);
    item.id = nodeId(node);
    item.contextValue = contextValue(node, node.kind === 'checkpoint' && known(node).broken);
    return item;
  };
}
