import { logLine } from './manuscript/checkpoint-log';
import { sizeOf, STORE_FOLDER, type StoreSize } from './manuscript/store-size';
import type { Files } from './ports/files';
import { EngineFailure } from './ports/result';
import { decodeTrace } from './prompt/trace-fold';
import { sessionHeader } from './session/entries';
import { asEntry, parseLine } from './session/entry-line';
import { createLineLog } from './store/line-log';

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
  readonly store: StoreSize;
  readonly logs: readonly LogCheck[];
}

type IsRecord = (value: unknown) => boolean;

/** Folder of logs → what a line of them is, in the order they are told. */
const isRecord = {
  sessions: (value: unknown) => sessionHeader.safeParse(value).success || asEntry(value) !== undefined,
  checkpoints: (value: unknown) => logLine.safeParse(value).success,
  traces: (value: unknown) => decodeTrace(value) !== undefined,
} as const satisfies Readonly<Record<string, IsRecord>>;

/** Adds up what lies in `.liyuan/` and reads every log once; nothing is written. Ends early, with what it has, when `signal` is aborted. */
export async function diagnose(files: Files, signal: AbortSignal): Promise<Diagnosis> {
  const found = await files.tree(STORE_FOLDER);
  const store = sizeOf(found);
  const logs: LogCheck[] = [];
  for (const [folder, accept] of Object.entries(isRecord)) {
    const own = found.filter(({ path }) => path.startsWith(`${STORE_FOLDER}/${folder}/`) && path.endsWith('.jsonl'));
    for (const { path, stat } of own.sort((a, b) => (a.path < b.path ? -1 : 1))) {
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
