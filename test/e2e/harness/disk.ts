import fs from 'node:fs';
import path from 'node:path';

/**
 * Waits until something below `folder` (absolute; need not exist yet) satisfies `holds`, looked at anew whenever anything
 * changes there. Rejects after `timeoutMs`.
 */
export async function whenOnDisk(folder: string, holds: () => boolean, timeoutMs = 30_000): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  await new Promise<void>((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(late);
      watcher.close();
      settle();
    };
    const look = (): void => {
      if (holds()) finish(resolve);
    };
    const late = setTimeout(() => finish(() => reject(new Error(`Not on the disk within ${timeoutMs} ms: ${holds.toString()}`))), timeoutMs);
    const watcher = fs.watch(folder, look);
    look();
  });
}

/** Texts of the files directly in a folder; none when there is no such folder. A file that vanishes meanwhile is left out. */
export function textsIn(folder: string): readonly string[] {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).flatMap((name) => {
    try {
      return [fs.readFileSync(path.join(folder, name), 'utf8')];
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
      throw error;
    }
  });
}
