import * as vscode from 'vscode';
import type { CheckpointRecord, FileChange, Result } from '../../../engine/index';
import { showRefusal } from '../../commands';
import { totals, wordsChanged } from '../../diffs/word-counts';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { daysAgo, groupByDay } from './days';
import { changedCount, contextValue, nodeId } from './nodes';
import type { HistoryNode } from './nodes';

/** Checkpoints shown before 「更多」. */
const pageSize = 200;

export interface HistoryTree extends vscode.TreeDataProvider<HistoryNode> {
  refresh(): void;
  showMore(): void;
  dispose(): void;
}

const icons = { agent: 'sparkle', user: 'edit', import: 'arrow-down' } as const;

/** The checkpoints, newest first, by day; below each, the files it changed. */
export function createHistoryTree(host: Host): HistoryTree {
  const { t } = host;
  const changed = new vscode.EventEmitter<HistoryNode | undefined>();
  const compared = new Map<string, Promise<Result<readonly FileChange[]>>>();
  const counted = new Map<string, { readonly added: number; readonly removed: number }>();
  const shown = new Map<string, HistoryNode>();
  let limit = pageSize;
  let comparedFor: OpenProject | undefined;

  const timeOf = new Intl.DateTimeFormat(vscode.env.language, { hour: '2-digit', minute: '2-digit' });
  const dateOf = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'full' });

  /** Changes of one checkpoint against the one before it. */
  function changesOf(project: OpenProject, record: CheckpointRecord): Promise<Result<readonly FileChange[]>> {
    const known = compared.get(record.id);
    if (known !== undefined) return known;
    const asked = project.engine.checkpoints.compare(record.parents[0] ?? null, record.id);
    compared.set(record.id, asked);
    return asked;
  }

  /** Counts 字 for what is on show, one after the other, so that the tree itself never waits for it. */
  async function count(project: OpenProject, records: readonly CheckpointRecord[]): Promise<void> {
    for (const record of records) {
      if (counted.has(record.id) || comparedFor !== project) continue;
      const changes = await changesOf(project, record);
      if (!changes.ok) {
        host.log.warn('checkpoint could not be compared', { id: record.id, code: changes.error.code });
        continue;
      }
      counted.set(record.id, totals(changes.value));
      const node = shown.get(record.id);
      if (node !== undefined) changed.fire(node);
    }
  }

  async function project(): Promise<OpenProject | undefined> {
    const opened = await host.project.opened();
    if (!opened.ok) {
      if (opened.error.code !== 'project.none') host.log.warn('no history', { code: opened.error.code });
      return undefined;
    }
    if (comparedFor?.engine !== opened.value.engine) {
      compared.clear();
      counted.clear();
      comparedFor = opened.value;
    }
    return comparedFor;
  }

  async function roots(): Promise<HistoryNode[]> {
    const open = await project();
    if (open === undefined) return [];
    const records = await open.engine.checkpoints.list();
    if (!records.ok) {
      void showRefusal(host, records.error);
      return [];
    }
    shown.clear();
    const page = records.value.slice(0, limit);
    const hidden = records.value.length - page.length;
    return [
      ...groupByDay(page).map((day): HistoryNode => ({ kind: 'day', ...day })),
      ...(hidden > 0 ? [{ kind: 'more' as const, hidden }] : []),
    ];
  }

  async function children(node: HistoryNode): Promise<HistoryNode[]> {
    const open = await project();
    if (open === undefined) return [];
    if (node.kind === 'day') {
      const nodes = node.records.map((record): HistoryNode => ({ kind: 'checkpoint', record }));
      for (const one of nodes) shown.set(nodeId(one), one);
      count(open, node.records).catch((error: unknown) => { host.log.error('counting failed', { error: String(error) }); });
      return nodes;
    }
    if (node.kind !== 'checkpoint') return [];
    const changes = await changesOf(open, node.record);
    if (!changes.ok) {
      void showRefusal(host, changes.error);
      return [];
    }
    return changes.value.map((change) => ({ kind: 'file', record: node.record, change }));
  }

  function dayItem(node: Extract<HistoryNode, { kind: 'day' }>): vscode.TreeItem {
    const ago = daysAgo(node.start, host.clock.now());
    const label = ago === 0 ? t('Today') : ago === 1 ? t('Yesterday') : dateOf.format(node.start);
    const item = new vscode.TreeItem(label, ago <= 1 ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed);
    item.description = String(node.records.length);
    return item;
  }

  function checkpointItem(record: CheckpointRecord): vscode.TreeItem {
    const files = changedCount(record);
    const item = new vscode.TreeItem(
      record.message === '' ? t('Checkpoint') : record.message,
      files === 0 ? vscode.TreeItemCollapsibleState.None : vscode.TreeItemCollapsibleState.Collapsed,
    );
    const count = counted.get(record.id);
    const author = record.author === 'agent' ? t('the agent') : record.author === 'user' ? t('you') : t('import');
    item.description = [timeOf.format(record.ts), ...(count === undefined ? [] : [wordsChanged(t, count)])].join(' · ');
    item.iconPath = new vscode.ThemeIcon(record.restoredFrom === undefined ? icons[record.author] : 'history');
    item.tooltip = [
      record.message,
      `${dateOf.format(record.ts)} ${timeOf.format(record.ts)} · ${author}`,
      t('Files changed: {count}', { count: files }),
      ...(record.aborted === true ? [t('The turn was stopped.')] : []),
    ].join('\n');
    item.accessibilityInformation = { label: `${record.message}, ${author}, ${item.description}` };
    return item;
  }

  function fileItem(node: Extract<HistoryNode, { kind: 'file' }>): vscode.TreeItem {
    const { change } = node;
    const item = new vscode.TreeItem(change.path.split('/').at(-1) ?? change.path);
    const folder = change.path.split('/').slice(0, -1).join('/');
    const status = change.from !== undefined ? t('was {name}', { name: change.from }) : change.before === null ? t('new') : change.after === null ? t('deleted') : '';
    item.description = [wordsChanged(t, change), folder, status].filter((part) => part !== '').join(' · ');
    item.resourceUri = vscode.Uri.from({ scheme: 'liyuan-history', path: `/${change.path}` });
    item.iconPath = vscode.ThemeIcon.File;
    item.tooltip = change.path;
    item.command = { command: 'liyuan.history.openDiff', title: t('Compare'), arguments: [node] };
    return item;
  }

  return {
    onDidChangeTreeData: changed.event,
    getChildren: (node) => (node === undefined ? roots() : children(node)),
    getTreeItem: (node) => {
      const item = itemOf(node);
      item.id = nodeId(node);
      item.contextValue = contextValue(node);
      return item;
    },
    refresh: () => { changed.fire(undefined); },
    showMore: () => {
      limit += pageSize;
      changed.fire(undefined);
    },
    dispose: () => { changed.dispose(); },
  };

  function itemOf(node: HistoryNode): vscode.TreeItem {
    switch (node.kind) {
      case 'day':
        return dayItem(node);
      case 'checkpoint':
        return checkpointItem(node.record);
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
}
