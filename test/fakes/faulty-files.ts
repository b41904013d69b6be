import type { ErrorCode } from '../../src/engine/ports/errors';
import type { Files } from '../../src/engine/ports/files';
import { EngineFailure } from '../../src/engine/ports/result';

export type FileOperation = Exclude<keyof Files, 'root'>;

export interface SeenOperation {
  readonly name: FileOperation;
  readonly path: string;
}

/** What happens to one operation: nothing, a failure instead of it, a failure after it, or a cut append. */
export type Fault =
  | { readonly kind: 'fail'; readonly code: ErrorCode }
  /** The operation is done, and then fails all the same (a failing fsync). */
  | { readonly kind: 'fail-after'; readonly code: ErrorCode }
  /** Only so many bytes of an append reach the file, as when the machine stops; then `store.io`. */
  | { readonly kind: 'tear'; readonly bytes: number };

export interface FaultyFiles extends Files {
  /** Every operation so far, in order. */
  readonly seen: readonly SeenOperation[];
  /** Asked before each operation with its number (from 1) among those seen; replaces the one before. */
  faults(plan: ((operation: SeenOperation, nth: number) => Fault | undefined) | undefined): void;
  /** All writing fails from here on as on a full disk; `false` ends it. */
  diskFull(full: boolean): void;
  /** Operations wait until the returned function is called. */
  hold(): () => void;
}

const WRITING: ReadonlySet<FileOperation> = new Set(['append', 'writeAtomic', 'mkdir', 'lock', 'rename']);

/** `Files` that break when told to. */
export function createFaultyFiles(files: Files): FaultyFiles {
  const seen: SeenOperation[] = [];
  let plan: ((operation: SeenOperation, nth: number) => Fault | undefined) | undefined;
  let full = false;
  let gate: Promise<void> = Promise.resolve();

  const broken = (code: ErrorCode, path: string): EngineFailure => new EngineFailure({ code, args: { path } });
  const through = async <T>(name: FileOperation, path: string, run: () => Promise<T>, tear?: (bytes: number) => Promise<unknown>): Promise<T> => {
    const operation = { name, path };
    seen.push(operation);
    const nth = seen.length;
    await gate;
    if (full && WRITING.has(name)) throw broken('store.disk-full', path);
    const fault = plan?.(operation, nth);
    if (fault?.kind === 'fail') throw broken(fault.code, path);
    if (fault?.kind === 'tear') {
      await tear?.(fault.bytes);
      throw broken('store.io', path);
    }
    const result = await run();
    if (fault?.kind === 'fail-after') throw broken(fault.code, path);
    return result;
  };

  return {
    root: files.root,
    seen,
    faults(next) {
      plan = next;
    },
    diskFull(value) {
      full = value;
    },
    hold() {
      let open = (): void => undefined;
      gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      return open;
    },
    read: (path) => through('read', path, () => files.read(path)),
    readRange: (path, offset, length) => through('readRange', path, () => files.readRange(path, offset, length)),
    // Not seen and not held: it cannot wait. Only failures planned for it apply.
    readRangeSync(path, offset, length) {
      const fault = plan?.({ name: 'readRangeSync', path }, seen.length);
      if (fault?.kind === 'fail') throw broken(fault.code, path);
      return files.readRangeSync(path, offset, length);
    },
    stat: (path) => through('stat', path, () => files.stat(path)),
    real: (path) => through('real', path, () => files.real(path)),
    list: (dir) => through('list', dir, () => files.list(dir)),
    tree: (dir) => through('tree', dir, () => files.tree(dir)),
    append: (path, bytes, options) =>
      through(
        'append',
        path,
        () => files.append(path, bytes, options),
        (count) => files.append(path, bytes.subarray(0, count), { ...options, fsync: false }),
      ),
    writeAtomic: (path, bytes, options) => through('writeAtomic', path, () => files.writeAtomic(path, bytes, options)),
    fsync: (path) => through('fsync', path, () => files.fsync(path)),
    rename: (from, to) => through('rename', from, () => files.rename(from, to)),
    remove: (path) => through('remove', path, () => files.remove(path)),
    mkdir: (dir) => through('mkdir', dir, () => files.mkdir(dir)),
    lock: (path, options) => through('lock', path, () => files.lock(path, options)),
    lockHolder: (path) => files.lockHolder(path),
    breakLock: (path) => files.breakLock(path),
  };
}
