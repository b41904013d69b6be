import type { Log } from '../../src/engine/ports/log';

export interface LoggedLine {
  readonly level: keyof Log;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface MemoryLog extends Log {
  readonly lines: readonly LoggedLine[];
  /** The lines of one level. */
  of(level: keyof Log): readonly LoggedLine[];
}

/** Keeps every line for the test to look at. */
export function createMemoryLog(): MemoryLog {
  const lines: LoggedLine[] = [];
  const at =
    (level: keyof Log) =>
    (message: string, data?: Readonly<Record<string, unknown>>): void => {
      lines.push(data === undefined ? { level, message } : { level, message, data });
    };
  return {
    lines,
    of: (level) => lines.filter((line) => line.level === level),
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}
