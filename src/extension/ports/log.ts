import type { LogOutputChannel } from 'vscode';
import type { Clock, Log } from '../../engine/index';

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

/** How many events are kept for the diagnostics. */
const KEPT = 200;

/** One line of the log, of level `debug` or above: those hold no prose, prompts or keys. */
export interface LogEvent {
  /** Milliseconds since the epoch. */
  readonly ts: number;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
}

/** The output channel of the extension; VS Code filters by the level the user chose for it. `recent`: the last 200 events, oldest first. */
export function createLog(
  channel: Pick<LogOutputChannel, 'trace' | 'debug' | 'info' | 'warn' | 'error'>,
  clock: Pick<Clock, 'now'>,
): Log & { recent(): readonly LogEvent[] } {
  const events: LogEvent[] = [];
  const at = (level: LogEvent['level']): Log['info'] => (message, data) => {
    const text = line(message, data);
    events.push({ ts: clock.now(), level, text });
    if (events.length > KEPT) events.shift();
    channel[level](text);
  };
  return {
    trace: (message, data) => channel.trace(line(message, data)),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    recent: () => [...events],
  };
}
