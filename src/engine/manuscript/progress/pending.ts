import { ok, type Result } from '../../ports/result';
import type { Documents } from '../../ports/documents';
import { sha256Hex } from '../../text/hash';
import { decodeBytes } from '../../text/encoding';
import { isChapter } from '../chapters';
import type { CheckpointRecord, Manifest } from '../checkpoint-log';
import type { Checkpoints } from '../checkpoints';
import { compareRecords } from '../log-state';
import { knownElsewhere, stillCarried, wereBroughtIn, type TextStore } from './count';
import { measureWriting, type TextPair } from './measure';
import type { LeftText } from './moves';
import { createFolder } from './walk';

/** What is written now and in no checkpoint yet. */
export interface Pending {
  /** `tips`: checkpoints that are nobody's parent. Refuses `store.*`, also by an `EngineFailure`. */
  count(tips: readonly CheckpointRecord[], records: ReadonlyMap<string, CheckpointRecord>): Promise<Result<number>>;
  dispose(): void;
}

export interface PendingDeps {
  readonly checkpoints: Pick<Checkpoints, 'compare' | 'manifest'>;
  readonly documents: Pick<Documents, 'read' | 'bytes' | 'watch'>;
  readonly texts: TextStore;
  readonly folder: () => string;
  readonly left: (id: string) => readonly LeftText[];
  /** Time now, ms since the epoch. */
  readonly now: () => number;
}

interface Base {
  readonly id: string;
  readonly manifest: Manifest;
  readonly known: readonly string[];
  readonly carried: readonly LeftText[];
}

/** Looks at everything once for each newest checkpoint; after that only at chapters that the documents report as changed. */
export function createPending(deps: PendingDeps): Pending {
  const { checkpoints, documents, texts } = deps;
  let base: Base | undefined;
  let touched = new Set<string>();
  const stop = documents.watch(({ path }) => {
    const normal = path.normalize('NFC');
    if (isChapter(normal, deps.folder())) touched.add(normal);
  });

  const baseOf = async (tips: readonly CheckpointRecord[], records: ReadonlyMap<string, CheckpointRecord>): Promise<Result<Base | undefined>> => {
    const [head, ...others] = [...tips].sort((a, b) => compareRecords(b, a));
    if (head === undefined) return ok(undefined);
    if (base?.id === head.id) return ok(base);
    const before = touched;
    touched = new Set();
    const manifest = await checkpoints.manifest(head.id);
    const changed = manifest.ok ? await checkpoints.compare(head.id, 'now') : manifest;
    if (!manifest.ok || !changed.ok) {
      touched = new Set([...before, ...touched]);
      return manifest.ok ? (changed as typeof changed & { ok: false }) : manifest;
    }
    for (const { path, from } of changed.value) for (const one of [path, ...(from === undefined ? [] : [from])]) touched.add(one);
    const folder = createFolder(records);
    const known = await knownElsewhere(others.map(({ id }) => id), manifest.value, folder, { texts, folder: deps.folder() });
    base = { id: head.id, manifest: manifest.value, known, carried: tips.flatMap(({ id }) => deps.left(id)) };
    return ok(base);
  };

  /** `''`: no such file, or no text. */
  const liveText = async (path: string, sha: string | null): Promise<string | undefined> => {
    const live = await documents.read(path);
    if (live.ok) return live.value.text;
    const bytes = await documents.bytes(path);
    if (bytes === undefined) return '';
    if (sha256Hex(bytes) === sha) return undefined;
    const decoded = decodeBytes(bytes);
    return decoded.ok ? decoded.value.text : '';
  };

  const count = async (tips: readonly CheckpointRecord[], records: ReadonlyMap<string, CheckpointRecord>): Promise<Result<number>> => {
    const from = await baseOf(tips, records);
    if (!from.ok) return from;
    if (from.value === undefined) return ok(0);
    const { manifest, known, carried } = from.value;
    const edited: TextPair[] = [];
    const added: TextPair[] = [];
    const folder = deps.folder();
    for (const path of touched) {
      if (!isChapter(path, folder)) continue;
      const sha = manifest.get(path) ?? null;
      const before = await texts.of(sha);
      const after = await liveText(path, sha);
      if (before === undefined || after === undefined || before === after) continue;
      (sha === null ? added : edited).push({ before, after });
    }
    const pairs = wereBroughtIn(added) ? edited : [...edited, ...added];
    if (pairs.length === 0) return ok(0);
    return ok(measureWriting(pairs, { known, carried: stillCarried(carried, deps.now()) }).written);
  };

  return { count, dispose: stop };
}
