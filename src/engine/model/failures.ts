import type { ErrorCode } from '../ports/errors';
import { errorTable } from '../ports/errors';
import type { EngineError } from '../ports/result';
import { parsedJson } from '../text/json';
import { withoutSecrets } from './hidden';

/** A refusal of the endpoint: an HTTP answer, or an error object inside a stream (then without status). */
export interface Refusal {
  readonly status?: number;
  /** The body, or the error object as JSON. */
  readonly body: string;
  /** Values of `retry-after-ms` and `retry-after`, as sent. */
  readonly retryAfterMs?: string;
  readonly retryAfter?: string;
}

export interface Failure {
  readonly error: EngineError;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

const OVERFLOW =
  /context[_ -]?(?:length|window|size)|maximum context|too many (?:input )?tokens|prompt (?:is )?too long|input (?:is )?too long|token limit|exceeds? the (?:maximum|available|limit).{0,40}(?:tokens?|context)|range of input length|input (?:token )?(?:length|count).{0,40}(?:exceed|too long)|reduce the length|prompt ?超长|(?:上下文|输入|长度|token).{0,12}(?:超过|超出|超长|过长)|超(?:过|出).{0,20}(?:上下文|长度|token)/i;
const QUOTA = /insufficient[_ ](?:quota|balance|user_quota|funds|credits)|exceeded (?:your )?current quota|arrear|credit balance|余额不足|欠费|额度(?:已)?(?:不足|用尽)/i;
const FILTER = /content[_ ]?filter|content[_ ]?policy|content exists risk|data_?inspection|considered high risk|safety (?:system|policy)|敏感|违规|不安全/i;
const UNKNOWN_MODEL = /model[_ ]not[_ ](?:found|exist)|model.{0,80}(?:does not exist|not found|not exist)|not a valid model|unknown model|模型不存在/i;
const BUSY = /overloaded|server is busy|at capacity|insufficient_system_resource|no available (?:channel|server)|服务繁忙|过载/i;
const RATE = /rate[_ -]?limit|too many requests|限流|频率/i;

/** Markup, where an endpoint would have answered in JSON: its source is nothing to be shown. */
const PAGE = /^\s*<[a-z!?]/i;

/**
 * Why, where people are told the causes of one code apart; travels in `args.reason`. `page`: a web page came instead of an answer, so the
 * address is probably none of an endpoint's. `broke-off`: the connection broke while the answer was arriving.
 */
export type FailureReason = 'page' | 'broke-off';

/** What an endpoint's refusal means. `now` in ms since the epoch (for dates in Retry-After); `hasKey`: a key was sent; `secrets` are cut out of what is quoted. */
export function failureFrom(refusal: Refusal, now: number, hasKey: boolean, secrets: readonly string[] = []): Failure {
  const { message, code } = readError(refusal.body);
  const status = refusal.status ?? numericStatus(code);
  const detail = withoutSecrets(message === '' ? refusal.body : message, secrets).slice(0, 300);
  const page = PAGE.test(detail);
  const wait = retryAfter(refusal, now);
  const meaning = codeOf(status, `${code} ${detail} ${message === '' ? '' : refusal.body.slice(0, 2_000)}`, hasKey);
  return failure(meaning, {
    ...(status === undefined ? {} : { status }),
    ...(detail === '' || page ? {} : { detail }),
    ...(page && (meaning === 'model.not-found' || meaning === 'model.bad-request') ? { reason: 'page' satisfies FailureReason } : {}),
  }, undefined, wait);
}

/** The same failure with the host that was asked, where that is what one has to look at. */
export function naming(failed: Failure, host: string): Failure {
  const { code, args } = failed.error;
  if (code !== 'model.network' && args?.['reason'] !== 'page') return failed;
  return { ...failed, error: { ...failed.error, args: { ...args, host } } };
}

/** A failure by its code alone; whether trying again can help is the table's. */
export function failure(
  code: ErrorCode,
  args?: Readonly<Record<string, string | number>>,
  cause?: unknown,
  retryAfterMs?: number,
): Failure {
  return {
    error: {
      code,
      ...(args === undefined || Object.keys(args).length === 0 ? {} : { args }),
      ...(cause === undefined ? {} : { cause: cause instanceof Error ? chain(cause) : String(cause) }),
    },
    retryable: errorTable[code].retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function codeOf(status: number | undefined, text: string, hasKey: boolean): ErrorCode {
  if (status === 402 || QUOTA.test(text)) return 'model.quota';
  if (status === 401) return hasKey ? 'model.auth' : 'model.no-key';
  if (status === 429) return BUSY.test(text) ? 'model.overloaded' : 'model.rate-limit';
  if (status === 413 || OVERFLOW.test(text)) return 'model.context-overflow';
  if (FILTER.test(text)) return 'model.content-filter';
  if (status === 403) return hasKey ? 'model.auth' : 'model.no-key';
  if (status === 404 || status === 405 || UNKNOWN_MODEL.test(text)) return 'model.not-found';
  if (status === 503 || status === 529 || BUSY.test(text)) return 'model.overloaded';
  if (status === undefined) return RATE.test(text) ? 'model.rate-limit' : 'model.server';
  if (status === 408 || status === 409 || status === 425 || status >= 500) return 'model.server';
  return 'model.bad-request';
}

/** The message and code of an error body in any of the shapes servers use. */
function readError(body: string): { readonly message: string; readonly code: string } {
  const parsed = parseObject(body);
  if (parsed === undefined) return { message: '', code: '' };
  const inner = isObject(parsed['error']) ? parsed['error'] : parsed;
  const message = [inner['message'], parsed['error'], inner['msg'], inner['detail'], inner['error_msg']].find(
    (value): value is string => typeof value === 'string' && value !== '',
  );
  const codes = [inner['code'], inner['type']].filter((value) => typeof value === 'string' || typeof value === 'number');
  return { message: message ?? '', code: codes.join(' ') };
}

function numericStatus(code: string): number | undefined {
  const match = /(?:^|\s)([45]\d\d)(?:\s|$)/.exec(code);
  return match === null ? undefined : Number(match[1]);
}

/** Milliseconds to wait, from seconds or a date (RFC 9110, 10.2.3) or the common `retry-after-ms`. */
function retryAfter(refusal: Refusal, now: number): number | undefined {
  const ms = Number(refusal.retryAfterMs ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  if (refusal.retryAfter === undefined || refusal.retryAfter.trim() === '') return undefined;
  const seconds = Number(refusal.retryAfter);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : Math.ceil(seconds * 1_000);
  const date = Date.parse(refusal.retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parsedJson(text);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(first) ? first : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function chain(error: Error): string {
  const text = error.stack ?? error.message;
  return error.cause instanceof Error ? `${text}\ncaused by ${chain(error.cause)}` : text;
}
