import type { ModelMessage, ModelRequest } from '../../../src/engine/ports/models';
import type { ModelProfileInput } from '../../../src/engine/model/profile';
import type { Answer } from '../../fakes/model-server/script';

/** One answer of an endpoint, byte by byte, and what has to come of it. Everything in it is written by hand. */
export interface Stream {
  /** What is odd about it, as a sentence about the endpoint. */
  readonly name: string;
  /** Row of the table in docs/testing.md. */
  readonly quirk: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection stays open after the body. */
  readonly hangs?: boolean;
  /** Answers the endpoint gives first to the same request. */
  readonly before?: readonly Answer[];
  readonly profile?: Partial<ModelProfileInput>;
  readonly request?: Partial<ModelRequest>;
  /** Errors without their cause. */
  readonly events: readonly unknown[];
  /** Fields of the request that was answered by the body; `undefined`: absent. */
  readonly asked?: Readonly<Record<string, unknown>>;
  /** Messages of the next request on the wire, from the answer on: results are `{"ok":true}`, where no tool was called the author says 继续. */
  readonly next?: readonly unknown[];
}

export const START: readonly ModelMessage[] = [{ role: 'user', content: '看《雨夜》' }];

export const READ = { name: 'read', description: '读文件。', parameters: { type: 'object', properties: { path: { type: 'string' } } } } as const;
export const OUTLINE = { name: 'outline', description: '列出各章。', parameters: { type: 'object', properties: {} } } as const;
export const WITH_TOOLS: Partial<ModelRequest> = { tools: [READ, OUTLINE] };

/** Ids made for calls that come without one, at the hour at which these tests stand. */
export const MADE = (n: number): string => `mjuohs00${n}`;

/** One event: JSON as a server writes it. */
export const ev = (json: string): string => `data: ${json}\n\n`;
/** An event whose only choice has this delta, given as JSON. */
export const d = (delta: string, finish = 'null'): string => ev(`{"choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}`);
/** An event with fragments of calls, given as JSON. */
export const c = (...fragments: readonly string[]): string => d(`{"tool_calls":[${fragments.join(',')}]}`);
export const DONE = 'data: [DONE]\n\n';
export const STOP = d('{}', '"stop"') + DONE;
export const CALLS = d('{}', '"tool_calls"') + DONE;

export const text = (words: string): unknown => ({ type: 'text', text: words });
export const thought = (words: string): unknown => ({ type: 'reasoning', text: words });
export const done = (reason: string): unknown => ({ type: 'done', reason });
export const usage = (input: number, output: number, rest: object = {}): unknown => ({ type: 'usage', usage: { input, output, ...rest } });
export const failed = (code: string, retryable: boolean, args?: object): unknown => ({ type: 'error', error: { code, ...(args === undefined ? {} : { args }) }, retryable });

/** The events of one call: start, its fragments. */
export const begun = (callId: string, name: string, ...args: readonly string[]): readonly unknown[] => [
  { type: 'toolCallStart', callId, name },
  ...args.map((fragment) => ({ type: 'toolCallDelta', callId, args: fragment })),
];
export const called = (callId: string, name: string, args: string): unknown => ({ type: 'toolCall', callId, name, args });

/** On the wire: an assistant's message with calls, and a result. */
export const wireCalls = (calls: readonly (readonly [id: string, name: string, args: string])[], rest: object = { content: null }): unknown => ({
  role: 'assistant',
  ...rest,
  tool_calls: calls.map(([id, name, args]) => ({ id, type: 'function', function: { name, arguments: args } })),
});
export const wireResult = (id: string): unknown => ({ role: 'tool', tool_call_id: id, content: '{"ok":true}' });
