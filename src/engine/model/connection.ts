import type { Clock } from '../ports/clock';
import type { Log } from '../ports/log';
import type { ModelEvent } from '../ports/models';
import type { EngineError, Result } from '../ports/result';
import { fail, ok } from '../ports/result';
import { parsedJson } from '../text/json';
import type { ModelAddress } from './base-url';
import { completeBaseUrl, otherAddress, typedForm } from './base-url';
import type { Fetch } from './exchange';
import { failure, failureFrom } from './failures';
import { hideSecrets, secretsOf } from './hidden';
import { ERROR_BODY_LIMIT, readText, TooLarge, WHOLE_LIMIT } from './limits';
import { createOpenAIClient } from './openai-client';
import type { ModelProfile } from './profile';
import { keyProblem } from './profile';
import { withinOrigin } from './redirects';
import { sendsKey } from './transport';
import type { Watch } from './watch';
import { createWatch } from './watch';
import { wireFailure } from './wire-failure';

export interface ConnectionDeps {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
}

/** What 「测试连接」 found out. */
export interface ConnectionTest {
  /** The exact URL that was asked last. */
  readonly url: string;
  readonly ok: boolean;
  /** From sending to the first sign of an answer. */
  readonly latencyMs: number;
  readonly error?: EngineError;
  /** The address that works although another was typed: put it into the settings. */
  readonly baseUrl?: string;
}

/** Tokens asked for in a test: enough for any server's minimum, little to pay for. */
const TEST_OUTPUT = 16;

const never = (): AbortSignal => new AbortController().signal;

/**
 * Names of the models an endpoint offers, sorted, from `GET <base>/models`. Refusals as for a chat request; an endpoint without
 * such a list answers `model.not-found`.
 */
export async function listModels(profile: ModelProfile, deps: ConnectionDeps, signal: AbortSignal = never()): Promise<Result<readonly string[]>> {
  const address = completeBaseUrl(profile.baseUrl);
  if (!address.ok) return address;
  const problem = keyProblem(profile);
  if (problem !== undefined) return fail(problem);
  const watch = createWatch(signal, deps.clock, profile.idleTimeoutMs);
  try {
    const response = await watch.wait(withinOrigin(deps.fetch)(modelsUrl(address.value), { headers: headersOf(profile), signal: watch.signal }));
    const limit = response?.value.ok === true ? WHOLE_LIMIT : ERROR_BODY_LIMIT;
    const body = response === undefined ? undefined : await watch.wait(readText(response.value, limit, watch.touch));
    if (response === undefined || body === undefined) return fail(stopError(watch));
    const { text, whole } = body.value;
    if (!response.value.ok) return fail(failureFrom({ status: response.value.status, body: text }, deps.clock.now(), sendsKey(profile), secretsOf(profile)).error);
    if (!whole) throw new TooLarge();
    const names = readNames(text);
    return names === undefined ? fail(failure('model.not-found', { url: modelsUrl(address.value) }).error) : ok(names);
  } catch (error) {
    return fail(watch.stopped === undefined ? hideSecrets(wireFailure(error) ?? failure('model.network', undefined, error), secretsOf(profile)).error : stopError(watch));
  } finally {
    watch.dispose();
  }
}

/**
 * Sends one short chat request and waits for the first sign of an answer. On 404 the other form of the address is tried too
 * (with or without `/v1`), and named when it works.
 */
export async function testConnection(profile: ModelProfile, deps: ConnectionDeps, signal: AbortSignal = never()): Promise<ConnectionTest> {
  const first = await tryOnce(profile, deps, signal);
  if (first.error?.code !== 'model.not-found') return first;
  const address = completeBaseUrl(profile.baseUrl);
  if (!address.ok) return first;
  const other = typedForm(otherAddress(address.value));
  const second = await tryOnce({ ...profile, baseUrl: other }, deps, signal);
  return second.ok ? { ...second, baseUrl: other } : first;
}

async function tryOnce(profile: ModelProfile, deps: ConnectionDeps, signal: AbortSignal): Promise<ConnectionTest> {
  const client = createOpenAIClient({ ...profile, maxOutput: TEST_OUTPUT }, deps);
  const from = deps.clock.now();
  let first: ModelEvent | undefined;
  for await (const event of client.stream({ messages: [{ role: 'user', content: 'Hi' }] }, signal)) {
    first = event;
    break;
  }
  const latencyMs = deps.clock.now() - from;
  return first?.type === 'error' ? { url: client.url, ok: false, latencyMs, error: first.error } : { url: client.url, ok: true, latencyMs };
}

function headersOf(profile: ModelProfile): Record<string, string> {
  const own = Object.entries(profile.headers ?? {}).filter(([, value]) => value !== '');
  const key = profile.apiKey ?? '';
  return { 'User-Agent': 'Liyuan', ...(key === '' ? {} : { Authorization: `Bearer ${key}` }), ...Object.fromEntries(own) };
}

function modelsUrl(address: ModelAddress): string {
  const query = new URLSearchParams(address.query).toString();
  return `${address.base}/models${query === '' ? '' : `?${query}`}`;
}

function stopError(watch: Watch): EngineError {
  return failure(watch.stopped === 'idle' ? 'model.idle-timeout' : 'turn.aborted').error;
}

/** `{data: [{id}]}` as OpenAI has it, `{models: [{name}]}` as others do, or the bare list. */
function readNames(body: string): readonly string[] | undefined {
  const parsed = parsedJson(body);
  const { data, models } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as { readonly data?: unknown; readonly models?: unknown };
  const list = [parsed, data, models].find((value): value is unknown[] => Array.isArray(value));
  if (list === undefined) return undefined;
  const names = list.map((item: unknown) => {
    if (typeof item === 'string') return item;
    const { id, name } = (item ?? {}) as { readonly id?: unknown; readonly name?: unknown };
    return typeof id === 'string' ? id : typeof name === 'string' ? name : '';
  });
  return [...new Set(names.filter((name) => name !== ''))].sort((a, b) => (a < b ? -1 : 1));
}
