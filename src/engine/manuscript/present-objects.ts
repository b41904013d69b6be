import type { Files } from '../ports/files';
import { mapLimited } from '../store/limited';

const FOLDER = '.liyuan/objects';
const AT_ONCE = 32;
/** Time stamps of folders are no finer than this, in nanoseconds. */
const RACY_NS = 2_000_000_000n;

/**
 * Which objects have a file, by the folders they lie in. What is in the file is not looked at; one of zero bytes is none. Objects may go
 * while a window is open: by a clean-up, which says so in the log first, or by a pull, a checkout or a cloud drive, which say nothing.
 */
export interface PresentObjects {
  /**
   * Those of `shas` that are there as far as is known: a folder is looked at when it never was, or after `distrust`. Under the checkpoint
   * lock, so that no clean-up is under way. `at`: the file system's own time before that, in ns.
   */
  among(shas: Iterable<string>, at: bigint | undefined): Promise<Set<string>>;
  /** These have been written. */
  written(shas: Iterable<string>): void;
  /** A clean-up may have taken any: the next `among` looks at all of them anew. */
  distrust(): void;
  /**
   * Those of `shas` that are not there, however well they are known: without the lock, and for everything that nobody announces. A folder
   * is only listed again when its stamp is another, or was so young when it was listed that it says nothing.
   */
  missing(shas: Iterable<string>, at: bigint | undefined): Promise<Set<string>>;
}

interface Listed {
  readonly stamp: string;
  /** Whether any later change would have given it another stamp. */
  readonly settled: boolean;
  readonly names: Set<string>;
}

type Folders = Map<string, Listed>;

const folderOf = (sha: string): string => sha.slice(0, 2);

export function createPresentObjects({ files }: { readonly files: Files }): PresentObjects {
  /** Replaced when it is not to be trusted any more: a look that goes on then belongs to the old one. */
  let folders: Folders = new Map();
  let distrusted = false;

  const look = async (into: Folders, folder: string, at: bigint | undefined): Promise<ReadonlySet<string>> => {
    const path = `${FOLDER}/${folder}`;
    const stat = await files.stat(path);
    if (stat === undefined) {
      into.delete(folder);
      return new Set();
    }
    const { mtimeNs, ctimeNs, ino } = stat;
    const stamp = `${mtimeNs}-${ctimeNs}-${ino}`;
    const known = into.get(folder);
    if (known?.stamp === stamp && known.settled) return known.names;
    const there = (await files.tree(path)).filter((file) => file.stat.size > 0);
    const names = new Set(there.map((file) => file.path.slice(path.length + 1)));
    const settled = at !== undefined && (mtimeNs > ctimeNs ? mtimeNs : ctimeNs) <= at - RACY_NS;
    into.set(folder, { stamp, settled, names });
    return names;
  };

  const byFolder = (shas: Iterable<string>): ReadonlyMap<string, readonly string[]> => {
    const sorted = new Map<string, string[]>();
    for (const sha of shas) {
      const there = sorted.get(folderOf(sha));
      if (there === undefined) sorted.set(folderOf(sha), [sha]);
      else there.push(sha);
    }
    return sorted;
  };

  return {
    async among(shas, at) {
      if (distrusted) folders = new Map();
      distrusted = false;
      const now = folders;
      const wanted = byFolder(shas);
      await mapLimited([...wanted.keys()].filter((folder) => !now.has(folder)), AT_ONCE, (folder) => look(now, folder, at));
      const found = new Set<string>();
      for (const [folder, some] of wanted) {
        const names = now.get(folder)?.names;
        for (const sha of some) if (names?.has(sha) === true) found.add(sha);
      }
      return found;
    },
    written(shas) {
      for (const sha of shas) folders.get(folderOf(sha))?.names.add(sha);
    },
    distrust() {
      distrusted = true;
    },
    async missing(shas, at) {
      const now = folders;
      const missing = new Set<string>();
      await mapLimited([...byFolder(shas)], AT_ONCE, async ([folder, some]) => {
        const names = await look(now, folder, at);
        for (const sha of some) if (!names.has(sha)) missing.add(sha);
      });
      return missing;
    },
  };
}
