import type { ModelClient, ModelEvent, ModelRequest, Models } from '../../src/engine/ports/models';
import { ok } from '../../src/engine/ports/result';

/** One answer of a scripted model: its events, or a function of the request that gives them. */
export type ScriptedAnswer =
  | readonly ModelEvent[]
  | ((request: ModelRequest, signal: AbortSignal) => Iterable<ModelEvent> | AsyncIterable<ModelEvent>);

export interface ScriptedClient extends ModelClient {
  /** Requests as they came, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Adds answers to the end of the script. */
  then(...answers: readonly ScriptedAnswer[]): ScriptedClient;
  /** Answers of the script not yet given. */
  left(): number;
}

export interface ScriptedOptions {
  readonly window?: number;
  readonly maxOutput?: number;
  readonly name?: string;
}

/** A model that answers by script, one answer per request; a request beyond the script is an error event. */
export function createScriptedClient(script: readonly ScriptedAnswer[] = [], options: ScriptedOptions = {}): ScriptedClient {
  const answers = [...script];
  const requests: ModelRequest[] = [];
  const client: ScriptedClient = {
    name: options.name ?? 'scripted',
    rehearsal: false,
    window: options.window ?? 128_000,
    maxOutput: options.maxOutput ?? 8_192,
    params: { model: options.name ?? 'scripted' },
    requests,
    async *stream(request, signal) {
      // As an endpoint would see it: what happens to the objects later does not change it.
      requests.push(structuredClone(request));
      const answer = answers.shift();
      if (answer === undefined) {
        yield { type: 'error', error: { code: 'model.bad-request', args: { message: 'the script is over' } }, retryable: false };
        return;
      }
      for await (const event of typeof answer === 'function' ? answer(request, signal) : answer) {
        if (signal.aborted) {
          yield { type: 'error', error: { code: 'turn.aborted' }, retryable: false };
          return;
        }
        yield event;
      }
    },
    then(...more) {
      answers.push(...more);
      return client;
    },
    left: () => answers.length,
  };
  return client;
}

/** The Models port with one client for everything. */
export function modelsWith(client: ModelClient): Models {
  return { client: () => Promise.resolve(ok(client)) };
}

let calls = 0;

/** A call as events: start, its arguments in two fragments, whole. `args` that are no string become JSON. */
export function call(name: string, args: unknown, callId = `c${(calls += 1)}`): readonly ModelEvent[] {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  const half = Math.floor(text.length / 2);
  return [
    { type: 'toolCallStart', callId, name },
    { type: 'toolCallDelta', callId, args: text.slice(0, half) },
    { type: 'toolCallDelta', callId, args: text.slice(half) },
    { type: 'toolCall', callId, name, args: text },
  ];
}

/** An answer that asks for tools. */
export function asks(...groups: readonly (readonly ModelEvent[])[]): readonly ModelEvent[] {
  return [...groups.flat(), { type: 'done', reason: 'tool_calls' }];
}

/** An answer in words, streamed in pieces. */
export function says(...pieces: readonly string[]): readonly ModelEvent[] {
  return [
    ...pieces.map((text): ModelEvent => ({ type: 'text', text })),
    { type: 'usage', usage: { input: 100, output: 10 } },
    { type: 'done', reason: 'stop' },
  ];
}
