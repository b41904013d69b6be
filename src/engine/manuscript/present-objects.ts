import type { Files } from '../ports/files';
import { mapLimited } from '../store/limited';

const FOLDER = '.liyuan/objects';
const AT_ONCE = 32;

/** Which objects have a file, by the folders they lie in. What is in the file is not looked at; one of zero bytes is none. */
export interface PresentObjects {
  /** Those of `shas` that are there now: a folder that looks as it did is not listed again, however many objects there are. */
  among(shas: Iterable<string>): Promise<Set<string>>;
}

interface Listed {
  readonly stamp: string;
  readonly names: ReadonlySet<string>;
}

/** Objects may go while a window is open: a pull, a checkout or a cloud drive takes files away without a word. */
export function createPresentObjects({ files }: { readonly files: Files }): PresentObjects {
  const folders = new Map<string, Listed>();

  const namesIn = async (folder: string): Promise<ReadonlySet<string>> => {
    const path = `${FOLDER}/${folder}`;
    const stat = await files.stat(path);
    if (stat === undefined) {
      folders.delete(folder);
      return new Set();
    }
    const stamp = `${stat.mtimeNs}-${stat.ctimeNs}-${stat.ino}`;
    const known = folders.get(folder);
    if (known?.stamp === stamp) return known.names;
    const there = (await files.tree(path)).filter((file) => file.stat.size > 0);
    const names = new Set(there.map((file) => file.path.slice(path.length + 1)));
    folders.set(folder, { stamp, names });
    return names;
  };

  return {
    async among(shas) {
      const byFolder = new Map<string, string[]>();
      for (const sha of shas) {
        const folder = sha.slice(0, 2);
        const there = byFolder.get(folder);
        if (there === undefined) byFolder.set(folder, [sha]);
        else there.push(sha);
      }
      const found = new Set<string>();
      await mapLimited([...byFolder], AT_ONCE, async ([folder, wanted]) => {
        const names = await namesIn(folder);
        for (const sha of wanted) if (names.has(sha)) found.add(sha);
      });
      return found;
    },
  };
}
