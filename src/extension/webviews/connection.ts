import { requestEnvelope } from '../../protocol/envelope';
import type { EventEnvelope, EventMap, RequestMap, RequestOf, ResponseEnvelope, ResponseOf } from '../../protocol/envelope';
import type { Log } from '../../engine/index';
import type * as z from 'zod';

/** The part of a webview that messages go through. */
export interface MessagePort {
  postMessage(message: unknown): PromiseLike<boolean>;
  onDidReceiveMessage(listener: (message: unknown) => void): { dispose(): void };
}

export type RequestHandlers<R extends RequestMap> = {
  readonly [N in keyof R]: (body: RequestOf<R, N>) => Promise<ResponseOf<R, N>> | ResponseOf<R, N>;
};

/** Identity and place of an event, for the other side to drop what is stale and to notice a gap. */
export interface EventStamp {
  readonly epoch: string;
  readonly seq: number;
}

export interface HostConnection<E extends EventMap> {
  post<N extends keyof E & string>(name: N, body: z.infer<E[N]>, stamp: EventStamp): void;
  dispose(): void;
}

export interface ConnectionOptions<R extends RequestMap, E extends EventMap> {
  readonly port: MessagePort;
  readonly requests: R;
  readonly events: E;
  readonly handlers: RequestHandlers<R>;
  readonly log: Log;
}

/**
 * The host's end of a webview: answers each request once, by id, and posts events. Both ways are checked against the
 * protocol; what does not fit is refused and logged, never passed on. What a handler throws reaches the webview by its message.
 */
export function createHostConnection<R extends RequestMap, E extends EventMap>(options: ConnectionOptions<R, E>): HostConnection<E> {
  const { port, requests, events, handlers, log } = options;

  const respond = (response: ResponseEnvelope): void => void port.postMessage(response);

  async function answer(id: number, name: string, rawBody: unknown): Promise<void> {
    if (!Object.hasOwn(requests, name)) {
      log.warn('webview asked for something unknown', { name });
      respond({ kind: 'response', id, ok: false, message: `unknown request: ${name}` });
      return;
    }
    const key: keyof R = name;
    try {
      const [requestSchema, responseSchema] = requests[key] as R[keyof R];
      const body = requestSchema.parse(rawBody) as RequestOf<R, keyof R>;
      const result = await handlers[key](body);
      respond({ kind: 'response', id, ok: true, body: responseSchema.parse(result) });
    } catch (error) {
      log.error('request of a webview failed', { name, error: String(error instanceof Error ? error.stack : error) });
      respond({ kind: 'response', id, ok: false, message: error instanceof Error ? error.message : String(error) });
    }
  }

  const subscription = port.onDidReceiveMessage((message) => {
    const parsed = requestEnvelope.safeParse(message);
    if (!parsed.success) {
      log.warn('message of a webview is not a request');
      return;
    }
    void answer(parsed.data.id, parsed.data.name, parsed.data.body);
  });

  return {
    post: (name, body, stamp) => {
      const schema = events[name];
      const checked = schema?.safeParse(body);
      if (checked?.success !== true) {
        log.error('event for a webview does not fit the protocol', { name, error: checked?.error.message ?? 'unknown event' });
        return;
      }
      const envelope: EventEnvelope = { kind: 'event', name, ...stamp, body: checked.data };
      void port.postMessage(envelope);
    },
    dispose: () => { subscription.dispose(); },
  };
}
