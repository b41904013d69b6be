import type { EngineError } from '../../engine/index';
import { errorTexts, finerText, retryReason } from './error-texts';
import { moneyWords } from './money';
import type { Translate } from './translate';

const asText = (value: string | number | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : String(value);

/**
 * A refusal in a person's words: the text of its code, led by the file it is about and followed by the other side's own
 * words where a service or the disk gave any. Never shows a stack.
 */
export function localiseError(given: EngineError, t: Translate): string {
  const error = withFigures(given);
  const finer = finerText(error);
  if (finer !== undefined) return t(finer, error.args);
  const message = t(errorTexts[error.code], error.args);
  const path = asText(error.args?.['path']);
  const detail = asText(error.args?.['detail']) ?? asText(error.args?.['message']) ?? asText(error.args?.['reason']) ?? because(error, t);
  const named = path === undefined ? message : t('{path}: {message}', { path, message });
  return detail === undefined ? named : t('{message} ({detail})', { message: named, detail });
}

/** Sums of money and tokens as people read them. */
function withFigures(error: EngineError): EngineError {
  if (error.code !== 'usage.over-budget' || error.args === undefined) return error;
  const { unit = '' } = error.args;
  const shown = Object.entries(error.args).map(([name, value]) => [name, typeof value !== 'number' ? value : unit === 'tokens' ? value.toLocaleString('en') : moneyWords(value, String(unit))] as const);
  return { ...error, args: Object.fromEntries(shown) };
}

/** The refusal under this one, by its code. */
function because({ args }: EngineError, t: Translate): string | undefined {
  const code = args?.['because'];
  return typeof code === 'string' ? codeInWords(code, t) : undefined;
}

/** The text of a code that was written down; `undefined`: this version has no such code. */
export function codeInWords(code: string, t: Translate): string | undefined {
  if (!Object.hasOwn(errorTexts, code)) return undefined;
  const known = code as EngineError['code'];
  return t(known === 'usage.over-budget' ? (finerText({ code: known }) ?? '') : errorTexts[known]);
}

/** One sentence for a call that is being tried again in `afterMs`. */
export function localiseRetry(error: EngineError, afterMs: number, attempt: number, t: Translate): string {
  return t('{reason}; trying again in {seconds} s (attempt {attempt}).', { reason: retryBecause(error, t), seconds: Math.ceil(afterMs / 1000), attempt });
}

/** Why a call is tried again, without an end mark. */
export function retryBecause(error: EngineError, t: Translate): string {
  const detail = asText(error.args?.['detail']);
  const said = t(retryReason(error), error.args);
  return detail === undefined || finerText(error) !== undefined ? said : t('{message} ({detail})', { message: said, detail });
}
