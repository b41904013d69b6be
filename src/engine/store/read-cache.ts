import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { EngineFailure } from '../ports/result';

/** A file that can be made anew from others. One that cannot be read (not ours, a broken sector, a folder of that name) is as good as missing. */
export async function readCache({ files, log }: { readonly files: Files; readonly log: Log }, path: string): Promise<Uint8Array | undefined> {
  try {
    return await files.read(path);
  } catch (error) {
    if (!(error instanceof EngineFailure)) throw error;
    log.warn('a cache cannot be read and is made anew', { path, code: error.error.code });
    return undefined;
  }
}
