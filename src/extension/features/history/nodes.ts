import type { CheckpointRecord, FileChange } from '../../../engine/index';

/** What stands in the history tree. */
export type HistoryNode =
  | { readonly kind: 'day'; readonly start: number; readonly records: readonly CheckpointRecord[] }
  | { readonly kind: 'checkpoint'; readonly record: CheckpointRecord }
  | { readonly kind: 'file'; readonly record: CheckpointRecord; readonly change: FileChange }
  | { readonly kind: 'more'; readonly hidden: number };

export const nodeId = (node: HistoryNode): string => {
  switch (node.kind) {
    case 'day':
      return `day:${node.start}`;
    case 'checkpoint':
      return node.record.id;
    case 'file':
      return `${node.record.id}:${node.change.path}`;
    case 'more':
      return 'more';
  }
};

/** For menus: what can be done with a checkpoint depends on whether it belongs to a turn. */
export function contextValue(node: HistoryNode): string {
  switch (node.kind) {
    case 'checkpoint':
      return node.record.turn === undefined ? 'checkpoint' : 'checkpoint.turn';
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
