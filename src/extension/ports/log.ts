import type { LogOutputChannel } from 'vscode';
import type { Log } from '../../engine/index';

/** Values that JSON cannot hold are written in words, so that logging never throws. */
function printable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Error) return value.stack ?? value.message;
  return value;
}

function line(message: string, data?: Readonly<Record<string, unknown>>): string {
  if (data === undefined) return message;
  try {
    return `${message} ${JSON.stringify(data, printable)}`;
  } catch (error) {
    return `${message} (data cannot be shown: ${error instanceof Error ? error.message : String(error)})`;
  }
}

/** The output channel of the extension; VS Code filters by the level the user chose for it. */
export function createLog(channel: Pick<LogOutputChannel, 'trace' | 'debug' | 'info' | 'warn' | 'error'>): Log {
  return {
    trace: (message, data) => channel.trace(line(message, data)),
    debug: (message, data) => channel.debug(line(message, data)),
    info: (message, data) => channel.info(line(message, data)),
    warn: (message, data) => channel.warn(line(message, data)),
    error: (message, data) => channel.error(line(message, data)),
  };
}
