import type { ErrorCode } from '../ports/errors';
import { EngineFailure, fail, type Result } from '../ports/result';

/** The `code` of a Node system error, e.g. `ENOENT`; `undefined` for anything else. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

const storeCodes: Readonly<Record<string, ErrorCode>> = {
  ENOSPC: 'store.disk-full',
  EDQUOT: 'store.disk-full',
  EFBIG: 'store.disk-full',
  EROFS: 'store.read-only',
  EACCES: 'store.read-only',
  EPERM: 'store.read-only',
  EBUSY: 'store.busy',
  ETXTBSY: 'store.busy',
  ENAMETOOLONG: 'path.too-long',
};

/** What is another thing while reading: nobody wanted to write. */
const readCodes: Readonly<Record<string, ErrorCode>> = { EACCES: 'store.no-access', EPERM: 'store.no-access' };

/** Turns whatever a file operation threw into the failure the `Files` port promises: `store.*` or `path.*` with `{path, errno}`. */
export function storeFailure(error: unknown, path: string, doing: 'reading' | 'writing' = 'writing'): EngineFailure {
  if (error instanceof EngineFailure) return error;
  const errno = errnoOf(error);
  const code = (errno === undefined ? undefined : ((doing === 'reading' ? readCodes[errno] : undefined) ?? storeCodes[errno])) ?? 'store.io';
  return new EngineFailure({
    code,
    args: errno === undefined ? { path } : { path, errno },
    cause: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}

/** True for `ENOENT` and `ENOTDIR`: there is no such file. */
export function isMissing(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === 'ENOENT' || errno === 'ENOTDIR';
}

/** Runs an operation on `path`; what it throws (a file that is busy or closed for a moment) becomes its refusal, as by `storeFailure`. */
export async function refusing<T>(path: string, run: () => Promise<Result<T>>, doing: 'reading' | 'writing' = 'writing'): Promise<Result<T>> {
  try {
    return await run();
  } catch (error) {
    return fail(storeFailure(error, path, doing).error);
  }
}
