import type { EngineError } from './result';

export interface ModelCall {
  readonly callId: string;
  readonly name: string;
  /** Valid JSON text, as executed. */
  readonly args: string;
}

/** One message of a request, in the words of chat/completions. Order of keys on the wire is fixed by the client. */
export type ModelMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly reasoning?: string; readonly calls?: readonly ModelCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly content: string };

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON schema, no `$schema`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ToolSpec[];
  readonly toolChoice?: 'auto' | 'none';
  /** What the request is made for; never sent. */
  readonly about?: CallAbout;
}

/** The place of a call in the product. */
export interface CallAbout {
  readonly sessionId: string;
  /** `''`: outside of turns. */
  readonly turnId: string;
}

/** For a million tokens each. */
export interface TokenPrice {
  readonly input: number;
  /** Of the input: what the endpoint had in its cache; unset: as `input`. */
  readonly cached?: number | undefined;
  readonly output: number;
  /** ISO 4217. */
  readonly currency: string;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly reasoning?: number;
  /** What it cost by the price of that moment, where one is set. */
  readonly cost?: number;
  /** Of `cost`, ISO 4217. */
  readonly currency?: string;
  /** Counted on this side, because the service gives no figures. */
  readonly estimated?: true;
}

export type DoneReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'unknown';

/**
 * `textWasReasoning`: all `text` before it in this answer was thinking. `toolCallDelta.args` is the raw fragment; `toolCall` carries the call whole, its `args` exactly as the endpoint sent them (`''` when
 * it sent none). A call that was cut off (`done` `length` or `content_filter`, or an `error`) has a start but no `toolCall`.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'textWasReasoning' }
  | { readonly type: 'toolCallStart'; readonly callId: string; readonly name: string }
  | { readonly type: 'toolCallDelta'; readonly callId: string; readonly args: string }
  | { readonly type: 'toolCall'; readonly callId: string; readonly name: string; readonly args: string }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'done'; readonly reason: DoneReason }
  | { readonly type: 'error'; readonly error: EngineError; readonly retryable: boolean; readonly retryAfterMs?: number };

/**
 * The one way to talk to a model. Yields events and ends after `done` or `error`; never throws, never rejects
 * (an aborted signal ends it with `error` `turn.aborted`).
 */
export interface ModelClient {
  /** Shown to people and written into traces. */
  readonly name: string;
  /** Tells the model apart from others of the same name: its service and its name there. Unset: the name does. */
  readonly id?: string;
  /** True for the rehearsal model. */
  readonly rehearsal: boolean;
  /** Context window and output limit in tokens. */
  readonly window: number;
  readonly maxOutput: number;
  /** Where one is set. */
  readonly price?: TokenPrice;
  /** Parameters as they go over the wire, for the trace: no key, no messages, of a profile's further fields names and hashes alone. */
  readonly params: Readonly<Record<string, unknown>>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** Which model a turn uses is asked anew for each turn, so that a changed setting counts at once. */
export interface Models {
  /** Refuses `model.not-configured`, `model.no-key`, `model.not-allowed`. */
  client(use: 'writing' | 'side'): Promise<import('./result').Result<ModelClient>>;
}
