import {
  eventEnvelope,
  responseEnvelope,
  type EventEnvelope,
  type RequestEnvelope,
  type RequestMap,
  type RequestOf,
  type ResponseOf,
} from '../../src/protocol/envelope';
import type { VsCodeApi } from './vscode-api';

/** The host refused a request. `message` is localised, for people. */
export class HostError extends Error {
  override readonly name = 'HostError';
}

/** The host answered with something the protocol does not allow; a bug on one of the two sides. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

export interface Connection<R extends RequestMap> {
  /** Rejects with `HostError` (refused) or `ProtocolError` (the answer has the wrong shape). Never times out: some answers wait for the user. */
  request<N extends keyof R & string>(name: N, body: RequestOf<R, N>): Promise<ResponseOf<R, N>>;
  dispose(): void;
}

export interface ConnectionOptions<R extends RequestMap> {
  readonly api: Pick<VsCodeApi, 'postMessage'>;
  /** Where messages arrive: the window. */
  readonly target: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  readonly requests: R;
  /** An event whose envelope is sound; the body is still unchecked. */
  readonly onEvent: (event: EventEnvelope) => void;
}

interface Pending {
  readonly name: string;
  resolve(body: unknown): void;
  reject(error: Error): void;
}

/** The webview's end of the wire, for any panel: requests answered by id, events passed on, everything checked. */
export function createConnection<R extends RequestMap>(options: ConnectionOptions<R>): Connection<R> {
  const pending = new Map<number, Pending>();
  let nextId = 1;

  const settle = (id: number, give: (waiting: Pending) => void): void => {
    const waiting = pending.get(id);
    if (!waiting) return;
    pending.delete(id);
    give(waiting);
  };

  const receive = (message: Event): void => {
    const data: unknown = (message as MessageEvent<unknown>).data;
    const event = eventEnvelope.safeParse(data);
    if (event.success) {
      options.onEvent(event.data);
      return;
    }
    const response = responseEnvelope.safeParse(data);
    if (!response.success) return;
    const answer = response.data;
    settle(answer.id, (waiting) => {
      if (!answer.ok) {
        waiting.reject(new HostError(answer.message));
        return;
      }
      const shape = options.requests[waiting.name]?.[1];
      const body = shape?.safeParse(answer.body);
      if (body?.success) waiting.resolve(body.data);
      else waiting.reject(new ProtocolError(`${waiting.name}: ${body?.error.message ?? 'unknown request'}`));
    });
  };
  options.target.addEventListener('message', receive);

  return {
    request: (name, body) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        pending.set(id, { name, resolve: (value) => { resolve(value as ResponseOf<R, typeof name>); }, reject });
        const envelope: RequestEnvelope = { kind: 'request', id, name, body };
        options.api.postMessage(envelope);
      }),
    dispose: () => {
      options.target.removeEventListener('message', receive);
      for (const waiting of pending.values()) waiting.reject(new ProtocolError('the view was closed'));
      pending.clear();
    },
  };
}
