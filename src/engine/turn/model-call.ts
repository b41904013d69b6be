import type { Clock } from '../ports/clock';
import type { Log } from '../ports/log';
import type { DoneReason, ModelClient, ModelRequest, Usage } from '../ports/models';
import type { EngineError } from '../ports/result';
import type { TurnEvent } from './events';
import type { PartialWriter } from './partial-journal';
import type { WritePreview } from './write-preview';
import { createWritePreview } from './write-preview';

/** A call as it came over the wire; its arguments not yet read. */
export interface RawCall {
  readonly callId: string;
  readonly name: string;
  readonly args: string;
}

interface Streamed {
  readonly text: string;
  readonly reasoning: string;
  readonly usage?: Usage;
  /** From the (last) request to its first event. */
  readonly firstTokenMs?: number;
}

export type CallOutcome =
  | (Streamed & { readonly kind: 'done'; readonly calls: readonly RawCall[]; readonly reason: DoneReason })
  | (Streamed & { readonly kind: 'stopped' })
  | (Streamed & { readonly kind: 'error'; readonly error: EngineError });

export interface ModelCallDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly client: ModelClient;
  readonly emit: (event: TurnEvent) => void;
  readonly partial: PartialWriter;
  /** Resolves after so many ms, sooner when the signal is aborted or somebody would rather not wait. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A call id that no other call of the session has. */
  readonly callId: (fromEndpoint: string) => string;
}

const RETRIES = 2;
const BACK_OFF_MS = [1_000, 4_000] as const;
/** An endpoint that asks for more patience than this is not waited for. The person sees how long it is, and may not want to wait at all. */
const LONGEST_WAIT_MS = 300_000;

/**
 * Streams one answer. A retryable failure before the first event is tried again, at most twice; after that what has come
 * is kept and the failure told. Never rejects.
 */
export async function callModel(deps: ModelCallDeps, request: ModelRequest, round: number, signal: AbortSignal): Promise<CallOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    const { outcome, retry } = await attemptCall(deps, request, round, signal);
    if (retry === undefined || attempt > RETRIES || outcome.kind !== 'error') return outcome;
    const afterMs = retry.afterMs ?? BACK_OFF_MS[attempt - 1] ?? LONGEST_WAIT_MS;
    if (afterMs > LONGEST_WAIT_MS) return outcome;
    deps.log.info('model: trying again', { code: outcome.error.code, afterMs, attempt });
    deps.emit({ type: 'retry', error: outcome.error, afterMs, until: deps.clock.now() + afterMs, attempt });
    await deps.wait(afterMs, signal);
    if (signal.aborted) return { kind: 'stopped', text: '', reasoning: '' };
  }
}

interface Attempt {
  readonly outcome: CallOutcome;
  /** Nothing has come yet and trying again can help. */
  readonly retry?: { readonly afterMs?: number };
}

async function attemptCall(deps: ModelCallDeps, request: ModelRequest, round: number, signal: AbortSignal): Promise<Attempt> {
  const { clock, client, emit, partial } = deps;
  const startedAt = clock.now();
  const ids = new Map<string, string>();
  const previews = new Map<string, WritePreview>();
  const calls: RawCall[] = [];
  let text = '';
  let reasoning = '';
  let usage: Usage | undefined;
  let firstTokenMs: number | undefined;

  const streamed = (): Streamed => ({
    text,
    reasoning,
    ...(usage === undefined ? {} : { usage }),
    ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
  });
  const idOf = (fromEndpoint: string): string => {
    const known = ids.get(fromEndpoint);
    if (known !== undefined) return known;
    const id = deps.callId(fromEndpoint);
    ids.set(fromEndpoint, id);
    return id;
  };
  const begin = (fromEndpoint: string, name: string): string => {
    const fresh = !ids.has(fromEndpoint);
    const callId = idOf(fromEndpoint);
    if (fresh) {
      emit({ type: 'toolStart', round, callId, name });
      if (name === 'write') previews.set(callId, createWritePreview());
    }
    return callId;
  };
  const showPreview = (callId: string, step: ReturnType<WritePreview['add']>): void => {
    if (step !== undefined) emit({ type: 'toolPreview', callId, ...step });
  };

  try {
    for await (const event of client.stream(request, signal)) {
      if (event.type !== 'error' && event.type !== 'usage' && event.type !== 'done') firstTokenMs ??= clock.now() - startedAt;
      switch (event.type) {
        case 'text':
          text += event.text;
          partial.add({ text: event.text });
          emit({ type: 'text', round, text: event.text });
          break;
        case 'reasoning':
          reasoning += event.text;
          partial.add({ reasoning: event.text });
          emit({ type: 'reasoning', round, text: event.text });
          break;
        case 'textWasReasoning':
          reasoning += text;
          text = '';
          partial.textWasReasoning();
          emit({ type: 'textWasReasoning', round });
          break;
        case 'toolCallStart':
          begin(event.callId, event.name);
          break;
        case 'toolCallDelta': {
          const callId = idOf(event.callId);
          showPreview(callId, previews.get(callId)?.add(event.args));
          break;
        }
        case 'toolCall': {
          const callId = begin(event.callId, event.name);
          showPreview(callId, previews.get(callId)?.finish(event.args));
          calls.push({ callId, name: event.name, args: event.args });
          break;
        }
        case 'usage':
          usage = event.usage;
          emit({ type: 'usage', round, usage });
          break;
        case 'done':
          return { outcome: { kind: 'done', ...streamed(), calls, reason: event.reason } };
        case 'error': {
          if (signal.aborted || event.error.code === 'turn.aborted') return { outcome: { kind: 'stopped', ...streamed() } };
          const outcome: CallOutcome = { kind: 'error', ...streamed(), error: event.error };
          if (!event.retryable || firstTokenMs !== undefined) return { outcome };
          return { outcome, retry: event.retryAfterMs === undefined ? {} : { afterMs: event.retryAfterMs } };
        }
      }
      if (signal.aborted) return { outcome: { kind: 'stopped', ...streamed() } };
    }
  } catch (error) {
    deps.log.error('model: the client threw', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    if (signal.aborted) return { outcome: { kind: 'stopped', ...streamed() } };
    return { outcome: { kind: 'error', ...streamed(), error: { code: 'internal', cause: String(error) } } };
  }
  if (signal.aborted) return { outcome: { kind: 'stopped', ...streamed() } };
  return { outcome: { kind: 'done', ...streamed(), calls, reason: 'unknown' } };
}
