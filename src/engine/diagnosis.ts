import { logLine } from './manuscript/checkpoint-log';
import type { Files } from './ports/files';
import { EngineFailure } from './ports/result';
import { decodeTrace } from './prompt/trace-fold';
import { sessionHeader } from './session/entries';
import { asEntry, parseLine } from './session/entry-line';
import { createLineLog } from './store/line-log';

/** The folders of `.liyuan/` that are looked at, in the order they are told. */
const FOLDERS = ['sessions', 'checkpoints', 'objects', 'traces', 'local', 'cache', 'locks'] as const;
type StoreFolder = (typeof FOLDERS)[number];

/** What lies in one folder of `.liyuan/`. */
export interface StoreCount {
  readonly files: number;
  readonly bytes: number;
}

/** One append-only log: how long it is, and the numbers (from 1) of the lines that are no records. */
export interface LogCheck {
  readonly path: string;
  readonly bytes: number;
  readonly lines: number;
  readonly badLines: readonly number[];
  /** Code of the refusal, when it could not be read. */
  readonly error?: string;
}

/** The state of a project's store, without a word of what is in it. */
export interface Diagnosis {
  readonly store: Readonly<Record<StoreFolder, StoreCount>>;
  readonly logs: readonly LogCheck[];
}

type IsRecord = (value: unknown) => boolean;

const isRecord: Readonly<Partial<Record<StoreFolder, IsRecord>>> = {
  sessions: (value) => sessionHeader.safeParse(value).success || asEntry(value) !== undefined,
  checkpoints: (value) => logLine.safeParse(value).success,
  traces: (value) => decodeTrace(value) !== undefined,
};

/** Counts what lies in `.liyuan/` and reads every log once; nothing is written. Ends early, with what it has, when `signal` is aborted. */
export async function diagnose(files: Files, signal: AbortSignal): Promise<Diagnosis> {
  const store = Object.fromEntries(FOLDERS.map((name) => [name, { files: 0, bytes: 0 }])) as Record<StoreFolder, StoreCount>;
  const logs: LogCheck[] = [];
  for (const name of FOLDERS) {
    const found = await files.tree(`.liyuan/${name}`);
    store[name] = { files: found.length, bytes: found.reduce((sum, { stat }) => sum + stat.size, 0) };
    const accept = isRecord[name];
    if (accept === undefined) continue;
    for (const { path, stat } of found.filter(({ path }) => path.endsWith('.jsonl')).sort((a, b) => (a.path < b.path ? -1 : 1))) {
      if (signal.aborted) return { store, logs };
      logs.push(await checkLog(files, path, stat.size, accept));
    }
  }
  return { store, logs };
}

async function checkLog(files: Files, path: string, bytes: number, accept: IsRecord): Promise<LogCheck> {
  const lines = createLineLog({
    files,
    path,
    owned: () => false,
    reader: { start: () => undefined, line: ({ chunk, start, end }) => accept(parseLine(chunk, start, end)) },
  });
  try {
    const read = await lines.refresh();
    return { path, bytes, lines: lines.lines, badLines: lines.badLines.map(({ line }) => line), ...(read.ok ? {} : { error: read.error.code }) };
  } catch (error) {
    if (error instanceof EngineFailure) return { path, bytes, lines: 0, badLines: [], error: error.error.code };
    throw error;
  }
}
