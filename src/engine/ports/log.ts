/** Levels used as meant. No prose, prompts or keys above `trace`. */
export interface Log {
  trace(message: string, data?: Readonly<Record<string, unknown>>): void;
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}
