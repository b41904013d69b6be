import type { Result } from '../ports/result';

/**
 * Content-addressed, immutable bytes: `objects/<aa>/<sha256>`, deflated above 512 bytes.
 * Names are lower-case hex SHA-256 of the raw bytes. Every read verifies the hash.
 */
export interface ObjectStore {
  /** Resolves to the hash. Temp name, fsync, rename; an object that exists and verifies is not written again. */
  put(bytes: Uint8Array): Promise<string>;
  /** Many at once: all written, fsynced together, then named. Order of hashes follows the input. */
  putAll(items: readonly Uint8Array[]): Promise<readonly string[]>;
  /** Refuses `object.missing`, `object.corrupt` with `{sha}`. */
  get(sha: string): Promise<Result<Uint8Array>>;
  has(sha: string): Promise<boolean>;
}
