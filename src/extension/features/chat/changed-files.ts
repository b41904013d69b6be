import type * as z from 'zod';
import type { Changed, FileChange, ForbiddenInText } from '../../../engine/index';
import type { changedFile } from '../../../protocol/chat';

export type ChangedFile = z.infer<typeof changedFile>;

function statusOf(change: FileChange): ChangedFile['status'] {
  if (change.from !== undefined) return 'renamed';
  if (change.before === null) return 'added';
  return change.after === null ? 'removed' : 'modified';
}

/** A comparison as the card shows it, with the forbidden words it has brought. */
export function changedFiles(changes: readonly FileChange[], forbidden?: ReadonlyMap<string, readonly ForbiddenInText[]>): ChangedFile[] {
  return changes.map((change) => ({
    path: change.path,
    ...(change.from === undefined ? {} : { from: change.from }),
    status: statusOf(change),
    added: change.added,
    removed: change.removed,
    ...(forbidden?.get(change.path) === undefined ? {} : { forbidden: [...(forbidden.get(change.path) ?? [])] }),
  }));
}

/** The light copy in a checkpoint entry, before its counts are known. */
export function uncountedFiles(changed: Changed): ChangedFile[] {
  const row = (path: string, status: ChangedFile['status'], from?: string): ChangedFile => ({
    path,
    ...(from === undefined ? {} : { from }),
    status,
    added: 0,
    removed: 0,
  });
  return [
    ...changed.added.map((path) => row(path, 'added')),
    ...changed.modified.map((path) => row(path, 'modified')),
    ...changed.renamed.map(([from, path]) => row(path, 'renamed', from)),
    ...changed.removed.map((path) => row(path, 'removed')),
  ];
}
