import { sha256Hex } from '../text/hash';
import type { Manifest } from './checkpoint-log';

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** SHA-256 of the canonical full manifest: `path\0sha\n` per file, sorted by code unit. */
export function treeOf(manifest: Manifest): string {
  // The default order of strings is that of code units.
  let text = '';
  for (const path of [...manifest.keys()].sort()) text += `${path}\0${manifest.get(path) ?? ''}\n`;
  return sha256Hex(text);
}

/** Path → hash now, `null` where the path is gone. Sorted by code unit, so that equal changes are equal bytes. */
export type ManifestDelta = Readonly<Record<string, string | null>>;

export function deltaOf(before: Manifest, after: Manifest): ManifestDelta {
  const changed: [string, string | null][] = [];
  for (const [path, sha] of after) if (before.get(path) !== sha) changed.push([path, sha]);
  for (const path of before.keys()) if (!after.has(path)) changed.push([path, null]);
  return Object.fromEntries(changed.sort(([a], [b]) => byCodeUnit(a, b)));
}

export function applyDelta(before: Manifest, delta: ManifestDelta): Manifest {
  const after = new Map(before);
  for (const [path, sha] of Object.entries(delta)) {
    if (sha === null) after.delete(path);
    else after.set(path, sha);
  }
  return after;
}

export function sameManifest(a: Manifest, b: Manifest): boolean {
  if (a.size !== b.size) return false;
  for (const [path, sha] of a) if (b.get(path) !== sha) return false;
  return true;
}

export function manifestOf(files: Readonly<Record<string, string>>): Manifest {
  return new Map(Object.entries(files));
}

export function filesOf(manifest: Manifest): Record<string, string> {
  return Object.fromEntries([...manifest].sort(([a], [b]) => byCodeUnit(a, b)));
}
