import * as vscode from 'vscode';
import type { CheckpointRecord, FileChange, Mark, Result } from '../../../engine/index';
import { showRefusal } from '../../commands';
import { totals, type WordCounts } from '../../diffs/word-counts';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import { groupByDay } from './days';
import { createHistoryItems, type Known } from './items';
import { nodeId, type CheckpointNode, type HistoryNode } from './nodes';

/** Checkpoints shown before 「更多」. */
const pageSize = 200;

/** Which file the view is filtered by: its name now, or at the checkpoint `at`. */
export interface FileFilter {
  readonly path: string;
  readonly at?: string;
}

export interface HistoryTree extends vscode.TreeDataProvider<HistoryNode> {
  refresh(): void;
  showMore(): void;
  /** Shows only what happened to one file; `undefined`: everything again. */
  filter(by: FileFilter | undefined): void;
  /** Fires with the filter whenever it is set or taken away, also because another project came. */
  readonly onDidFilter: vscode.Event<FileFilter | undefined>;
  dispose(): void;
}

/** The checkpoints, newest first, by day; below each, the files it changed. Pinned and named ones stand on top as well. */
export function createHistoryTree(host: Host): HistoryTree {
  const changed = new vscode.EventEmitter<HistoryNode | undefined>();
  const filtered = new vscode.EventEmitter<FileFilter | undefined>();
  const compared = new Map<string, Promise<Result<readonly FileChange[]>>>();
  const counted = new Map<string, WordCounts>();
  const broken = new Set<string>();
  const shown = new Map<string, CheckpointNode>();
  let limit = pageSize;
  let comparedFor: OpenProject | undefined;
  let filter: FileFilter | undefined;

  const known = (node: CheckpointNode): Known => {
    const count = counted.get(nodeId(node));
    return { ...(count === undefined ? {} : { count }), broken: broken.has(node.record.id) };
  };
  const item = createHistoryItems({ t: host.t, now: () => host.clock.now(), known });

  function setFilter(by: FileFilter | undefined): void {
    if (filter === undefined && by === undefined) return;
    filter = by;
    limit = pageSize;
    filtered.fire(by);
    changed.fire(undefined);
  }

  /** Changes of one checkpoint against the one before it. */
  function changesOf(project: OpenProject, record: CheckpointRecord): Promise<Result<readonly FileChange[]>> {
    const asked = compared.get(record.id) ?? project.engine.checkpoints.changesOf(record.id);
    compared.set(record.id, asked);
    return asked;
  }

  const ofNode = (node: CheckpointNode, changes: readonly FileChange[]): readonly FileChange[] =>
    node.only === undefined ? changes : changes.filter(({ path, from }) => path === node.only || from === node.only);

  /** Counts 字 for what is on show, one after the other, so that the tree itself never waits for it. */
  async function count(project: OpenProject, nodes: readonly CheckpointNode[]): Promise<void> {
    for (const one of nodes) {
      const id = nodeId(one);
      if (counted.has(id) || broken.has(one.record.id) || comparedFor !== project) continue;
      const changes = await changesOf(project, one.record);
      if (changes.ok) counted.set(id, totals(ofNode(one, changes.value)));
      else if (changes.error.code === 'checkpoint.broken' && changes.error.args?.['id'] === one.record.id) broken.add(one.record.id);
      else {
        host.log.warn('checkpoint could not be compared', { id: one.record.id, code: changes.error.code });
        continue;
      }
      const node = shown.get(id);
      if (node !== undefined) changed.fire(node);
    }
  }

  function countLater(project: OpenProject, nodes: readonly CheckpointNode[]): void {
    for (const one of nodes) shown.set(nodeId(one), one);
    count(project, nodes).catch((error: unknown) => { host.log.error('counting failed', { error: String(error) }); });
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
      broken.clear();
      comparedFor = opened.value;
    }
    return comparedFor;
  }

  async function listed({ engine }: OpenProject): Promise<Result<readonly CheckpointNode[]>> {
    const marks = await engine.checkpoints.marks();
    if (!marks.ok) return marks;
    const marked = (record: CheckpointRecord): { readonly record: CheckpointRecord; readonly mark?: Mark } => {
      const mark = marks.value.get(record.id);
      return mark === undefined ? { record } : { record, mark };
    };
    if (filter === undefined) {
      const records = await engine.checkpoints.list();
      return records.ok ? { ok: true, value: records.value.map((record) => ({ kind: 'checkpoint', ...marked(record) })) } : records;
    }
    const steps = await engine.checkpoints.touching(filter.path, filter.at);
    return steps.ok ? { ok: true, value: steps.value.map(({ record, path }) => ({ kind: 'checkpoint', ...marked(record), only: path })) } : steps;
  }

  async function roots(): Promise<HistoryNode[]> {
    const open = await project();
    if (open === undefined) return [];
    const nodes = await listed(open);
    if (!nodes.ok) {
      void showRefusal(host, nodes.error);
      return [];
    }
    shown.clear();
    const page = nodes.value.slice(0, limit);
    const hidden = nodes.value.length - page.length;
    const kept = nodes.value.filter(({ mark }) => mark !== undefined).map((node): CheckpointNode => ({ ...node, kept: true }));
    return [
      ...(kept.length > 0 ? [{ kind: 'kept' as const, nodes: kept }] : []),
      ...groupByDay(page, ({ record }) => record.ts).map((day): HistoryNode => ({ kind: 'day', ...day })),
      ...(hidden > 0 ? [{ kind: 'more' as const, hidden }] : []),
    ];
  }

  async function children(node: HistoryNode): Promise<HistoryNode[]> {
    const open = await project();
    if (open === undefined) return [];
    if (node.kind === 'day' || node.kind === 'kept') {
      countLater(open, node.nodes);
      return [...node.nodes];
    }
    if (node.kind !== 'checkpoint') return [];
    const { record, only, kept } = node;
    const changes = await changesOf(open, record);
    if (!changes.ok) {
      void showRefusal(host, changes.error);
      return [];
    }
    return ofNode(node, changes.value).map((change) => ({
      kind: 'file',
      record,
      change,
      ...(only === undefined ? {} : { only }),
      ...(kept === undefined ? {} : { kept }),
    }));
  }

  return {
    onDidChangeTreeData: changed.event,
    onDidFilter: filtered.event,
    getChildren: (node) => (node === undefined ? roots() : children(node)),
    getTreeItem: item,
    refresh: () => {
      // What could not be compared may be mended by now, and a clean-up may have taken what it was compared with.
      compared.clear();
      changed.fire(undefined);
    },
    showMore: () => {
      limit += pageSize;
      changed.fire(undefined);
    },
    filter: setFilter,
    dispose: () => {
      changed.dispose();
      filtered.dispose();
    },
  };
}
