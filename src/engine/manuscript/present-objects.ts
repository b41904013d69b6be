import type { Files } from '../ports/files';
import { mapLimited } from '../store/limited';

const FOLDER = '.liyuan/objects';
const AT_ONCE = 32;

/**
 * Which objects have a file. What is in the file is not looked at; one of zero bytes is none. Objects may go while a window is open: by
 * a clean-up, which says so in the log first, or by a pull, a checkout or a cloud drive, which say nothing. Each is asked for by its name,
 * so that it costs the same however many others there are, and whatever the time stamps of their folders are worth.
 */
export interface PresentObjects {
  /**
   * Those of `shas` that are there as far as is known: one that has been seen since the last `distrust` is not looked for. Under the
   * checkpoint lock, so that no clean-up is under way.
   */
  among(shas: Iterable<string>): Promise<Set<string>>;
  /** These have been written. */
  written(shas: Iterable<string>): void;
  /** A clean-up may have taken any: all of them are looked for anew. */
  distrust(): void;
  /** Those of `shas` that are not there, however well they are known. Needs no lock: nothing is believed because of it. */
  missing(shas: Iterable<string>): Promise<Set<string>>;
}

export function createPresentObjects({ files }: { readonly files: Files }): PresentObjects {
  const known = new Set<string>();

  const isThere = async (sha: string): Promise<boolean> => ((await files.stat(`${FOLDER}/${sha.slice(0, 2)}/${sha}`))?.size ?? 0) > 0;

  return {
    async among(shas) {
      const wanted = new Set(shas);
      await mapLimited([...wanted].filter((sha) => !known.has(sha)), AT_ONCE, async (sha) => {
        if (await isThere(sha)) known.add(sha);
      });
      for (const sha of wanted) if (!known.has(sha)) wanted.delete(sha);
      return wanted;
    },
    written(shas) {
      for (const sha of shas) known.add(sha);
    },
    distrust() {
      known.clear();
    },
    async missing(shas) {
      const missing = new Set<string>();
      await mapLimited([...new Set(shas)], AT_ONCE, async (sha) => {
        if (await isThere(sha)) return;
        known.delete(sha);
        missing.add(sha);
      });
      return missing;
    },
  };
}
