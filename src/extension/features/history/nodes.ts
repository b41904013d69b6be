import type { CheckpointRecord, FileChange, Mark } from '../../../engine/index';

/** `only`: the name that the file which the view is filtered by has in this checkpoint. */
export interface CheckpointNode {
  readonly kind: 'checkpoint';
  readonly record: CheckpointRecord;
  readonly mark?: Mark;
  readonly only?: string;
  /** It stands among the pinned and named ones, besides its place under its day. */
  readonly kept?: true;
}

export interface FileNode {
  readonly kind: 'file';
  readonly record: CheckpointRecord;
  readonly change: FileChange;
  readonly only?: string;
  readonly kept?: true;
}

/** What stands in the history tree. */
export type HistoryNode =
  | { readonly kind: 'kept'; readonly nodes: readonly CheckpointNode[] }
  | { readonly kind: 'day'; readonly start: number; readonly nodes: readonly CheckpointNode[] }
  | CheckpointNode
  | FileNode
  | { readonly kind: 'more'; readonly hidden: number };

const placeOf = ({ only, kept }: { readonly only?: string; readonly kept?: true }): string =>
  `${kept === undefined ? '' : 'kept:'}${only === undefined ? '' : 'only:'}`;

export const nodeId = (node: HistoryNode): string => {
  switch (node.kind) {
    case 'kept':
      return 'kept';
    case 'day':
      return `${placeOf(node.nodes[0] ?? {})}day:${node.start}`;
    case 'checkpoint':
      return `${placeOf(node)}${node.record.id}`;
    case 'file':
      return `${placeOf(node)}${node.record.id}:${node.change.path}`;
    case 'more':
      return 'more';
  }
};

/**
 * For menus: what can be done with a checkpoint depends on whether it belongs to a turn, is pinned, or cannot be put together
 * (`broken`).
 */
export function contextValue(node: HistoryNode, broken = false): string {
  switch (node.kind) {
    case 'checkpoint':
      return ['checkpoint', ...(node.record.turn === undefined ? [] : ['turn']), ...(node.mark?.pinned === true ? ['pinned'] : []), ...(broken ? ['broken'] : [])].join('.');
    case 'file':
      return node.change.after === null ? 'file.removed' : 'file';
    default:
      return node.kind;
  }
}

export const changedCount = (record: CheckpointRecord): number => {
  const { added, modified, renamed, removed } = record.changed;
  return added.length + modified.length + renamed.length + removed.length;
};
