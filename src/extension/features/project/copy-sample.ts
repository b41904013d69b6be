import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const MOST_TRIES = 1000;

/** Makes a folder of this name in `parent` that was not there before: `name`, else `name 2`, `name 3` …; gives its path. */
export async function makeFreshFolder(parent: string, name: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const path = join(parent, n === 1 ? name : `${name} ${String(n)}`);
    try {
      await mkdir(path);
      return path;
    } catch (error) {
      if (n >= MOST_TRIES || !(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}

/** Copies a folder's files into one that holds none of them, as files of one's own: writable, whatever the originals are. Never writes over a file. */
export async function copyFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target, { recursive: true });
      await copyFolder(source, target);
    } else {
      await writeFile(target, await readFile(source), { flag: 'wx' });
    }
  }
}
