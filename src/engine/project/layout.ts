import type { Files } from '../ports/files';
import type { Ids } from '../ports/ids';

/** Logs grow line by line on either side; an object is whole or worthless, so that its bytes are never merged. */
const GIT_ATTRIBUTES = '*.jsonl merge=union -text\nobjects/** -text -diff -merge\n';
const GIT_IGNORE = 'local/\ncache/\nlocks/\n*.tmp\n';
const MACHINE_FILE = '.liyuan/local/machine';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Makes what is missing of `.liyuan/`. Files that exist are left as the author has them. */
export async function ensureLayout(files: Files): Promise<void> {
  for (const folder of ['sessions', 'checkpoints', 'objects', 'traces', 'local', 'cache', 'locks']) {
    await files.mkdir(`.liyuan/${folder}`);
  }
  const texts: readonly (readonly [string, string])[] = [
    ['.liyuan/.gitattributes', GIT_ATTRIBUTES],
    ['.liyuan/.gitignore', GIT_IGNORE],
  ];
  for (const [path, text] of texts) {
    if ((await files.stat(path)) === undefined) await files.writeAtomic(path, encode(text));
  }
}

/** This machine's id as recorded, `undefined` when there is none yet. */
export async function readMachine(files: Files): Promise<string | undefined> {
  const bytes = await files.read(MACHINE_FILE);
  const id = bytes === undefined ? '' : new TextDecoder().decode(bytes).trim();
  return /^[0-9A-Za-z-]{8,64}$/.test(id) ? id : undefined;
}

/** This machine's id, made and recorded when there is none. */
export async function ensureMachine(files: Files, ids: Ids): Promise<string> {
  const known = await readMachine(files);
  if (known !== undefined) return known;
  const fresh = ids.next();
  await files.writeAtomic(MACHINE_FILE, encode(`${fresh}\n`));
  return fresh;
}
