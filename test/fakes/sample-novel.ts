import fs from 'node:fs';
import path from 'node:path';
import { sampleNovel } from '../../scripts/lib/paths.mjs';

/** The author's files of the sample novel, by path. */
export function sampleNovelFiles(): Readonly<Record<string, Uint8Array>> {
  const names = fs.readdirSync(sampleNovel, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.') && fs.statSync(path.join(sampleNovel, name)).isFile());
  return Object.fromEntries(names.map((name) => [name.split(path.sep).join('/'), fs.readFileSync(path.join(sampleNovel, name))]));
}
