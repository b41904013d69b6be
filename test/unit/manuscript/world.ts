import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Files } from '../../../src/engine/ports/files';
import type { Result } from '../../../src/engine/ports/result';
import { createCheckpoints } from '../../../src/engine/manuscript/create-checkpoints';
import type { Checkpoints, TurnRef } from '../../../src/engine/manuscript/checkpoints';
import { createProjectRules } from '../../../src/engine/project/rules';
import { createNodeFiles } from '../../../src/engine/store/node-files';
import { createObjectStore } from '../../../src/engine/store/object-store';
import { applyChanges } from '../../../src/engine/text/text-change';
import { locateQuotes } from '../../../src/engine/text/match-quotes';
import { createFakeClock, type FakeClock } from '../../fakes/clock';
import { createFoldingFs, onDiskPath } from '../../fakes/folding-disk';
import { createFakeIds } from '../../fakes/ids';
import { createMemoryLog, type MemoryLog } from '../../fakes/log';
import { createMemoryDocuments, type MemoryDocuments } from '../../fakes/memory-documents';
import { withTempFolder } from '../../fakes/temp-folder';

export const turn = (n: number): TurnRef => ({ sessionId: 'session', userEntryId: `user-${n}` });

/** The value of a result; a refusal fails the test with its code. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${JSON.stringify(result.error.args ?? {})} ${result.error.cause ?? ''}`);
  return result.value;
}

/** The code of a refusal; `'ok'` when there was none. */
export const codeOf = (result: Result<unknown>): string => (result.ok ? 'ok' : result.error.code);

export interface World {
  readonly root: string;
  readonly files: Files;
  readonly documents: MemoryDocuments;
  readonly checkpoints: Checkpoints;
  readonly clock: FakeClock;
  readonly log: MemoryLog;
  write(path: string, content: string | Uint8Array): Promise<void>;
  remove(path: string): Promise<void>;
  /** The text on the disk. */
  disk(path: string): Promise<string | undefined>;
  /** All covered files on the disk, path → text. */
  all(): Promise<Record<string, string>>;
  /** As the agent's tools do it: journalled, then applied to the live text. */
  agentEdits(turn: TurnRef, path: string, old: string, text: string): Promise<void>;
  agentCreates(turn: TurnRef, path: string, text: string): Promise<void>;
  agentDeletes(turn: TurnRef, path: string): Promise<void>;
  agentRenames(turn: TurnRef, from: string, to: string): Promise<void>;
  /** Every text a path has had at any checkpoint. */
  kept(path: string): Promise<string[]>;
  /** Lines of the checkpoint log, parsed. */
  lines(): Promise<Record<string, unknown>[]>;
  /** The same folder, opened as by a new process. */
  reopen(options?: Partial<WorldOptions>): World;
}

export interface WorldOptions {
  readonly files: (files: Files) => Files;
  readonly readOnly: boolean;
  readonly series: number;
  /** Names that differ in case are one file, as on macOS and Windows. */
  readonly foldsCase: boolean;
  /** Its id; without one every restore counts as this machine's. */
  readonly machine: string;
}

const folders = { manuscript: '正文', texts: ['大纲', '设定'] };

export function openWorld(root: string, options: Partial<WorldOptions> = {}, shared?: FakeClock): World {
  const log = createMemoryLog();
  const clock = shared ?? createFakeClock();
  const ids = createFakeIds(options.series ?? Math.floor(Math.random() * 0xffff));
  const files = (options.files ?? ((same) => same))(createNodeFiles(root, options.foldsCase === true ? { fs: createFoldingFs() } : {}));
  const documents = createMemoryDocuments({ root, foldsCase: options.foldsCase === true });
  const rules = createProjectRules({ v: 1, title: '雨夜', language: 'zh', folders });
  const objects = createObjectStore({ files, ids, log, clock });
  const checkpoints = createCheckpoints({ files, objects, documents, rules, clock, ids, log, ...(options.readOnly === undefined ? {} : { readOnly: options.readOnly }), ...(options.machine === undefined ? {} : { machine: options.machine }) });

  const all = async (): Promise<Record<string, string>> => {
    const found: [string, string][] = [];
    for (const folder of [folders.manuscript, ...folders.texts]) {
      for (const { path } of await documents.list(folder)) found.push([path, await readFile(join(root, path), 'utf8')]);
    }
    return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
  };

  return {
    root,
    files,
    documents,
    checkpoints,
    clock,
    log,
    async write(path, content) {
      const at = options.foldsCase === true ? onDiskPath(root, path, true) : join(root, path);
      await mkdir(dirname(at), { recursive: true });
      await writeFile(at, content);
    },
    remove: (path) => rm(join(root, path)),
    async disk(path) {
      const names: string[] = await readdir(dirname(join(root, path))).catch(() => []);
      return names.includes(path.split('/').at(-1) ?? '') ? readFile(join(root, path), 'utf8') : undefined;
    },
    all,
    async agentEdits(of, path, old, text) {
      const live = must(await documents.read(path));
      const changes = must(locateQuotes(live.text, [{ old, new: text }])).map(({ start, end, text: put }) => ({ start, end, text: put }));
      const before = await documents.bytes(path);
      const after = must(await documents.encode(path, applyChanges(live.text, changes)));
      must(await checkpoints.journal(of).record({ path, before: before ?? null, after }));
      must(await documents.apply([{ path, version: live.version, changes }]));
    },
    async agentCreates(of, path, text) {
      must(await checkpoints.journal(of).record({ path, before: null, after: Buffer.from(text) }));
      must(await documents.create(path, text));
    },
    async agentDeletes(of, path) {
      must(await checkpoints.journal(of).record({ path, before: (await documents.bytes(path)) ?? null, after: null }));
      must(await documents.delete(path));
    },
    async agentRenames(of, from, to) {
      const bytes = (await documents.bytes(from)) ?? null;
      must(await checkpoints.journal(of).record({ path: to, from, before: bytes, after: bytes }));
      must(await documents.rename(from, to));
    },
    async kept(path) {
      const texts: string[] = [];
      for (const { id } of must(await checkpoints.list())) {
        const bytes = must(await checkpoints.fileAt(id, path));
        if (bytes !== undefined) texts.push(Buffer.from(bytes).toString());
      }
      return texts;
    },
    async lines() {
      const text = await readFile(join(root, '.liyuan/checkpoints/log.jsonl'), 'utf8').catch(() => '');
      return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    reopen: (again = {}) => openWorld(root, { ...options, ...again, series: again.series ?? Math.floor(Math.random() * 0xffff) }, clock),
  };
}

/** A project in a fresh folder. */
export function withWorld<T>(f: (world: World) => Promise<T>, options: Partial<WorldOptions> = {}): Promise<T> {
  return withTempFolder((root) => f(openWorld(root, options)));
}
