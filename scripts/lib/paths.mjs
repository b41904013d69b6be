// Where things are. Node built-ins only: this runs before anything is installed.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/** Path inside the repository. */
export function at(...parts) {
  return path.join(root, ...parts);
}

export const sampleNovel = at('assets/sample-novel');
export const serverHome = path.resolve(process.env.VSCODE_SERVER_DIR ?? at('.vscode-test/code-server'));
