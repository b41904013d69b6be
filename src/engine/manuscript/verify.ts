import { ok, type Result } from '../ports/result';
import type { CheckpointRoom } from './checkpoint-room';
import type { BadObject, Verified, VerifyOptions } from './checkpoints';
import type { Manifest } from './checkpoint-log';
import { compareRecords } from './log-state';

/** Objects read between two words on how far it is. */
const EVERY = 16;
/** Checkpoints folded before others get a turn. */
const AT_ONCE = 64;

/**
 * 「校验」: hashes all live files anew, folds every checkpoint, and reads every object that one of them names or that lies in the store.
 * Other operations on checkpoints go on in between.
 */
export async function verify(room: CheckpointRoom, { signal, progress }: VerifyOptions): Promise<Result<Verified>> {
  const { objects } = room.deps;
  const live = await room.reading(() => room.scan({ thorough: true }));
  if (!live.ok) return live;
  const shas = new Set<string>();
  const folds = await foldAll(room, signal, (_, manifest) => {
    for (const sha of manifest.values()) shas.add(sha);
  });
  if (!folds.ok) return folds;
  for (const { sha } of await objects.entries()) if (sha !== undefined) shas.add(sha);
  const bad = new Map<string, BadObject['code']>();
  let read = 0;
  for (const sha of shas) {
    if (signal?.aborted === true) break;
    if (read % EVERY === 0) progress?.(read, shas.size);
    const bytes = await objects.get(sha);
    if (!bytes.ok && bytes.error.code !== 'object.missing' && bytes.error.code !== 'object.corrupt') return bytes;
    if (!bytes.ok) bad.set(sha, bytes.error.code as BadObject['code']);
    read += 1;
  }
  const found = bad.size === 0 ? ok([]) : await hurtBy(room, bad);
  if (!found.ok) return found;
  const { checkpoints, broken } = folds.value;
  return ok({ checkpoints, objects: read, complete: read === shas.size && signal?.aborted !== true, broken, bad: found.value });
}

/** Which checkpoints each bad object hurts. What a clean-up has removed in between, and nothing names, is not bad. */
async function hurtBy(room: CheckpointRoom, bad: ReadonlyMap<string, BadObject['code']>): Promise<Result<readonly BadObject[]>> {
  const hurt = new Map<string, { id: string; paths: string[] }[]>();
  const folds = await foldAll(room, undefined, (id, manifest) => {
    for (const [path, sha] of manifest) {
      if (!bad.has(sha)) continue;
      const places = hurt.get(sha) ?? [];
      hurt.set(sha, places);
      const last = places.at(-1);
      if (last?.id === id) last.paths.push(path);
      else places.push({ id, paths: [path] });
    }
  });
  if (!folds.ok) return folds;
  return ok([...bad].map(([sha, code]) => ({ sha, code, checkpoints: hurt.get(sha) ?? [] })).filter(({ code, checkpoints }) => code === 'object.corrupt' || checkpoints.length > 0));
}

/** Folds every checkpoint that is shown, oldest first, a few at a time. */
async function foldAll(
  room: CheckpointRoom,
  signal: AbortSignal | undefined,
  visit: (id: string, manifest: Manifest) => void,
): Promise<Result<{ readonly checkpoints: number; readonly broken: readonly string[] }>> {
  const listed = await room.reading(async () => {
    const all = await room.history.all();
    return all.ok ? ok([...all.value.records.values()].filter(({ id }) => !all.value.pruned.has(id)).sort(compareRecords)) : all;
  });
  if (!listed.ok) return listed;
  const broken: string[] = [];
  for (let from = 0; from < listed.value.length && signal?.aborted !== true; from += AT_ONCE) {
    const folded = await room.reading(async (): Promise<Result<void>> => {
      for (const { id } of listed.value.slice(from, from + AT_ONCE)) {
        const manifest = await room.history.manifest(id);
        if (manifest.ok) visit(id, manifest.value);
        else if (manifest.error.code === 'checkpoint.broken') broken.push(id);
        else return manifest;
      }
      return ok(undefined);
    });
    if (!folded.ok) return folded;
  }
  return ok({ checkpoints: listed.value.length, broken });
}
