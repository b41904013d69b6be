import fs from 'node:fs';
import path from 'node:path';
import { root } from '../scripts/lib/paths.mjs';
import { capture } from '../scripts/lib/run.mjs';

export interface Packed {
  readonly file: string;
  readonly bytes: number;
}

/** The extension as users install it, packed into `folder`. Throws what `npm run package` says when it refuses. */
export async function packExtension(folder: string): Promise<Packed> {
  const file = path.join(folder, 'liyuan.vsix');
  const { code, stdout, stderr } = await capture(process.execPath, ['scripts/package.mjs', '--out', file], { cwd: root });
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return { file, bytes: fs.statSync(file).size };
}
