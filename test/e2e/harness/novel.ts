import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sampleNovel } from '../../../scripts/lib/paths.mjs';

const prefix = 'liyuan-novel-';

/** A fresh copy of a novel (the sample if none is named) in a temporary folder of its own; `removeNovel` removes both. */
export function freshNovel(source: string = sampleNovel): string {
  const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), prefix)), '盐渡来信');
  fs.cpSync(source, folder, { recursive: true });
  return fs.realpathSync(folder);
}

/** Removes what `freshNovel` made, and refuses anything else. */
export function removeNovel(folder: string): void {
  if (!path.basename(path.dirname(folder)).startsWith(prefix)) throw new Error(`not a fresh novel: ${folder}`);
  fs.rmSync(path.dirname(folder), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
