import fs from 'node:fs';
import path from 'node:path';
import { at } from '../scripts/lib/paths.mjs';

/** The texts of the sample novel, by path. */
export function sampleNovel(): Readonly<Record<string, Uint8Array>> {
  const root = at('assets/sample-novel');
  const names = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('.') && fs.statSync(path.join(root, name)).isFile());
  return Object.fromEntries(names.map((name) => [name.split(path.sep).join('/'), fs.readFileSync(path.join(root, name))]));
}

/** The first sentence of a chapter that occurs once in it. */
export function sentenceOf(text: string): string {
  const found = [...text.matchAll(/[^。\n#]{8,40}。/g)].map(([sentence]) => sentence).find((sentence) => text.split(sentence).length === 2);
  if (found === undefined) throw new Error('a chapter has no sentence of its own');
  return found;
}
