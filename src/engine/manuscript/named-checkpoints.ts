import type { Files } from '../ports/files';

const LOCAL = '.liyuan/local';
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/**
 * Whatever looks like an id in this machine's own lists (`local/**.json`: jobs, what waits, what is under way), among them the checkpoints that
 * these offer to go back to; so that a new kind of list is safe before anybody thinks of it. Rejects with what `Files` rejects with: then nobody knows.
 */
export async function namedCheckpoints(files: Files): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const { path } of await files.tree(LOCAL)) {
    if (!path.endsWith('.json')) continue;
    const text = Buffer.from((await files.read(path)) ?? new Uint8Array()).toString('latin1');
    for (const [id] of text.matchAll(ID)) named.add(id);
  }
  return named;
}
