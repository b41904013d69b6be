import { errorTable, failureFrom } from '../../engine/index';
import type { EngineError, ErrorCode } from '../../engine/index';

interface Failure {
  readonly error: EngineError;
  readonly retryable: boolean;
}

const QUOTA = /quota|premium request|allowance|monthly limit|usage limit|free plan|额度|配额/i;
const FILTERED = /responsible ai|filtered/i;
/** Sent with tools, the request was refused because of them. */
const NO_TOOLS = /(?:not|n['’]t) support(?:ed)?.{0,30}\btools?\b|\btools?\b.{0,40}(?:not supported|unsupported)/i;

/**
 * What a failure of VS Code's language models means; `model` is the name people know it by. VS Code tells the kinds apart by `code`
 * (`NoPermissions`, `Blocked`, `NotFound`), Copilot by the name of the error, everything else by its words.
 */
export function languageModelFailure(error: unknown, model: string, now: number): Failure {
  const said = new Set(chain(error).flatMap(({ code, name }) => [code, name]));
  const words = wordsIn(error);
  const detail = words === '' ? {} : { detail: words };
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const as = (code: ErrorCode, args: NonNullable<EngineError['args']>): Failure => ({ error: { code, args, cause }, retryable: errorTable[code].retryable });
  if (said.has('Canceled') || said.has('CancellationError')) return as('turn.aborted', {});
  if (said.has('NoPermissions')) return as('model.vscode-consent', { model });
  if (said.has('NotFound')) return as('model.vscode-missing', { model });
  if (said.has('ChatQuotaExceeded') || QUOTA.test(words)) return as('model.quota', detail);
  if (said.has('ChatRateLimited')) return as('model.rate-limit', detail);
  if (said.has('Blocked')) return as('model.vscode-blocked', { model, ...detail });
  if (FILTERED.test(words)) return as('model.content-filter', detail);
  const { error: known, retryable } = failureFrom({ body: JSON.stringify({ error: { message: words } }) }, now, true);
  return { error: { ...known, cause }, retryable };
}

export const refusesTools = (error: unknown): boolean => NO_TOOLS.test(wordsIn(error));

interface Said {
  readonly code: string;
  readonly name: string;
  readonly message: string;
}

/** The error and what caused it. */
function chain(error: unknown, depth = 3): readonly Said[] {
  if (typeof error !== 'object' || error === null || depth === 0) return [];
  const { code, name, message, cause } = error as { readonly code?: unknown; readonly name?: unknown; readonly message?: unknown; readonly cause?: unknown };
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return [{ code: text(code), name: text(name), message: text(message) }, ...chain(cause, depth - 1)];
}

/** The first words anybody gave, in one line. */
function wordsIn(error: unknown): string {
  const words = typeof error === 'string' ? error : (chain(error).find(({ message }) => message !== '')?.message ?? '');
  return words.replace(/\s+/g, ' ').trim().slice(0, 300);
}
