import type { Failure } from './failures';
import { failure } from './failures';
import { TooLarge, WHOLE_LIMIT } from './limits';
import { LeadsElsewhere, TooManyRedirects } from './redirects';

/** What was refused on the wire by this side, also where the client library has wrapped it. */
export function wireFailure(error: unknown): Failure | undefined {
  if (error instanceof LeadsElsewhere) return failure('model.redirect', { address: error.origin }, error);
  if (error instanceof TooManyRedirects) return failure('model.not-found', { url: error.url, detail: 'too many redirects' }, error);
  if (error instanceof TooLarge) return failure('model.too-large', { mb: WHOLE_LIMIT / 1024 / 1024 }, error);
  return error instanceof Error && error.cause !== undefined ? wireFailure(error.cause) : undefined;
}
