import type { Files } from '../ports/files';
import { ok, refuse, type Result } from '../ports/result';
import type { ProjectRules } from '../project/project';
import { refusing } from '../store/failures';
import { foldedPath, type NamesOnDisk } from './names-on-disk';

/** A named folder, and the path it has in the project once links are followed. */
export interface CoveredRoot {
  readonly path: string;
  readonly real: string;
}

/**
 * Whether checkpoints cover the file that a path leads to: by its name, and where a link below the named folder leads elsewhere, by where it
 * really lies (`real`; `undefined`: no link). What the agent may write and what the scan takes in both follow from this.
 */
export function isCovered(rules: ProjectRules, root: CoveredRoot, path: string, real: string | undefined): boolean {
  if (!rules.covered(path)) return false;
  if (real === undefined || real === path) return true;
  return rules.covered(real.startsWith(`${root.real}/`) ? `${root.path}${real.slice(root.real.length)}` : real);
}

/**
 * The path of an edit as the scan will name what it leaves behind: below the folder as the project names it, by the names on the disk. `fresh`:
 * the last name is a new one, and stays as it is.
 */
export async function scannedPath(names: NamesOnDisk, rules: ProjectRules, path: string, fresh = false): Promise<string> {
  const root = rules.roots.find((folder) => foldedPath(path).startsWith(`${foldedPath(folder)}/`));
  if (root === undefined || !(await names.foldsCase())) return path.normalize('NFC');
  const parts = path.normalize('NFC').slice(root.length + 1).split('/');
  const last = fresh ? `/${parts.pop() ?? ''}` : '';
  return `${await names.of([root, ...parts].join('/'), root)}${last}`;
}

/** Refuses `path.not-writable` for a path, there or not, that leads to where checkpoints do not cover, and `path.outside` where it leads out of the project. */
export function checkCovered(files: Files, rules: ProjectRules, path: string): Promise<Result<void>> {
  return refusing(
    path,
    async () => {
      const covered = async (): Promise<boolean> => {
        if (rules.files.includes(path)) return true;
        const root = rules.roots.find((folder) => path.startsWith(`${folder}/`));
        return root !== undefined && isCovered(rules, { path: root, real: await files.real(root) }, path, await files.real(path));
      };
      return (await covered()) ? ok(undefined) : refuse('path.not-writable', { path });
    },
    'reading',
  );
}
