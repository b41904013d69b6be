import type { Result } from '../ports/result';

/**
 * Content-addressed, immutable bytes: `objects/<aa>/<sha256>`, deflated above 512 bytes.
 * Names are lower-case hex SHA-256 of the raw bytes. Every read verifies the hash.
 */
export interface ObjectStore {
  /**
   * Resolves to the hash. Temp name, fsync, rename; an object that exists and verifies is not written again, unless its file is so old
   * that a clean-up might take it before whoever puts it has named it.
   */
  put(bytes: Uint8Array): Promise<string>;
  /** Many at once: all written, fsynced together, then named. Order of hashes follows the input. */
  putAll(items: readonly Uint8Array[]): Promise<readonly string[]>;
  /** Refuses `object.missing`, `object.corrupt` with `{sha}`. */
  get(sha: string): Promise<Result<Uint8Array>>;
  has(sha: string): Promise<boolean>;
  /** What lies in the store's folder, also what a crash left behind; unordered. */
  entries(): Promise<readonly StoredObject[]>;
  /** Removes one, unless its file is another than the one that was listed or is gone; resolves to whether it did. */
  remove(stored: StoredObject): Promise<boolean>;
}

/** A file of the store. */
export interface StoredObject {
  readonly path: string;
  /** Its hash by name; absent for a write that was never finished. */
  readonly sha?: string;
  /** On the disk, bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
}
