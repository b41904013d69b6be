import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';

/** Where a profile's requests go. `base` has no trailing slash and no query. */
export interface ModelAddress {
  readonly base: string;
  /** Query parameters of the address as typed, sent with each request. */
  readonly query: Readonly<Record<string, string>>;
  /** The exact URL of a chat request, as shown to people. */
  readonly chatUrl: string;
}

const VERSIONED = /\/v\d+$/;
const PASTED_ENDPOINT = /\/(?:chat\/completions|completions|models)$/;

/**
 * Completes an address as people type it: one that ends in a version (`/v1`, `/v4`) or has any other path stays as it is, one
 * without a path gets `/v1`. A missing scheme becomes `http` on this machine or the local network and `https` elsewhere. Where a
 * whole endpoint (`…/chat/completions`) was pasted, it is used exactly. Refuses `model.not-configured` when empty, `model.bad-settings` when it is no web
 * address, with `scheme` where the address has one that is none of the web's.
 */
export function completeBaseUrl(raw: string): Result<ModelAddress> {
  const typed = raw.trim();
  if (typed === '') return refuse('model.not-configured');
  const url = parse(typed);
  if (url === undefined) return refuse('model.bad-settings', { field: 'baseUrl', value: typed, ...foreignScheme(typed) });
  const path = trimSlashes(url.pathname);
  if (PASTED_ENDPOINT.test(path)) return ok(address(url, trimSlashes(path.replace(PASTED_ENDPOINT, ''))));
  return ok(address(url, path === '' ? '/v1' : path));
}

/** The other form of an address that answered 404: with `/v1` when it has no version, without its version when it has one. */
export function otherAddress(current: ModelAddress): ModelAddress {
  const url = new URL(current.base);
  for (const [name, value] of Object.entries(current.query)) url.searchParams.set(name, value);
  const path = trimSlashes(url.pathname);
  return address(url, VERSIONED.test(path) ? path.replace(VERSIONED, '') : `${path}/v1`);
}

/** An address as it would be typed, so that completing it gives it back. */
export function typedForm(current: ModelAddress): string {
  const query = new URLSearchParams(current.query).toString();
  const hasPath = trimSlashes(new URL(current.base).pathname) !== '';
  return `${current.base}${hasPath ? '' : '/chat/completions'}${query === '' ? '' : `?${query}`}`;
}

/** True when an address is on this machine or the local network, where a missing key is normal. */
export function isLocalAddress(base: string): boolean {
  const url = parse(base);
  return url !== undefined && isLocalHost(url.hostname);
}

/** What stands before a colon is a scheme, unless a port follows. */
function schemeOf(typed: string): string | undefined {
  return /^([a-z][a-z\d+.-]*):(?!\d|$)/i.exec(typed)?.[1]?.toLowerCase();
}

function foreignScheme(typed: string): { readonly scheme?: string } {
  const scheme = schemeOf(typed);
  return scheme === undefined || scheme === 'http' || scheme === 'https' ? {} : { scheme };
}

function parse(typed: string): URL | undefined {
  if (schemeOf(typed) !== undefined) return webUrl(typed);
  const guess = webUrl(`https://${typed}`);
  return guess !== undefined && isLocalHost(guess.hostname) ? webUrl(`http://${typed}`) : guess;
}

function webUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '' ? url : undefined;
}

function isLocalHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname.endsWith('.local') ||
    hostname === '[::1]' ||
    hostname === '0.0.0.0' ||
    /^(?:127|10)\.\d+\.\d+\.\d+$/.test(hostname) ||
    /^192\.168\.\d+\.\d+$/.test(hostname) ||
    /^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/.test(hostname)
  );
}

function address(url: URL, path: string): ModelAddress {
  const base = `${url.origin}${path}`;
  return { base, query: Object.fromEntries(url.searchParams), chatUrl: `${base}/chat/completions${url.search}` };
}

function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '');
}
