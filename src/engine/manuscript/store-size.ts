import type { Files } from '../ports/files';
import { EngineFailure, fail, ok, type Result } from '../ports/result';

/** What lies below `.liyuan/`, by what it is for. */
export const storeKinds = ['objects', 'checkpoints', 'sessions', 'traces', 'local', 'cache', 'other'] as const;
export type StoreKind = (typeof storeKinds)[number];

export interface StoreSize {
  /** Every kind once, in the order of `storeKinds`. Bytes as the files' lengths, not as the disk rounds them. */
  readonly kinds: readonly { readonly kind: StoreKind; readonly files: number; readonly bytes: number }[];
  readonly bytes: number;
}

const OWN = '.liyuan';

/** Adds up the store's files. Refuses `store.*`. */
export async function storeSize(files: Files): Promise<Result<StoreSize>> {
  const sums = new Map(storeKinds.map((kind) => [kind, { files: 0, bytes: 0 }]));
  try {
    for (const { path, stat } of await files.tree(OWN)) {
      const [, folder = '', ...below] = path.split('/');
      const sum = sums.get(below.length > 0 && sums.has(folder as StoreKind) ? (folder as StoreKind) : 'other');
      if (sum === undefined) continue;
      sum.files += 1;
      sum.bytes += stat.size;
    }
  } catch (error) {
    if (error instanceof EngineFailure) return fail(error.error);
    throw error;
  }
  const kinds = storeKinds.map((kind) => ({ kind, files: sums.get(kind)?.files ?? 0, bytes: sums.get(kind)?.bytes ?? 0 }));
  return ok({ kinds, bytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0) });
}
