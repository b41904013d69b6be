import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTick, setTimeout as pause } from 'node:timers/promises';
import { eventsOf, wholeOf } from './events';
import type { Answer, Answerer, ChatBody, End, Script, ServedRequest } from './script';
import { answererOf } from './script';

export interface ModelServerOptions {
  readonly script?: Script;
  /** Names listed by `GET /v1/models`. Default: one, `fake`. */
  readonly models?: readonly string[];
  /** When set, requests with another bearer token get 401. */
  readonly apiKey?: string;
  /** Default 0: any free one. */
  readonly port?: number;
}

export interface ModelServer {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** `<origin>/v1`, what a user would type. */
  readonly baseUrl: string;
  /** Chat requests so far, as they came. */
  readonly requests: readonly ServedRequest[];
  /** Replaces the script; its counting starts anew. */
  script(script: Script): void;
  /** Resolves with the `n`-th chat request (from 1), as soon as it has come. */
  request(n: number): Promise<ServedRequest>;
  /** Resolves when the connection of the `n`-th chat request is gone: `true` when the answer had been sent whole. */
  ended(n: number): Promise<boolean>;
  /** When each piece of the answer to the `n`-th chat request was handed to the socket, in ms since the epoch, so far. */
  sent(n: number): readonly number[];
  /** Cuts what is open and stops. */
  close(): Promise<void>;
}

/**
 * An OpenAI-compatible server on the loopback interface that answers by script. Under `/control` another process can see
 * `GET /control/requests`, ask `GET /control/sent/<n>`, and put a new JSON script with `PUT /control/script`.
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  let answer: Answerer = answererOf(options.script ?? []);
  const requests: ServedRequest[] = [];
  const arrivals = createBoard<ServedRequest>();
  const endings = createBoard<boolean>();
  const sent: number[][] = [];
  const stop = new AbortController();

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const raw = await bodyOf(req);
    const path = (req.url ?? '/').split('?')[0] ?? '/';
    if (path === '/control/requests') return json(res, 200, requests);
    const asked = /^\/control\/sent\/(\d+)$/.exec(path)?.[1];
    if (asked !== undefined) return json(res, 200, sent[Number(asked) - 1] ?? []);
    if (path === '/control/script' && req.method === 'PUT') {
      answer = answererOf(JSON.parse(raw) as Script);
      return json(res, 200, {});
    }
    if (options.apiKey !== undefined && req.headers.authorization !== `Bearer ${options.apiKey}`) {
      return json(res, 401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } });
    }
    if (path === '/v1/models') {
      return json(res, 200, { object: 'list', data: (options.models ?? ['fake']).map((id) => ({ id, object: 'model' })) });
    }
    if (path !== '/v1/chat/completions') return json(res, 404, { error: { message: `no such path: ${path}` } });
    const request = servedRequest(req, path, raw);
    const n = requests.push(request);
    const times: number[] = [];
    sent.push(times);
    arrivals.post(n, request);
    res.once('close', () => {
      endings.post(n, res.writableFinished);
    });
    await send(await answer(request, n), { request, n, times, res, signal: stop.signal });
  }

  const server: Server = createServer((req, res) => {
    res.socket?.setNoDelay(true);
    handle(req, res).catch((error: unknown) => {
      if (res.headersSent) res.destroy();
      else json(res, 500, { error: { message: String(error), type: 'script_failed' } });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    script(script) {
      answer = answererOf(script);
    },
    request: arrivals.wait,
    ended: endings.wait,
    sent: (n) => sent[n - 1] ?? [],
    async close() {
      if (!server.listening) return;
      stop.abort();
      server.closeAllConnections();
      await new Promise<void>((resolve, reject) => {
        server.close((error) => {
          if (error === undefined) resolve();
          else reject(error);
        });
      });
    },
  };
}

/** A chat request that is being answered. */
interface Exchange {
  readonly request: ServedRequest;
  readonly n: number;
  /** When each piece left. */
  readonly times: number[];
  readonly res: ServerResponse;
  readonly signal: AbortSignal;
}

async function send(answer: Answer, exchange: Exchange): Promise<void> {
  const { request, n, res } = exchange;
  if ('hang' in answer) {
    if (answer.hang === 'headers') startStream(res, 200, {});
    return;
  }
  if ('raw' in answer) {
    startStream(res, answer.status ?? 200, answer.headers ?? {});
    const pieces = answer.raw.map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece.base64, 'base64')));
    return stream(exchange, pieces, answer, answer.end ?? 'close');
  }
  if ('status' in answer) {
    const body = answer.body ?? { error: { message: `scripted ${String(answer.status)}` } };
    res.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
    return;
  }
  if (request.body?.stream !== true) {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(wholeOf(answer, request, n));
    return;
  }
  const events = eventsOf(answer, request, n);
  startStream(res, 200, {});
  const sent = answer.cutAfter === undefined ? events : events.slice(0, answer.cutAfter);
  await stream(exchange, sent, answer, answer.end ?? (answer.cutAfter === undefined ? 'close' : 'cut'));
}

function startStream(res: ServerResponse, status: number, headers: Readonly<Record<string, string>>): void {
  res.writeHead(status, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...headers });
  res.flushHeaders();
}

interface Pace {
  readonly delayMs?: number;
  readonly everyMs?: number;
}

async function stream({ res, times, signal }: Exchange, pieces: readonly (string | Buffer)[], { delayMs = 0, everyMs }: Pace, end: End): Promise<void> {
  const began = performance.now();
  for (const [index, piece] of pieces.entries()) {
    if (signal.aborted || res.destroyed) return;
    const ms = everyMs === undefined ? delayMs : began + index * everyMs - performance.now();
    if (ms > 0) await pause(ms, undefined, { ref: false });
    times.push(performance.timeOrigin + performance.now());
    await new Promise<void>((resolve) => {
      res.write(piece, () => {
        resolve();
      });
    });
    await nextTick();
  }
  if (end === 'close') res.end();
  if (end === 'cut') res.destroy();
}

function servedRequest(req: IncomingMessage, path: string, raw: string): ServedRequest {
  const body = parse(raw);
  const messages = body?.messages ?? [];
  const lastUser = messages.findLastIndex((message) => message.role === 'user');
  return {
    method: req.method ?? '',
    path,
    headers: Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)])),
    raw,
    body,
    turn: messages.filter((message) => message.role === 'user').length,
    round: 1 + messages.slice(lastUser + 1).filter((message) => message.role === 'assistant').length,
  };
}

function parse(raw: string): ChatBody | undefined {
  try {
    return JSON.parse(raw) as ChatBody;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function json(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

/** Numbered notes that may be waited for before or after they are posted. */
function createBoard<T>(): { post(n: number, value: T): void; wait(n: number): Promise<T> } {
  const notes = new Map<number, { readonly promise: Promise<T>; readonly resolve: (value: T) => void }>();
  const note = (n: number): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } => {
    const known = notes.get(n);
    if (known !== undefined) return known;
    let resolve: (value: T) => void = () => undefined;
    const promise = new Promise<T>((r) => {
      resolve = r;
    });
    const made = { promise, resolve };
    notes.set(n, made);
    return made;
  };
  return {
    post(n, value) {
      note(n).resolve(value);
    },
    wait: async (n) => note(n).promise,
  };
}

