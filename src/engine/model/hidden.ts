import { completeBaseUrl } from './base-url';
import type { Failure } from './failures';
import type { ModelProfile } from './profile';

/** Shorter than this nothing is a secret, and cutting it out would only garble words. */
const SHORTEST = 6;
const SECRET_NAME = /key|token|secret|auth|password|credential|signature/i;

/** What a profile sends that nobody else may see: the key, the values of headers, what its address and further fields call a secret. */
export function secretsOf(profile: ModelProfile): readonly string[] {
  const address = completeBaseUrl(profile.baseUrl);
  const query = address.ok ? Object.entries(address.value.query).filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value) : [];
  const whole = [profile.apiKey ?? '', ...Object.values(profile.headers ?? {}), ...query, ...secretFields(profile.extraBody, false)];
  // A scheme before a secret (`Bearer …`) is often left out where it is quoted.
  const parts = whole.flatMap((value) => value.split(/\s+/));
  const forms = [...whole, ...parts].filter((value) => value.length >= SHORTEST).flatMap((value) => [value, JSON.stringify(value).slice(1, -1), new URLSearchParams({ '': value }).toString().slice(1)]);
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function secretFields(value: unknown, named: boolean): readonly string[] {
  if (typeof value === 'string') return named ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretFields(inner, named || SECRET_NAME.test(name)));
}

/** The text with each secret in it replaced by `***`. Cut secrets before cutting a text's length, or half a secret may stay. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);
}

/** A failure without secrets: it is written into the conversation's file, and its cause into the log. */
export function hideSecrets(failed: Failure, secrets: readonly string[]): Failure {
  const { args, cause } = failed.error;
  const shown = Object.entries(args ?? {}).map(([name, value]) => [name, typeof value === 'string' ? withoutSecrets(value, secrets) : value] as const);
  return {
    ...failed,
    error: {
      ...failed.error,
      ...(args === undefined ? {} : { args: Object.fromEntries(shown) }),
      ...(cause === undefined ? {} : { cause: withoutSecrets(cause, secrets) }),
    },
  };
}
