/** Facts about a file as the stat cache needs them. */
export interface FileStat {
  readonly size: number;
  /** Nanoseconds since the epoch. */
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly ino: bigint;
  readonly kind: 'file' | 'directory' | 'other';
}

/** A file of a tree. */
export interface TreeFile {
  readonly path: string;
  readonly stat: FileStat;
  readonly real?: string;
}

/** The window that holds a lock, for people. */
export interface LockHolder {
  /** Name of the machine. */
  readonly host: string;
  /** Name of the editor. */
  readonly app: string;
  readonly pid: number;
}

/** A held lock. `lost` settles when the lock was taken over or its heartbeat failed (sleep, network drive). */
export interface Lock {
  readonly lost: Promise<void>;
  /** True until released or lost. */
  held(): boolean;
  release(): Promise<void>;
}

/**
 * Bytes under the project root. Paths are project-relative with `/` (e.g. `.liyuan/sessions/x.jsonl`); implementations
 * refuse anything that leaves the root. Every method rejects with `EngineFailure` (`store.io`, `store.disk-full`,
 * `store.read-only`, `store.busy`, `store.no-access` for what may not be read, `path.too-long`) and never half-writes: `writeAtomic` is temp + fsync + rename (+ directory fsync, best effort;
 * rename retries EPERM/EACCES/EBUSY for up to 5 s, opening to write EBUSY). A missing file is `undefined`, never an error.
 */
export interface Files {
  /** Absolute path of the project root. */
  readonly root: string;
  read(path: string): Promise<Uint8Array | undefined>;
  /** Up to `length` bytes from `offset`; fewer at the end of the file. */
  readRange(path: string, offset: number, length: number): Promise<Uint8Array | undefined>;
  /** The same at once, for payloads that are parsed when asked for. Throws what `readRange` rejects with. Small ranges only. */
  readRangeSync(path: string, offset: number, length: number): Uint8Array | undefined;
  stat(path: string): Promise<FileStat | undefined>;
  /** The path that something has in the project once links are followed; of what is not there, the one it would have. `''`: the root. */
  real(path: string): Promise<string>;
  /** Names in a directory (not recursive), unordered; `[]` when it is missing. */
  list(dir: string): Promise<readonly { readonly name: string; readonly kind: FileStat['kind'] }[]>;
  /**
   * Every file below `dir` with its stat, recursive, unordered; names that start with `.` are left out, links are followed as by
   * `stat`; what leaves the root, lies in a dot-folder, cannot be followed (a link to itself, one to where we may not look) or is no file
   * is left out. `real`: the path a file has without links, where one below `dir` led to it. `[]` when `dir` is missing.
   */
  tree(dir: string): Promise<readonly TreeFile[]>;
  /**
   * One `write` call of all `bytes` at the end of the file, created when missing (then the directory is fsynced).
   * `expectedSize`: refuse with `store.changed-outside` when the file is not that long now. Resolves to the new size.
   */
  append(path: string, bytes: Uint8Array, options: { readonly fsync: boolean; readonly expectedSize?: number }): Promise<number>;
  /** `temporaryIn`: the folder for the temporary name, on the same disk; default: that of `path`. */
  writeAtomic(path: string, bytes: Uint8Array, options?: { readonly fsync?: boolean; readonly temporaryIn?: string }): Promise<void>;
  fsync(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  mkdir(dir: string): Promise<void>;
  /**
   * Takes the lock file `path`, or refuses with `store.locked`. Heartbeat and stale takeover inside. With a `holder` its name lies
   * beside the lock, and `held` looks there each time, so that a lock that was broken is noticed before the next write.
   */
  lock(path: string, options?: { readonly staleMs?: number; readonly holder?: LockHolder }): Promise<Lock>;
  /** Who holds a lock, when it has said so. */
  lockHolder(path: string): Promise<LockHolder | undefined>;
  /** Takes a lock away from who holds it and does not give it up. */
  breakLock(path: string): Promise<void>;
}
