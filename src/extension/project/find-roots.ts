import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder of the window, by its absolute path. */
export interface Folder {
  readonly path: string;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return false;
    throw error;
  }
}

/** The folders that hold a project, in the window's order. A folder that cannot be looked into counts as holding none. */
export async function findProjectRoots<F extends Folder>(folders: readonly F[], failed: (folder: F, error: unknown) => void): Promise<readonly F[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      try {
        return await isThere(join(folder.path, '.liyuan', 'project.json'));
      } catch (error) {
        failed(folder, error);
        return false;
      }
    }),
  );
  return folders.filter((_, index) => found[index]);
}

/** The one active project of the window: the remembered root if it is still there, else the first. */
export function chooseRoot<F extends Folder>(roots: readonly F[], remembered: string | undefined): F | undefined {
  return roots.find((root) => root.path === remembered) ?? roots[0];
}
