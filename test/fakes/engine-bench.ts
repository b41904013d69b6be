import { cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEngine } from '../../src/engine/compose';
import type { Engine } from '../../src/engine/engine';
import type { Budget } from '../../src/engine/ports/budget';
import type { Files } from '../../src/engine/ports/files';
import type { ModelClient } from '../../src/engine/ports/models';
import type { Result } from '../../src/engine/ports/result';
import { createProject } from '../../src/engine/project/open-project';
import type { Entry } from '../../src/engine/session/entries';
import type { Session } from '../../src/engine/session/session';
import { createNodeFiles } from '../../src/engine/store/node-files';
import type { TurnEvent } from '../../src/engine/turn/events';
import type { FakeClock } from './clock';
import { createFakeClock } from './clock';
import { createFakeIds } from './ids';
import type { MemoryLog } from './log';
import { createMemoryLog } from './log';
import type { MemoryDocuments } from './memory-documents';
import { createMemoryDocuments } from './memory-documents';
import { modelsWith } from './models';
import { withTempFolder } from './temp-folder';
import type { FakeUi } from './ui';
import { createFakeUi } from './ui';

export const ASSETS = fileURLToPath(new URL('../../assets', import.meta.url));

/** The value of a result that must be one. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${JSON.stringify(result.error.args ?? {})} ${result.error.cause ?? ''}`);
  return result.value;
}

export interface EngineBench {
  readonly root: string;
  readonly engine: Engine;
  readonly session: Session;
  readonly documents: MemoryDocuments;
  readonly ui: FakeUi;
  readonly clock: FakeClock;
  readonly log: MemoryLog;
  /** A whole turn; its events. */
  turn(text: string, signal?: AbortSignal): Promise<readonly TurnEvent[]>;
  /** The current branch in short: `user 你好`, `step read`, `tool …`. */
  branch(): readonly Entry[];
  disk(path: string): Promise<string>;
  /**
   * The folder as a host that is killed now would leave it, opened anew by another host, with the model it has then. Open
   * buffers are gone.
   */
  killed<T>(client: ModelClient, f: (bench: EngineBench) => Promise<T>): Promise<T>;
}

export interface EngineBenchOptions {
  readonly language?: 'zh' | 'en';
  readonly trusted?: boolean;
  /** Absent: `auto`. */
  readonly apply?: () => 'auto' | 'review';
  readonly title?: string;
  /** Put in between the engine and the disk. */
  readonly files?: (files: Files) => Files;
  readonly budget?: Budget;
  /** Absolute path of `assets/`, where this module does not lie in its place. */
  readonly assets?: string;
}

/** 2026-03-04 05:06 in the time zone of tests. */
const FILE_TIME = new Date(2026, 2, 4, 5, 6);

/** A project in a temp folder with a real engine over it, a scripted model, an author who answers as planned. */
export function withEngine<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  client: ModelClient,
  f: (bench: EngineBench) => Promise<T>,
  options: EngineBenchOptions = {},
): Promise<T> {
  return withTempFolder(async (root) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
      await utimes(join(root, path), FILE_TIME, FILE_TIME);
    }
    const ids = createFakeIds();
    must(
      await createProject(
        { files: createNodeFiles(root), ids, log: createMemoryLog() },
        { title: options.title ?? '盐渡来信', language: options.language ?? 'zh' },
      ),
    );
    return openBench(root, client, options, 1, f);
  });
}

async function openBench<T>(
  root: string,
  client: ModelClient,
  options: EngineBenchOptions,
  life: number,
  f: (bench: EngineBench) => Promise<T>,
  sessionId?: string,
): Promise<T> {
  const documents = createMemoryDocuments({ root });
  const ui = createFakeUi();
  const clock = createFakeClock();
  clock.advance(life * 1_000_000);
  const log = createMemoryLog();
  const engine = must(
    await createEngine({
      ports: { files: (options.files ?? ((same) => same))(createNodeFiles(root)), documents, models: modelsWith(client), clock, ids: createFakeIds(life), log, ui, ...(options.budget === undefined ? {} : { budget: options.budget }) },
      assets: options.assets ?? ASSETS,
      trusted: () => options.trusted ?? false,
      ...(options.apply === undefined ? {} : { apply: options.apply }),
    }),
  );
  const session = must(
    sessionId === undefined
      ? await engine.sessions.create({ kind: 'agent', title: '第一局' })
      : await engine.sessions.open(sessionId),
  );
  const bench: EngineBench = {
    root,
    engine,
    session,
    documents,
    ui,
    clock,
    log,
    async turn(text, signal = new AbortController().signal) {
      return collect(engine.turns.run(session, { text }, signal));
    },
    branch: () => session.branch(),
    disk: (path) => readFile(join(root, path), 'utf8'),
    killed: (next, use) =>
      withTempFolder(async (copy) => {
        await cp(root, copy, { recursive: true, preserveTimestamps: true });
        await rm(join(copy, '.liyuan/locks'), { recursive: true, force: true });
        return openBench(copy, next, options, life + 1, use, session.header.id);
      }),
  };
  try {
    return await f(bench);
  } finally {
    await engine.dispose();
  }
}

export async function collect(events: AsyncIterable<TurnEvent>): Promise<readonly TurnEvent[]> {
  const all: TurnEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A branch in short, a word or two per entry. */
export function inShort(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => {
    switch (entry.type) {
      case 'user':
        return `user ${entry.data.text}`;
      case 'steer':
        return `steer ${entry.data.text}`;
      case 'step':
        return `step ${entry.data.calls.map(({ name }) => name).join(' ')}`;
      case 'tool':
        return `tool ${entry.data.ok ? 'ok' : entry.data.result}`;
      case 'choice':
        return `choice ${entry.data.answer ?? 'stopped'}`;
      case 'reply':
        return `reply ${entry.data.status} ${entry.data.text}`;
      case 'end':
        return `end ${entry.data.status}`;
      case 'checkpoint':
        return `checkpoint ${entry.data.author} ${entry.data.message}`;
      default:
        return entry.type;
    }
  });
}
