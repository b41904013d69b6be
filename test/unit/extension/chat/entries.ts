import type { Entry, EntryData, EntryType } from '../../../../src/engine/index';

/** Entries of a branch, one below the other, with ids by hand. */
export function branchOf(...steps: readonly { readonly id: string; readonly type: EntryType; readonly data: unknown }[]): readonly Entry[] {
  return steps.map((step, index) => ({ parentId: steps[index - 1]?.id ?? null, ts: 1_000 + index, ...step }) as Entry);
}

export const entry = <T extends EntryType>(id: string, type: T, data: EntryData<T>): { readonly id: string; readonly type: T; readonly data: EntryData<T> } => ({ id, type, data });

export const noChange = { added: [], modified: [], renamed: [], removed: [] };
