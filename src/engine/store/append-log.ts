import type { Files } from '../ports/files';
import type { Log } from '../ports/log';
import { ok, type Result } from '../ports/result';
import { createLineLog, type BadLine, type LineReader } from './line-log';

export interface AppendLogOptions<T> {
  readonly files: Files;
  /** Project-relative, e.g. `.liyuan/checkpoints/log.jsonl`. */
  readonly path: string;
  readonly log: Log;
  /** A parsed line as a record; `undefined` when it is none (a bad line then). */
  readonly decode: (value: unknown) => T | undefined;
  /** Whether we may write now. Default: always. Give the lock's `held` where there is a lock. */
  readonly owned?: () => boolean;
}

/** A JSONL file whose records all lie in memory, parsed, in file order. For logs of moderate size: checkpoints, traces. */
export interface AppendLog<T> {
  /** As of the last `refresh` or `append`; the same array grows until the file is replaced outside. */
  readonly records: readonly T[];
  readonly badLines: readonly BadLine[];
  /** Reads what is new, and mends a torn tail if we may write. A missing file has no records. Refuses `store.*`. */
  refresh(): Promise<Result<readonly T[]>>;
  /**
   * One line and one `write` a record, in order; appended records show in `records` when it resolves. Reads what others
   * appended first. Refuses `store.lock-lost` and `store.*`; records before the one that failed stay written.
   */
  append(records: readonly T[], options: { readonly fsync: boolean }): Promise<Result<void>>;
  /** Waits for everything in the queue. */
  idle(): Promise<void>;
}

/** A log of records at `path`. Bad lines are kept, skipped, counted, and told to `log` once each. */
export function createAppendLog<T>(options: AppendLogOptions<T>): AppendLog<T> {
  const { files, path, log, decode, owned = () => true } = options;
  let records: T[] = [];
  const told = new Set<number>();

  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  };
  const reader: LineReader = {
    start() {
      records = [];
      return undefined;
    },
    line({ chunk, start, end }) {
      const value = parse(chunk.toString('utf8', start, end));
      const record = value === undefined ? undefined : decode(value);
      if (record === undefined) return false;
      records.push(record);
      return true;
    },
  };
  const lines = createLineLog({ files, path, reader, owned });

  const tell = (): void => {
    for (const bad of lines.badLines) {
      if (told.has(bad.offset)) continue;
      told.add(bad.offset);
      log.warn('a line of a log is not a record and is skipped', { path, ...bad });
    }
  };

  return {
    get records() {
      return records;
    },
    get badLines() {
      return lines.badLines;
    },
    async refresh() {
      const result = await lines.refresh();
      tell();
      return result.ok ? ok(records) : result;
    },
    async append(added, { fsync }) {
      const result = await lines.append(
        added.map((record) => JSON.stringify(record)),
        { fsync },
      );
      tell();
      return result;
    },
    idle: () => lines.idle(),
  };
}
