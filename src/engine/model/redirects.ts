import type { Fetch } from './exchange';

/** Thrown for an endpoint that sends its requests on to another origin: nothing of the request goes there. */
export class LeadsElsewhere extends Error {
  /** `origin` names the target's scheme, host and port. */
  constructor(readonly origin: string) {
    super(`the endpoint sends its requests on to ${origin}`);
    this.name = 'LeadsElsewhere';
  }
}

/** Thrown for redirects that do not come to an end. */
export class TooManyRedirects extends Error {
  constructor(readonly url: string) {
    super(`too many redirects from ${url}`);
    this.name = 'TooManyRedirects';
  }
}

const MOST_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * A `fetch` that follows redirects within the origin it was asked for and no further: a request carries the author's words and keys,
 * and those were meant for the address that is set. The body must be one that can be sent twice, such as text.
 */
export function withinOrigin(fetch: Fetch): Fetch {
  return async (input, init) => {
    const start = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
    let url = start;
    let request: RequestInit = { ...init, redirect: 'manual' };
    for (let followed = 0; ; followed += 1) {
      const response = await fetch(followed === 0 ? input : url, request);
      // Some hosts hide where a redirect leads; what is not known to stay here is not followed.
      if (response.type === 'opaqueredirect') throw new LeadsElsewhere('?');
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return response;
      void response.body?.cancel().catch(() => undefined);
      const next = URL.canParse(location, url) ? new URL(location, url) : undefined;
      if (next === undefined || next.origin !== new URL(start).origin) throw new LeadsElsewhere(next === undefined ? location : placeOf(next));
      if (followed === MOST_REDIRECTS) throw new TooManyRedirects(start);
      if (response.status !== 307 && response.status !== 308) request = asGet(request, response.status);
      url = next.href;
    }
  };
}

/** Addresses such as `data:` have no origin to name. */
const placeOf = (url: URL): string => (url.origin === 'null' ? url.protocol : url.origin);

/** As RFC 9110, 15.4 and every browser have it: only 307 and 308 keep method and body of a POST. */
function asGet(request: RequestInit, status: number): RequestInit {
  if (status !== 303 && (request.method ?? 'GET').toUpperCase() !== 'POST') return request;
  const { body: _, ...rest } = request;
  const headers = new Headers(request.headers);
  headers.delete('content-type');
  headers.delete('content-length');
  return { ...rest, method: 'GET', headers };
}
