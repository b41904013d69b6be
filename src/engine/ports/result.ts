/** An expected outcome: a value, or a typed refusal. Bugs throw; refusals are values. */
export type Result<T, E = EngineError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const fail = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** `{code, args}`: the engine never words a message for people; the host localises by code. */
export interface EngineError {
  readonly code: import('./errors').ErrorCode;
  /** Named values for the message: paths, lines, counts, quotes. Plain data only. */
  readonly args?: Readonly<Record<string, string | number>>;
  /** The original failure's text, for the log only. */
  readonly cause?: string;
}

/** Shorthand for `fail({code, args})`. */
export function refuse(
  code: import('./errors').ErrorCode,
  args?: Readonly<Record<string, string | number>>,
  cause?: unknown,
): { readonly ok: false; readonly error: EngineError } {
  return {
    ok: false,
    error: {
      code,
      ...(args === undefined ? {} : { args }),
      ...(cause === undefined ? {} : { cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }),
    },
  };
}

/** Throwable wrapper, for places whose contract is a rejected promise. */
export class EngineFailure extends Error {
  constructor(readonly error: EngineError) {
    super(`${error.code} ${JSON.stringify(error.args ?? {})}`);
    this.name = 'EngineFailure';
  }
}

/** Runs what may throw a refusal (`EngineFailure`), which becomes its value; anything else it throws goes on. */
export async function caught<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof EngineFailure) return fail(error.error);
    throw error;
  }
}
