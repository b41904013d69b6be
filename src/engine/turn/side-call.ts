import type { ModelClient, ModelMessage, Usage } from '../ports/models';
import type { Result } from '../ports/result';
import { caught, ok, refuse } from '../ports/result';
import type { BuiltMessage } from '../prompt/blocks';
import { messageTokens } from '../prompt/measure';
import type { Session } from '../session/session';
import { callsOf } from './calls-of';
import { scaleKey } from '../text/token-scale';
import type { TurnDeps } from './deps';
import { pause } from './waiting';

/** A side call that has not ended by then is given up, in ms. */
const TIMEOUT_MS = 60_000;
const BACK_OFF_MS = [1_000, 4_000] as const;
const LONGEST_WAIT_MS = 60_000;

export interface SideCall {
  readonly deps: Pick<TurnDeps, 'clock' | 'log' | 'traces' | 'countTokens' | 'tokenScale'>;
  readonly session: Session;
  /** The turn it is made for; `''` outside of turns. */
  readonly turnId: string;
  readonly client: ModelClient;
  /** What it is for, as the trace names it. */
  readonly job: string;
  /** Where the system message comes from. */
  readonly source: string;
}

/**
 * One question beside the turn, answered in words: no tools, no streaming to anybody. At most a minute; a failure that can pass, a timeout and
 * an empty answer are tried again, at most twice. Refuses `turn.aborted`, `turn.no-answer`, `model.*`; an answer that was cut off is none.
 */
export async function sideCall(given: SideCall, messages: readonly ModelMessage[], signal: AbortSignal): Promise<Result<string>> {
  const call = { ...given, client: callsOf(given.client, { sessionId: given.session.header.id, turnId: given.turnId }) };
  for (let attempt = 0; ; attempt += 1) {
    const { result, retryAfterMs } = await attemptCall(call, messages, attempt + 1, signal);
    if (result.ok || signal.aborted || retryAfterMs === undefined) return signal.aborted ? refuse('turn.aborted') : result;
    const wait = BACK_OFF_MS[attempt];
    const afterMs = Math.max(wait ?? 0, retryAfterMs);
    if (wait === undefined || afterMs > LONGEST_WAIT_MS) return result;
    call.deps.log.info('side call: trying again', { job: call.job, code: result.error.code, afterMs, attempt: attempt + 1 });
    await pause(call.deps.clock, afterMs, signal);
    if (signal.aborted) return refuse('turn.aborted');
  }
}

interface Attempt {
  readonly result: Result<string>;
  /** Trying again can help, after so long. */
  readonly retryAfterMs?: number;
}

async function attemptCall(call: SideCall, messages: readonly ModelMessage[], attempt: number, signal: AbortSignal): Promise<Attempt> {
  const { clock, log, traces } = call.deps;
  const startedAt = clock.now();
  // A failing disk does not end a side call.
  const line = await caught(() => traces.call({
    session: call.session,
    turnId: call.turnId,
    use: 'side',
    round: attempt,
    model: call.client.name,
    params: call.client.params,
    messages: messages.map((message) => built(call, message)),
    tools: [],
  }));
  if (!line.ok) log.warn('side call: its trace cannot be written', { code: line.error.code });
  const answered = await answer(call, messages, signal);
  if (line.ok) {
    const outcome = answered.result.ok ? 'stop' : answered.result.error.code;
    const written = await caught(() => traces.result(call.session.header.id, line.value.id, { outcome, totalMs: clock.now() - startedAt }));
    if (!written.ok) log.warn('side call: its trace cannot be written', { code: written.error.code });
  }
  return answered;
}

async function answer({ client, deps: { clock, log, countTokens, tokenScale } }: SideCall, messages: readonly ModelMessage[], signal: AbortSignal): Promise<Attempt> {
  const timeout = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => { timeout.abort(); });
  const either = AbortSignal.any([signal, timeout.signal]);
  const late: Attempt = { result: refuse('model.idle-timeout', { seconds: TIMEOUT_MS / 1_000 }), retryAfterMs: 0 };
  let text = '';
  let usage: Usage | undefined;
  try {
    for await (const event of client.stream({ messages }, either)) {
      if (timeout.signal.aborted) return late;
      if (event.type === 'text') text += event.text;
      else if (event.type === 'textWasReasoning') text = '';
      else if (event.type === 'usage') usage = event.usage;
      else if (event.type === 'error') return { result: { ok: false, error: event.error }, ...(event.retryable ? { retryAfterMs: event.retryAfterMs ?? 0 } : {}) };
      else if (event.type === 'done') {
        if (event.reason === 'length') return { result: refuse('model.output-limit', { limit: client.maxOutput }) };
        if (event.reason === 'content_filter') return { result: refuse('model.content-filter') };
        break;
      }
    }
  } catch (error) {
    log.error('side call: the client threw', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    return { result: refuse('internal', undefined, error) };
  } finally {
    cancel();
  }
  if (usage !== undefined) tokenScale.learn(scaleKey(client), await messageTokens(messages, countTokens), usage);
  if (timeout.signal.aborted) return late;
  return text.trim() === '' ? { result: refuse('turn.no-answer'), retryAfterMs: 0 } : { result: ok(text) };
}

function built({ job, source }: SideCall, message: ModelMessage): BuiltMessage {
  const { role, content } = message;
  return { message, blocks: [role === 'system' ? { kind: 'rules', title: job, source, text: content } : { kind: job, title: job, source: 'session', text: content }] };
}
