import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Documents } from '../../../src/engine/ports/documents';
import type { Files } from '../../../src/engine/ports/files';
import type { Result } from '../../../src/engine/ports/result';
import { ok, refuse } from '../../../src/engine/ports/result';
import type { Checkpoints } from '../../../src/engine/manuscript/checkpoints';
import { createCheckpoints } from '../../../src/engine/manuscript/create-checkpoints';
import { createProjectRules } from '../../../src/engine/project/rules';
import type { Sessions } from '../../../src/engine/session/session';
import { createSessions } from '../../../src/engine/session/sessions';
import { createNodeFiles, type NodeFilesOptions } from '../../../src/engine/store/node-files';
import { createObjectStore } from '../../../src/engine/store/object-store';
import type { ObjectStore } from '../../../src/engine/store/objects';
import { sha256Hex } from '../../../src/engine/text/hash';
import { createPartialJournal, type PartialJournal } from '../../../src/engine/turn/partial-journal';
import { createFakeClock, FAKE_START, type FakeClock } from '../../fakes/clock';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog, type MemoryLog } from '../../fakes/log';
import { createMemoryDocuments } from '../../fakes/memory-documents';

/** The parts of the engine that keep words, over a real folder, as one process opens them. */
export interface ChaosProject {
  readonly files: Files;
  readonly documents: Documents;
  readonly sessions: Sessions;
  readonly checkpoints: Checkpoints;
  readonly partial: PartialJournal;
  readonly objects: ObjectStore;
  readonly clock: FakeClock;
  readonly log: MemoryLog;
}

export interface ChaosProjectOptions {
  /** Ids and times follow from it; no two lives of a folder share one. */
  readonly life: number;
  readonly node?: NodeFilesOptions;
  readonly files?: (files: Files) => Files;
  readonly tornPuts?: boolean;
  readonly machine?: string;
  /** Through which the editor writes; default: the same files. */
  readonly editor?: Files;
}

export const FOLDERS = { manuscript: '正文', texts: ['大纲', '设定'] } as const;

/** The editor's part: it is another process, so that what it writes is there whole or not at all, unless `torn`. */
function editorDocuments(root: string, files: Files, torn: boolean): Documents {
  const standing = async (path: string): Promise<string | null> => {
    const bytes = await files.read(path);
    return bytes === undefined ? null : sha256Hex(bytes);
  };
  return {
    ...createMemoryDocuments({ root }),
    async put(path, bytes, over): Promise<Result<void>> {
      if (over !== undefined && (await standing(path)) !== over) return refuse('doc.changed', { path });
      if (torn) await writeFile(join(root, path), bytes);
      else await files.writeAtomic(path, bytes, { fsync: false });
      return ok(undefined);
    },
    async delete(path, over): Promise<Result<void>> {
      if (over !== undefined && (await standing(path)) !== over) return refuse('doc.changed', { path });
      await rm(join(root, path));
      return ok(undefined);
    },
  };
}

export function openChaosProject(root: string, options: ChaosProjectOptions): ChaosProject {
  const { life } = options;
  const files = (options.files ?? ((same) => same))(createNodeFiles(root, options.node));
  const clock = createFakeClock(FAKE_START + life * 10_000_000);
  const ids = createFakeIds(life);
  const log = createMemoryLog();
  const documents = editorDocuments(root, options.editor ?? files, options.tornPuts === true);
  const rules = createProjectRules({ v: 1, title: '雨夜', language: 'zh', folders: { manuscript: FOLDERS.manuscript, texts: [...FOLDERS.texts] } });
  const objects = createObjectStore({ files, ids, log, clock });
  return {
    files,
    documents,
    sessions: createSessions({ files, clock, ids, log, machine: options.machine ?? 'machine-one' }),
    checkpoints: createCheckpoints({ files, objects, documents, rules, clock, ids, log }),
    partial: createPartialJournal({ files, clock, log }),
    objects,
    clock,
    log,
  };
}

export const withoutFsync = (files: Files): Files => ({
  ...files,
  append: (path, bytes, options) => files.append(path, bytes, { ...options, fsync: false }),
  writeAtomic: (path, bytes) => files.writeAtomic(path, bytes, { fsync: false }),
  fsync: () => Promise.resolve(),
});

/** The covered files on the disk, path → text. */
export async function filesOf(project: ChaosProject, root: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const folder of [FOLDERS.manuscript, ...FOLDERS.texts]) {
    for (const { path } of await project.files.tree(folder)) found.set(path, await readFile(join(root, path), 'utf8'));
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The value of a result; a refusal fails the test with its code. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${JSON.stringify(result.error.args ?? {})} ${result.error.cause ?? ''}`);
  return result.value;
}
