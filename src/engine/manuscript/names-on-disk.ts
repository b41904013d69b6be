import type { Files } from '../ports/files';

/** What a path comes to where names that differ in case, or in normal form, are one file. */
export const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase();

/** Two paths that are one file on a disk that folds case. */
export function twinsAmong(paths: Iterable<string>): readonly [string, string] | undefined {
  const known = new Map<string, string>();
  for (const path of paths) {
    const folded = foldedPath(path);
    const other = known.get(folded);
    if (other !== undefined) return [other, path];
    known.set(folded, path);
  }
  return undefined;
}

/** What the disk calls things. Where case counts, everything is called as it was asked for. */
export interface NamesOnDisk {
  /** Whether names that differ in case alone are one file here. */
  foldsCase(): Promise<boolean>;
  /** The path (NFC) with the names of what stands there; what does not stand there is called as asked. Its first folders, `as`, stay as they are given. */
  of(path: string, as?: string): Promise<string>;
  /** Whether what stands at a path, if anything, has its last name, and not one that differs in case. */
  isNamed(path: string): Promise<boolean>;
}

const OWN = '.liyuan';

export function createNamesOnDisk(files: Files): NamesOnDisk {
  let folds: boolean | undefined;

  const foldsCase = async (): Promise<boolean> => {
    if (folds !== undefined) return folds;
    const own = await files.stat(OWN);
    if (own === undefined) return false;
    const other = await files.stat(OWN.toUpperCase());
    folds = other !== undefined && other.ino === own.ino;
    return folds;
  };

  /** What a folder calls an entry. */
  const nameIn = async (folder: string, name: string): Promise<string | undefined> => {
    const names = (await files.list(folder === '' ? '.' : folder)).map((entry) => entry.name);
    const same = names.find((one) => one.normalize('NFC') === name) ?? names.find((one) => foldedPath(one) === foldedPath(name));
    return same?.normalize('NFC');
  };

  return {
    foldsCase,
    async of(path, as = '') {
      const asked = path.normalize('NFC');
      if (!(await foldsCase())) return asked;
      let at = as;
      for (const part of asked.slice(as.length).split('/')) {
        if (part !== '') at = `${at === '' ? '' : `${at}/`}${(await nameIn(at, part)) ?? part}`;
      }
      return at;
    },
    async isNamed(path) {
      if (!(await foldsCase())) return true;
      const [name = '', ...above] = path.normalize('NFC').split('/').reverse();
      const found = await nameIn(above.reverse().join('/'), name);
      return found === undefined || found === name;
    },
  };
}
