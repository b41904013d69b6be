import type { Files, TreeFile } from '../ports/files';
import { ok, type Result } from '../ports/result';
import { refusing } from '../store/failures';

/** What lies below `.liyuan/`, by what it is for. */
export const storeKinds = ['objects', 'checkpoints', 'sessions', 'traces', 'local', 'cache', 'other'] as const;
export type StoreKind = (typeof storeKinds)[number];

export interface StoreSize {
  /** Every kind once, in the order of `storeKinds`. Bytes as the files' lengths, not as the disk rounds them. */
  readonly kinds: readonly { readonly kind: StoreKind; readonly files: number; readonly bytes: number }[];
  readonly bytes: number;
}

export const STORE_FOLDER = '.liyuan';

/** Adds up files of the store. */
export function sizeOf(files: readonly TreeFile[]): StoreSize {
  const sums = new Map(storeKinds.map((kind) => [kind, { files: 0, bytes: 0 }]));
  for (const { path, stat } of files) {
    const [, folder = '', ...below] = path.split('/');
    const sum = sums.get(below.length > 0 && sums.has(folder as StoreKind) ? (folder as StoreKind) : 'other');
    if (sum === undefined) continue;
    sum.files += 1;
    sum.bytes += stat.size;
  }
  const kinds = storeKinds.map((kind) => ({ kind, files: sums.get(kind)?.files ?? 0, bytes: sums.get(kind)?.bytes ?? 0 }));
  return { kinds, bytes: kinds.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The size of the whole store. Refuses `store.*`. */
export function storeSize(files: Files): Promise<Result<StoreSize>> {
  return refusing(STORE_FOLDER, async () => ok(sizeOf(await files.tree(STORE_FOLDER))), 'reading');
}
