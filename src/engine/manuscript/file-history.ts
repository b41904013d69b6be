import type { CheckpointRecord } from './checkpoint-log';
import { compareRecords } from './log-state';

/** A checkpoint that changed a file, and the name the file has in it (where it is gone: the one it had). */
export interface FileStep {
  readonly record: CheckpointRecord;
  readonly path: string;
}

/**
 * The checkpoints that changed one file, newest first, through its renames both ways. `path`: its name at the checkpoint `at`, or now.
 * `records` are all there are, in any order.
 */
export function historyOfFile(records: Iterable<CheckpointRecord>, path: string, at?: string): readonly FileStep[] {
  const inOrder = [...records].sort(compareRecords);
  let name = path;
  const from = at === undefined ? -1 : inOrder.findIndex(({ id }) => id === at);
  if (from >= 0) {
    for (const { changed } of inOrder.slice(from + 1)) name = changed.renamed.find(([old]) => old === name)?.[1] ?? name;
  }
  const steps: FileStep[] = [];
  for (const record of inOrder.reverse()) {
    const { added, modified, renamed, removed } = record.changed;
    const came = renamed.find(([, now]) => now === name);
    const left = renamed.some(([old]) => old === name);
    // Another file that had the name before and took a new one.
    if (left && steps.length > 0) break;
    if (came !== undefined || left || [added, modified, removed].some((paths) => paths.includes(name))) steps.push({ record, path: name });
    if (came !== undefined) name = came[0];
  }
  return steps;
}
