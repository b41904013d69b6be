import { APIConnectionError, APIError } from 'openai';
import type { Stream } from 'openai/streaming';
import type { Clock } from '../ports/clock';
import type { Log } from '../ports/log';
import type { ModelClient, ModelEvent, ModelRequest } from '../ports/models';
import type { ModelAddress } from './base-url';
import { completeBaseUrl } from './base-url';
import { readChunk } from './chunk';
import type { Exchange, Fetch } from './exchange';
import { BrokenBody, createExchange, PageInstead } from './exchange';
import type { Failure, FailureReason, Refusal } from './failures';
import { failure, failureFrom, naming } from './failures';
import { hideSecrets, secretsOf } from './hidden';
import type { LessonBook } from './lessons';
import { createLessonBook, lessonFrom } from './lessons';
import type { ModelProfile, ModelProfileInput } from './profile';
import { DEFAULT_MAX_OUTPUT, keyProblem, modelProfile } from './profile';
import { createAnswerReader, errorEvent } from './read-answer';
import { requestBody, tracedParams } from './request-body';
import { createTransport, sendsKey } from './transport';
import type { Watch } from './watch';
import { createWatch } from './watch';
import { wireFailure } from './wire-failure';

export interface OpenAIClientDeps {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  /** What is already known about this endpoint and model; shared between clients to be kept. */
  readonly lessons?: LessonBook;
}

export interface OpenAIClient extends ModelClient {
  /** The exact URL requests go to; empty when the address cannot be used. */
  readonly url: string;
}

/** An endpoint's refusal in words, from which something about it may be learned. */
interface Refused {
  readonly type: 'refused';
  readonly refusal: Refusal;
}

/** An answer that comes whole is silent while it is written: so many times the idle timeout. */
const PATIENCE_FOR_WHOLE = 5;

/**
 * A client for any endpoint that speaks chat/completions. It sends a request once; only a refusal that teaches something about
 * the endpoint (a field it does not know) is answered by sending again without it, before any event has been yielded.
 */
export function createOpenAIClient(input: ModelProfileInput, deps: OpenAIClientDeps): OpenAIClient {
  const profile = modelProfile.parse(input);
  const address = completeBaseUrl(profile.baseUrl);
  const lessons = deps.lessons ?? createLessonBook();

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    if (!address.ok) {
      yield { type: 'error', error: address.error, retryable: false };
      return;
    }
    const problem = keyProblem(profile);
    if (problem !== undefined) {
      yield { type: 'error', error: problem, retryable: false };
      return;
    }
    const until = profile.totalTimeoutMs === undefined ? undefined : deps.clock.now() + profile.totalTimeoutMs;
    for (;;) {
      const body = requestBody(profile, request, lessons.current());
      let yielded = false;
      let refusal: Refusal | undefined;
      for await (const event of attempt(profile, address.value, request, body, deps, lessons, until, signal)) {
        if (event.type === 'refused') {
          refusal = event.refusal;
          break;
        }
        yielded = true;
        yield event;
      }
      if (refusal === undefined) return;
      const lesson = yielded ? undefined : lessonFrom(refusal.body, body, lessons.current(), profile.reasoningReplay);
      if (lesson === undefined) {
        yield errorEvent(naming(failureFrom(refusal, deps.clock.now(), sendsKey(profile), secretsOf(profile)), hostOf(address.value)));
        return;
      }
      lessons.add(lesson);
      deps.log.warn('model: the endpoint refused a field, sending again without it', { model: profile.model, lesson: JSON.stringify(lesson) });
    }
  }

  return {
    name: profile.model,
    ...(address.ok ? { id: `${new URL(address.value.base).origin} ${profile.model}` } : {}),
    rehearsal: false,
    window: profile.window,
    maxOutput: profile.maxOutput ?? Math.min(DEFAULT_MAX_OUTPUT, Math.floor(profile.window / 4)),
    url: address.ok ? address.value.chatUrl : '',
    get params() {
      const known = lessons.current();
      return { model: profile.model, ...tracedParams(profile, known), ...(known.noTools === true && profile.tools === 'native' ? { toolsRefused: true } : {}) };
    },
    stream,
  };
}

