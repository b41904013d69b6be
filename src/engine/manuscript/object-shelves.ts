import type { Files, FileStat } from '../ports/files';
import { mapLimited } from '../store/limited';

const FOLDER = '.liyuan/objects';
const LOOKS_AT_ONCE = 64;

interface Shelf {
  readonly ino: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly names: readonly string[];
}

/** Which objects lie in their folders, by name alone; whoever has to be sure of one asks the store. */
export interface Shelves {
  /** Names in the folders of these objects. A folder is listed again once it looks different; files of zero bytes are not there. */
  names(shas: Iterable<string>): Promise<ReadonlySet<string>>;
}

const isSame = (shelf: Shelf, stat: FileStat): boolean => shelf.ino === stat.ino && shelf.mtimeNs === stat.mtimeNs && shelf.ctimeNs === stat.ctimeNs;

export function createShelves(files: Files): Shelves {
  const shelves = new Map<string, Shelf>();
  return {
    async names(shas) {
      const folders = new Set<string>();
      for (const sha of shas) folders.add(sha.slice(0, 2));
      const found = new Set<string>();
      await mapLimited([...folders], LOOKS_AT_ONCE, async (folder) => {
        const stat = await files.stat(`${FOLDER}/${folder}`);
        const known = shelves.get(folder);
        let names: readonly string[] = [];
        if (stat === undefined) shelves.delete(folder);
        else if (known !== undefined && isSame(known, stat)) names = known.names;
        else {
          const there = await files.tree(`${FOLDER}/${folder}`);
          names = there.filter((file) => file.stat.size > 0).map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
          const { ino, mtimeNs, ctimeNs } = stat;
          shelves.set(folder, { ino, mtimeNs, ctimeNs, names });
        }
        for (const name of names) found.add(name);
      });
      return found;
    },
  };
}
