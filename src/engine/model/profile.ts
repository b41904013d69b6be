import * as z from 'zod';
import type { EngineError, Result } from '../ports/result';
import { fail, ok, refuse } from '../ports/result';
import { completeBaseUrl, isLocalAddress } from './base-url';

/** When an assistant message goes back with its reasoning: beside calls only, never, or as the endpoint's errors teach. */
export const reasoningReplay = z.enum(['auto', 'calls', 'never']);

/** What a header may carry: anything else would make the request fail before it is sent. */
const HEADER_SAFE = /^[\t\x20-\x7e]*$/;

const positive = z.number().int().positive();

/** How tools are offered: in the request's own fields, told in the prompt and called in plain text, or not at all. */
export const toolProtocol = z.enum(['native', 'text', 'none']);
export type ToolProtocol = z.infer<typeof toolProtocol>;

/** For a million tokens each, in the currency of the service. */
export const modelPrice = z.object({
  input: z.number().nonnegative(),
  /** Of the input: what the endpoint had in its cache; unset: as `input`. */
  cached: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/).default('CNY'),
});

/** Everything needed to talk to one model. Optional fields are sent only when set. */
export const modelProfile = z.object({
  /** As typed; completed by `completeBaseUrl`. */
  baseUrl: z.string(),
  /** Name of the model on the endpoint. */
  model: z.string().min(1),
  apiKey: z.string().trim().optional(),
  /** Sent with each request; an empty value leaves that header out. */
  headers: z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(HEADER_SAFE)).optional(),
  /** Context window in tokens. */
  window: positive.default(65_536),
  /** Output limit in tokens: sent, and kept free in the window. Unset: nothing is sent. */
  maxOutput: positive.optional(),
  temperature: z.number().optional(),
  topP: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  presencePenalty: z.number().optional(),
  seed: z.number().int().optional(),
  stop: z.array(z.string()).optional(),
  reasoningEffort: z.string().optional(),
  reasoningReplay: reasoningReplay.default('auto'),
  tools: toolProtocol.default('native'),
  /** Further fields of the request body, as they are, e.g. `{"enable_thinking": true}`. */
  extraBody: z.record(z.string(), z.unknown()).optional(),
  /** The stream counts as hung after this many ms without a byte. */
  idleTimeoutMs: positive.default(120_000),
  /** A call is ended after this many ms, whatever arrives. Unset: no limit. */
  totalTimeoutMs: positive.optional(),
  price: modelPrice.optional(),
});

/** A profile with its defaults filled in. */
export type ModelProfile = z.output<typeof modelProfile>;
/** A profile as a caller may write it. */
export type ModelProfileInput = z.input<typeof modelProfile>;

/** Tokens kept free for the answer when the profile names no limit. */
export const DEFAULT_MAX_OUTPUT = 8_192;

/**
 * Reads the values under `liyuan.model` (`baseUrl`, `name`, and the rest named as in the profile) plus `apiKey`. Unset, empty and
 * null values count as absent. Refuses `model.not-configured` without address or name, and `model.bad-settings` with
 * `{field, value}` for a value of the wrong shape.
 */
export function profileFromSettings(raw: Readonly<Record<string, unknown>>): Result<ModelProfile> {
  const { name, ...rest } = raw;
  const set = Object.fromEntries(
    Object.entries({ ...rest, model: typeof name === 'string' ? name.trim() : (name ?? rest['model']) }).filter(([, value]) => !isUnset(value)),
  );
  if (set['baseUrl'] === undefined || set['model'] === undefined) return refuse('model.not-configured');
  const parsed = modelProfile.safeParse(set);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? '');
    return refuse('model.bad-settings', { field: field === 'model' ? 'name' : field, value: shown(field, set[field]) }, parsed.error);
  }
  const address = completeBaseUrl(parsed.data.baseUrl);
  if (!address.ok) return address;
  const problem = keyProblem(parsed.data);
  return problem === undefined ? ok(parsed.data) : fail(problem);
}

/** True when a request without a key cannot be expected to work: the address is not on this machine or the local network. */
export function needsKey(profile: Pick<ModelProfile, 'baseUrl'>): boolean {
  return !isLocalAddress(profile.baseUrl);
}

/** The refusal of a key that no request can carry, if it is one; it would otherwise fail like a broken network. */
export function keyProblem(profile: Pick<ModelProfile, 'apiKey'>): EngineError | undefined {
  return HEADER_SAFE.test(profile.apiKey ?? '') ? undefined : { code: 'model.bad-settings', args: { field: 'apiKey', value: '***' } };
}

function isUnset(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0;
}

/** Headers and keys may hold secrets: never repeated in a message. */
function shown(field: string, value: unknown): string {
  return field === 'apiKey' || field === 'headers' ? '***' : (JSON.stringify(value) ?? '');
}