/** One request over the wire. Ends with `done`, `error` or `refused`; never throws. */
async function* attempt(
  profile: ModelProfile,
  address: ModelAddress,
  request: ModelRequest,
  body: Readonly<Record<string, unknown>>,
  deps: OpenAIClientDeps,
  lessons: LessonBook,
  until: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent | Refused, void, undefined> {
  const idleMs = profile.idleTimeoutMs * (body['stream'] === false ? PATIENCE_FOR_WHOLE : 1);
  const watch = createWatch(signal, deps.clock, idleMs, until === undefined ? undefined : until - deps.clock.now());
  const exchange = createExchange(deps.fetch, watch.touch);
  const reader = createAnswerReader(request, lessons, () => deps.clock.now(), profile.tools);
  try {
    const transport = createTransport(profile, address, exchange.fetch);
    // Whole answers too are read as a stream, of one piece.
    const opened = await watch.wait(transport.post<Stream<unknown>>('/chat/completions', { body, stream: true, signal: watch.signal }));
    const chunks = opened?.value[Symbol.asyncIterator]();
    while (chunks !== undefined) {
      const next = await watch.wait(chunks.next());
      if (next === undefined || next.value.done === true) break;
      const chunk = readChunk(next.value.value);
      if (chunk.error !== undefined) {
        yield* reader.abandon();
        yield { type: 'refused', refusal: { body: chunk.error } };
        return;
      }
      yield* reader.push(chunk);
    }
    if (watch.stopped === undefined) yield* reader.end(exchange.sawDone);
    else yield* broken(reader.abandon(), stopFailure(watch, profile, idleMs));
  } catch (error) {
    const refusal = refusalIn(error, exchange);
    if (watch.stopped === undefined && refusal !== undefined) {
      yield* reader.abandon();
      yield { type: 'refused', refusal };
    } else {
      const failed = hideSecrets(watch.stopped === undefined ? naming(failureOf(error), hostOf(address)) : stopFailure(watch, profile, idleMs), secretsOf(profile));
      if (failed.error.code === 'internal') deps.log.error('model: unexpected failure', { cause: failed.error.cause ?? '' });
      yield* broken(reader.abandon(), failed);
    }
  } finally {
    watch.dispose();
  }
}

function* broken(held: readonly ModelEvent[], failed: Failure): Generator<ModelEvent> {
  yield* held;
  yield errorEvent(failed);
}

function stopFailure(watch: Watch, profile: ModelProfile, idleMs: number): Failure {
  switch (watch.stopped) {
    case 'idle':
      return failure('model.idle-timeout', { seconds: Math.round(idleMs / 1_000) });
    case 'total':
      return failure('model.total-timeout', { seconds: Math.round((profile.totalTimeoutMs ?? 0) / 1_000) });
    default:
      return failure('turn.aborted');
  }
}

const hostOf = (address: ModelAddress): string => new URL(address.base).host;

function refusalIn(error: unknown, exchange: Exchange): Refusal | undefined {
  if (exchange.refusal !== undefined) return exchange.refusal;
  const inStream = error instanceof APIError && !(error instanceof APIConnectionError) && error.error !== undefined;
  return inStream ? { body: JSON.stringify(error.error) } : undefined;
}

function failureOf(error: unknown): Failure {
  const known = wireFailure(error);
  if (known !== undefined) return known;
  if (error instanceof PageInstead) return failure('model.not-found', { url: error.url, reason: 'page' satisfies FailureReason }, error);
  if (error instanceof BrokenBody) return failure('model.network', { reason: 'broke-off' satisfies FailureReason }, error);
  if (error instanceof APIConnectionError) return failure('model.network', undefined, error);
  if (error instanceof SyntaxError) return failure('model.bad-stream', undefined, error);
  return failure('internal', undefined, error);
}
