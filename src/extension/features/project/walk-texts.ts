import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The `.md` and `.txt` files of a folder, by where they lie. */
export interface FoundTexts {
  /** Names of those in the folder itself, as the disk gives them. */
  readonly loose: readonly string[];
  /** Folders in it with the number of texts below them; those without any are left out. */
  readonly folders: ReadonlyMap<string, number>;
  /** False when the walk ended early: there may be more than was counted. */
  readonly complete: boolean;
  /** How many folders could not be read. */
  readonly unread: number;
}

export interface WalkOptions {
  /** Aborted: what has been found so far. */
  readonly signal: AbortSignal;
  /** Files and folders looked at before the walk ends early. */
  readonly most?: number;
  readonly list?: (folder: string) => Promise<readonly Dirent[]>;
}

const MOST = 20_000;
const isText = (name: string): boolean => /\.(?:md|txt)$/i.test(name);
const isPassedBy = (name: string): boolean => name.startsWith('.') || name === 'node_modules';
const listFolder = (folder: string): Promise<readonly Dirent[]> => readdir(folder, { withFileTypes: true });

/**
 * Walks a folder (absolute path), level by level, so that all of its own folders are met before the walk may end early. Dot-folders,
 * `node_modules` and links are not looked into. Rejects only when the folder itself cannot be read.
 */
export async function walkTexts(root: string, { signal, most = MOST, list = listFolder }: WalkOptions): Promise<FoundTexts> {
  const loose: string[] = [];
  const folders = new Map<string, number>();
  let unread = 0;
  let seen = 0;
  let level: { readonly path: string; readonly top: string }[] = [];

  for (const entry of await list(root)) {
    if (isPassedBy(entry.name)) continue;
    seen += 1;
    if (entry.isDirectory()) level.push({ path: join(root, entry.name), top: entry.name });
    else if (entry.isFile() && isText(entry.name)) loose.push(entry.name);
  }
  const found = (complete: boolean): FoundTexts => ({ loose, folders, complete, unread });

  while (level.length > 0) {
    const next: typeof level = [];
    for (const { path, top } of level) {
      if (signal.aborted || seen >= most) return found(false);
      let entries: readonly Dirent[];
      try {
        entries = await list(path);
      } catch {
        // Somebody else's folder, or gone meanwhile: counted, and said.
        unread += 1;
        continue;
      }
      for (const entry of entries) {
        if (isPassedBy(entry.name)) continue;
        seen += 1;
        if (entry.isDirectory()) next.push({ path: join(path, entry.name), top });
        else if (entry.isFile() && isText(entry.name)) folders.set(top, (folders.get(top) ?? 0) + 1);
      }
    }
    level = next;
  }
  return found(true);
}
