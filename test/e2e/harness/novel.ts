import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sampleNovel } from '../../../scripts/lib/paths.mjs';

/** A fresh copy of a novel (the sample if none is named) under the system's temporary folder; the caller removes it. */
export function freshNovel(source: string = sampleNovel): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'liyuan-novel-'));
  fs.cpSync(source, folder, { recursive: true });
  return fs.realpathSync(folder);
}

/** Removes a folder made for a test. */
export function removeFolder(folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
