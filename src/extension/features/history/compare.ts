import * as vscode from 'vscode';
import type { FileChange } from '../../../engine/index';
import { showRefusal } from '../../commands';
import { openDiff, openDiffs } from '../../diffs/diffs';
import type { Host } from '../../host';
import { titleOf, whenOf } from './items';
import type { CheckpointNode, FileNode, HistoryNode } from './nodes';

/** What a checkpoint changed, file by file. */
export async function openAll(host: Host, { record, only }: CheckpointNode): Promise<void> {
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  const changes = await project.value.engine.checkpoints.changesOf(record.id);
  if (!changes.ok) return showRefusal(host, changes.error);
  await openDiffs(project.value, changes.value.filter((change) => only === undefined || touches(change, only)), { what: record.message }, host.t);
}

export async function openOne(host: Host, { record, change }: FileNode): Promise<void> {
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  await openDiff(project.value, change, { what: record.message }, host.t, { keepFocus: true });
}

/** `path`: that file alone. */
export async function compareWithNow(host: Host, id: string, path: string | undefined): Promise<void> {
  const project = await host.project.opened();
  if (!project.ok) return showRefusal(host, project.error);
  const all = await project.value.engine.checkpoints.compare(id, 'now');
  if (!all.ok) return showRefusal(host, all.error);
  await openDiffs(project.value, path === undefined ? all.value : all.value.filter((change) => touches(change, path)), { sides: host.t('then ↔ now') }, host.t);
}

const touches = (change: FileChange, path: string): boolean => change.path === path || change.from === path;

type Comparable = CheckpointNode | FileNode;
const isComparable = (node: HistoryNode | undefined): node is Comparable => node?.kind === 'checkpoint' || node?.kind === 'file';

/** The older first: by time, then by id, as the history is sorted. */
const inOrder = (a: Comparable, b: Comparable): readonly [Comparable, Comparable] =>
  a.record.ts < b.record.ts || (a.record.ts === b.record.ts && a.record.id < b.record.id) ? [a, b] : [b, a];

/** Comparing any two rows: two chosen at once, or one chosen for it before, as VS Code's explorer does. */
export function createComparison(host: Host): {
  select(node: HistoryNode | undefined): Promise<void>;
  /** With the one selected before. */
  withSelected(node: HistoryNode | undefined): Promise<void>;
  /** The two rows that are chosen in the view. */
  two(nodes: readonly HistoryNode[]): Promise<void>;
  /** Another project came: nothing is selected. */
  forget(): void;
} {
  const { t } = host;
  let selected: Comparable | undefined;

  const set = async (node: Comparable | undefined): Promise<void> => {
    selected = node;
    await vscode.commands.executeCommand('setContext', 'liyuan.history.selectedForCompare', node !== undefined);
  };

  const sideName = (node: Comparable): string => `${titleOf(t, node.record, node.kind === 'checkpoint' ? node.mark : undefined)} (${whenOf(node.record)})`;

  async function compare(a: Comparable, b: Comparable): Promise<void> {
    const project = await host.project.opened();
    if (!project.ok) return showRefusal(host, project.error);
    const [older, newer] = inOrder(a, b);
    const sides = t('{older} ↔ {newer}', { older: sideName(older), newer: sideName(newer) });
    if (older.kind === 'file' && newer.kind === 'file') {
      const { path } = newer.change;
      const change: FileChange = { path, from: older.change.path, before: older.change.after, after: newer.change.after, added: 0, removed: 0 };
      await openDiffs(project.value, change.before === change.after ? [] : [change], { sides }, t);
      return;
    }
    const changes = await project.value.engine.checkpoints.compare(older.record.id, newer.record.id);
    if (!changes.ok) return showRefusal(host, changes.error);
    // While the view shows one file, that one is meant.
    const only = [older.only, newer.only].filter((path) => path !== undefined);
    await openDiffs(project.value, changes.value.filter((change) => only.length === 0 || only.some((path) => touches(change, path))), { sides }, t);
  }

  return {
    select: async (node) => { if (isComparable(node)) await set(node); },
    withSelected: async (node) => {
      if (selected !== undefined && isComparable(node)) await compare(selected, node);
    },
    two: async (nodes) => {
      const [a, b, more] = nodes.filter(isComparable);
      if (a !== undefined && b !== undefined && more === undefined) await compare(a, b);
      else void vscode.window.showInformationMessage(t('Choose two rows of the history to compare them.'));
    },
    forget: () => { void set(undefined); },
  };
}
