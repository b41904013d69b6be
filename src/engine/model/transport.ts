import OpenAI from 'openai';
import type { ModelAddress } from './base-url';
import type { Fetch } from './exchange';
import type { ModelProfile } from './profile';

/** Headers the library adds about its runtime; gateways need none of them, and some refuse requests that carry them. */
const LIBRARY_HEADERS = [
  'X-Stainless-Lang',
  'X-Stainless-Package-Version',
  'X-Stainless-OS',
  'X-Stainless-Arch',
  'X-Stainless-Runtime',
  'X-Stainless-Runtime-Version',
  'X-Stainless-Retry-Count',
  'X-Stainless-Timeout',
] as const;

/** Longest delay a timer can hold; silence is watched elsewhere. */
const NO_TIMEOUT = 2 ** 31 - 1;

/**
 * The client library, told everything: nothing is read from the environment (its `OPENAI_*` variables belong to another service),
 * nothing is logged, nothing is tried twice.
 */
export function createTransport(profile: ModelProfile, address: ModelAddress, fetch: Fetch): OpenAI {
  const key = profile.apiKey ?? '';
  return new OpenAI({
    baseURL: address.base,
    defaultQuery: { ...address.query },
    apiKey: key,
    organization: null,
    project: null,
    webhookSecret: null,
    fetch,
    maxRetries: 0,
    timeout: NO_TIMEOUT,
    logLevel: 'off',
    defaultHeaders: {
      ...Object.fromEntries(LIBRARY_HEADERS.map((name) => [name, null])),
      'User-Agent': 'Liyuan',
      ...(key === '' ? { Authorization: null } : {}),
      ...Object.fromEntries(Object.entries(profile.headers ?? {}).map(([name, value]) => [name, value === '' ? null : value])),
    },
  });
}

/** True when requests carry a key of some kind, so that a refusal means a wrong one rather than a missing one. */
export function sendsKey(profile: ModelProfile): boolean {
  const named = Object.entries(profile.headers ?? {}).some(([name, value]) => value !== '' && /auth|key|token/i.test(name));
  return named || (profile.apiKey ?? '') !== '';
}
