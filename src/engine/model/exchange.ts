import type { Refusal } from './failures';
import { createEventGatherer, ERROR_BODY_LIMIT, readText, TooLarge, WHOLE_LIMIT } from './limits';
import { withinOrigin } from './redirects';

/** The `fetch` a client is given: the host's, which knows proxies and certificates. */
export type Fetch = typeof globalThis.fetch;

/** Thrown while reading a body whose connection broke. */
export class BrokenBody extends Error {
  constructor(cause: unknown) {
    super('the connection broke while the answer was being read', { cause });
    this.name = 'BrokenBody';
  }
}

/** Thrown for an answer that is a web page: the address is not an endpoint. */
export class PageInstead extends Error {
  constructor(readonly url: string) {
    super(`a web page came instead of an answer from ${url}`);
    this.name = 'PageInstead';
  }
}

/** One request's `fetch`, which keeps what the client library would lose. */
export interface Exchange {
  readonly fetch: Fetch;
  /** Set once the endpoint refused with a status. */
  readonly refusal: Refusal | undefined;
  /** The stream ended with `[DONE]`. */
  readonly sawDone: boolean;
}

/**
 * Wraps `fetch` for one streamed request: remembers what a refusal says, reports each arriving byte to `touch`, ends the body at
 * `[DONE]` (some gateways keep the connection open after it), and turns a whole JSON answer into a stream of one event. Follows no
 * redirect to another origin and reads no event or answer without end.
 */
export function createExchange(fetch: Fetch, touch: () => void): Exchange {
  const inside = withinOrigin(fetch);
  let refusal: Refusal | undefined;
  let sawDone = false;

  async function* events(body: ReadableStream<Uint8Array>, url: string): AsyncGenerator<Uint8Array> {
    const chunks = readAll(body, touch);
    const done = createDoneFinder();
    let kind: 'unknown' | 'events' | 'json' = 'unknown';
    const gatherer = createEventGatherer();
    const json: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of chunks) {
      if (kind === 'unknown') kind = sniff(chunk, url);
      // Nothing but space so far: it belongs to neither.
      if (kind === 'unknown') continue;
      if (kind === 'json') {
        size += chunk.length;
        if (size > WHOLE_LIMIT) throw new TooLarge();
        json.push(chunk);
        continue;
      }
      const whole = gatherer.push(chunk);
      if (whole !== undefined) yield whole;
      if (done.push(chunk)) {
        sawDone = true;
        break;
      }
    }
    const rest = gatherer.rest();
    if (rest !== undefined) yield rest;
    if (json.length > 0) {
      sawDone = true;
      yield asEvent(json);
    }
  }

  return {
    async fetch(input, init) {
      const response = await inside(input, init);
      touch();
      const url = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
      if (!response.ok) {
        const { text: body } = await readText(response, ERROR_BODY_LIMIT, touch);
        refusal = { status: response.status, body, ...retryHeaders(response.headers) };
        return new Response(body, { status: response.status, headers: response.headers });
      }
      if (response.body === null) return response;
      return new Response(streamOf(events(response.body, url)), { status: response.status, headers: response.headers });
    },
    get refusal() {
      return refusal;
    },
    get sawDone() {
      return sawDone;
    },
  };
}

async function* readAll(body: ReadableStream<Uint8Array>, touch: () => void): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let ended = false;
  try {
    for (;;) {
      const next = await reader.read();
      touch();
      if (next.done) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } catch (error) {
    ended = true;
    throw error instanceof Error && error.name === 'AbortError' ? error : new BrokenBody(error);
  } finally {
    // Left early: the rest is not wanted, and whether the connection still closes cleanly does not matter.
    if (!ended) void reader.cancel().catch(() => undefined);
  }
}

/** Server-sent events never begin with `{`, `[` or `<`. */
function sniff(chunk: Uint8Array, url: string): 'unknown' | 'events' | 'json' {
  const first = chunk.find((byte) => byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09);
  if (first === undefined) return 'unknown';
  if (first === 0x3c) throw new PageInstead(url);
  return first === 0x7b || first === 0x5b ? 'json' : 'events';
}

function asEvent(chunks: readonly Uint8Array[]): Uint8Array {
  const text = Buffer.concat(chunks).toString('utf8');
  return Buffer.from(`data: ${text.replace(/[\r\n]+/g, ' ')}\n\n`, 'utf8');
}

/** Looks for a line `data: [DONE]` in bytes that may be split anywhere. */
function createDoneFinder(): { push(chunk: Uint8Array): boolean } {
  const limit = 16;
  let line = '';
  return {
    push(chunk) {
      for (const byte of chunk) {
        if (byte === 0x0a || byte === 0x0d) line = '';
        else if (line.length < limit) {
          line += String.fromCharCode(byte);
          if (line === 'data: [DONE]' || line === 'data:[DONE]') return true;
        }
      }
      return false;
    },
  };
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

function retryHeaders(headers: Headers): Pick<Refusal, 'retryAfter' | 'retryAfterMs'> {
  const after = headers.get('retry-after');
  const afterMs = headers.get('retry-after-ms');
  return { ...(after === null ? {} : { retryAfter: after }), ...(afterMs === null ? {} : { retryAfterMs: afterMs }) };
}
