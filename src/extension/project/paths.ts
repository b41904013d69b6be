/** Scheme and path of an address, as VS Code gives them. */
interface Address {
  readonly scheme: string;
  readonly path: string;
}

/** The path of a file in a project: NFC, `/`, relative to its root. `undefined`: it lies elsewhere, or is another kind of document. */
export function pathIn(root: Address, { scheme, path }: Address): string | undefined {
  const base = `${root.path.replace(/\/$/, '')}/`;
  return scheme === root.scheme && path.startsWith(base) ? path.slice(base.length).normalize('NFC') : undefined;
}

/** The last part of a path. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
