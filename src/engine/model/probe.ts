import type { ModelCall, ModelEvent, ModelMessage, ModelRequest, ToolSpec, Usage } from '../ports/models';
import type { EngineError } from '../ports/result';
import { completeBaseUrl, otherAddress, typedForm } from './base-url';
import type { ConnectionDeps } from './connection';
import type { Fetch } from './exchange';
import { createLessonBook } from './lessons';
import { createOpenAIClient } from './openai-client';
import type { ModelProfile } from './profile';

/**
 * One thing found out about an endpoint. `ok`: it works; `no`: it does not; `unknown`: it could not be told, for the reason. Times in ms.
 *
 * - `address`: `url` is the exact one that was asked; with `baseUrl`, that other form of the address works and the one that was set does not;
 *   `latencyMs` until its answer began.
 * - `answer`: `firstMs` until the first word or thought, `wholeMs` until the end.
 * - `streaming`: `whole`: the answer came in one piece, or its words all at once.
 * - `usage`: with what was counted; `refused`: the service refuses to be asked for it; `absent`: it said nothing.
 * - `reasoning`: `unseen`: this answer came without thinking, which says nothing of others.
 * - `tools`: a tool was called and its result taken; `off`: the profile offers none; `refused`: the service takes none; `uncalled`: the model did not call it
 *   although asked to; `wrong`: it called another one.
 */
export type ProbeStep =
  | { readonly subject: 'address'; readonly verdict: 'ok'; readonly url: string; readonly latencyMs: number; readonly baseUrl?: string }
  | { readonly subject: 'address'; readonly verdict: 'no'; readonly url: string; readonly error: EngineError }
  | { readonly subject: 'answer'; readonly verdict: 'ok'; readonly firstMs: number; readonly wholeMs: number }
  | { readonly subject: 'answer'; readonly verdict: 'no'; readonly error: EngineError }
  | { readonly subject: 'streaming'; readonly verdict: 'ok' }
  | { readonly subject: 'streaming'; readonly verdict: 'no'; readonly reason: 'whole' }
  | { readonly subject: 'usage'; readonly verdict: 'ok'; readonly usage: Usage }
  | { readonly subject: 'usage'; readonly verdict: 'no'; readonly reason: 'refused' | 'absent' }
  | { readonly subject: 'reasoning'; readonly verdict: 'ok'; readonly tokens?: number }
  | { readonly subject: 'reasoning'; readonly verdict: 'unknown'; readonly reason: 'unseen' }
  | { readonly subject: 'tools'; readonly verdict: 'ok' }
  | { readonly subject: 'tools'; readonly verdict: 'no'; readonly reason: 'refused' | 'off' }
  | { readonly subject: 'tools'; readonly verdict: 'unknown'; readonly reason: 'uncalled' | 'wrong' }
  | { readonly subject: 'tools'; readonly verdict: 'no'; readonly reason: 'failed'; readonly error: EngineError };

/** Tokens asked for: little to pay for, enough for a thought and a word, or a thought and a call. */
const WORD_OUTPUT = 64;
const CALL_OUTPUT = 512;

const PING: ToolSpec = {
  name: 'ping',
  description: 'Answers with the word it is given.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

/** What one request came to. */
interface Heard {
  /** Until the head of the answer, and until the first word or thought; `undefined`: there was none. */
  readonly headMs: number | undefined;
  readonly firstMs: number | undefined;
  readonly wholeMs: number;
  readonly streamed: boolean;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly ModelCall[];
  readonly usage: Usage | undefined;
  readonly error: EngineError | undefined;
}

/**
 * Finds out what an endpoint can do, by at most three small requests (and one more where the address has to be looked for), and tells each thing as
 * soon as it is known. Ends early after a step that makes the rest pointless: an address or an answer that failed. Never throws; an aborted
 * signal ends it with the error `turn.aborted`. What earlier requests taught is not used: it is to be seen here.
 */
export async function* probeEndpoint(profile: ModelProfile, deps: ConnectionDeps, signal: AbortSignal): AsyncGenerator<ProbeStep, void, undefined> {
  const found = await findAddress(profile, deps, signal);
  const { url, heard, ask, lessons } = found;
  if (heard.headMs === undefined || (heard.error !== undefined && isOfAddress(heard.error))) {
    yield { subject: 'address', verdict: 'no', url, error: heard.error ?? { code: 'internal' } };
    return;
  }
  yield { subject: 'address', verdict: 'ok', url, latencyMs: heard.headMs, ...(found.baseUrl === undefined ? {} : { baseUrl: found.baseUrl }) };
  if (heard.error !== undefined) {
    yield { subject: 'answer', verdict: 'no', error: heard.error };
    return;
  }
  yield { subject: 'answer', verdict: 'ok', firstMs: heard.firstMs ?? heard.wholeMs, wholeMs: heard.wholeMs };
  yield heard.streamed ? { subject: 'streaming', verdict: 'ok' } : { subject: 'streaming', verdict: 'no', reason: 'whole' };
  yield heard.usage !== undefined
    ? { subject: 'usage', verdict: 'ok', usage: heard.usage }
    : { subject: 'usage', verdict: 'no', reason: lessons.current().noStreamOptions === true ? 'refused' : 'absent' };

  if (profile.tools === 'none') {
    yield reasoningStep([heard]);
    yield { subject: 'tools', verdict: 'no', reason: 'off' };
    return;
  }
  const words: ModelMessage = { role: 'user', content: 'Call the tool "ping" with the word "pong". Do nothing else.' };
  const called = await ask({ messages: [words], tools: [PING] }, CALL_OUTPUT);
  yield reasoningStep([heard, called]);
  if (called.error !== undefined) {
    yield { subject: 'tools', verdict: 'no', reason: 'failed', error: called.error };
    return;
  }
  if (lessons.current().noTools === true) {
    yield { subject: 'tools', verdict: 'no', reason: 'refused' };
    return;
  }
  const [call] = called.calls;
  if (call === undefined || call.name !== PING.name) {
    yield { subject: 'tools', verdict: 'unknown', reason: call === undefined ? 'uncalled' : 'wrong' };
    return;
  }
  const answered: ModelMessage = { role: 'assistant', content: called.text, ...(called.reasoning === '' ? {} : { reasoning: called.reasoning }), calls: [{ ...call, args: '{"word":"pong"}' }] };
  const result: ModelMessage = { role: 'tool', callId: call.callId, name: call.name, content: '{"word":"pong"}' };
  const after = await ask({ messages: [words, answered, result], tools: [PING] }, WORD_OUTPUT);
  yield after.error === undefined ? { subject: 'tools', verdict: 'ok' } : { subject: 'tools', verdict: 'no', reason: 'failed', error: after.error };
}

/** Refusals that say nothing of the model, but of where one asked, or that one was stopped before. */
function isOfAddress(error: EngineError): boolean {
  return error.code === 'model.redirect' || (error.code === 'model.not-found' && error.args?.['reason'] === 'page');
}

function reasoningStep(heard: readonly Heard[]): ProbeStep {
  const tokens = heard.reduce((sum, { usage }) => sum + (usage?.reasoning ?? 0), 0);
  const seen = tokens > 0 || heard.some(({ reasoning }) => reasoning !== '');
  if (!seen) return { subject: 'reasoning', verdict: 'unknown', reason: 'unseen' };
  return { subject: 'reasoning', verdict: 'ok', ...(tokens > 0 ? { tokens } : {}) };
}

type Ask = (request: ModelRequest, maxOutput: number) => Promise<Heard>;

interface Found {
  readonly url: string;
  readonly baseUrl?: string;
  readonly heard: Heard;
  readonly ask: Ask;
  readonly lessons: ReturnType<typeof createLessonBook>;
}

/** Asks for a word; where the address is not known there, in its other form too. */
async function findAddress(profile: ModelProfile, deps: ConnectionDeps, signal: AbortSignal): Promise<Found> {
  const first = await greet(profile, deps, signal);
  const address = completeBaseUrl(profile.baseUrl);
  if (first.heard.error?.code !== 'model.not-found' || !address.ok) return first;
  const baseUrl = typedForm(otherAddress(address.value));
  const second = await greet({ ...profile, baseUrl }, deps, signal);
  return second.heard.error === undefined ? { ...second, baseUrl } : first;
}

async function greet(profile: ModelProfile, deps: ConnectionDeps, signal: AbortSignal): Promise<Found> {
  const lessons = createLessonBook();
  const ask: Ask = (request, maxOutput) => listen({ ...profile, maxOutput: Math.min(maxOutput, profile.maxOutput ?? maxOutput) }, request, { ...deps, lessons }, signal);
  const heard = await ask({ messages: [{ role: 'user', content: 'Hi' }] }, WORD_OUTPUT);
  const address = completeBaseUrl(profile.baseUrl);
  return { url: address.ok ? address.value.chatUrl : profile.baseUrl, heard, ask, lessons };
}

/** Sends one request and hears it to its end. */
async function listen(profile: ModelProfile, request: ModelRequest, deps: ConnectionDeps & { readonly lessons: Found['lessons'] }, signal: AbortSignal): Promise<Heard> {
  const { clock } = deps;
  const head = createHeadWatch(deps.fetch, clock.now);
  const client = createOpenAIClient(profile, { ...deps, fetch: head.fetch });
  const from = clock.now();
  let firstMs: number | undefined;
  let text = '';
  let reasoning = '';
  let usage: Usage | undefined;
  let error: EngineError | undefined;
  const calls: ModelCall[] = [];
  for await (const event of client.stream(request, signal)) {
    if (isWord(event)) firstMs ??= clock.now() - from;
    if (event.type === 'text') text += event.text;
    else if (event.type === 'reasoning') reasoning += event.text;
    else if (event.type === 'textWasReasoning') [reasoning, text] = [reasoning + text, ''];
    else if (event.type === 'toolCall') calls.push({ callId: event.callId, name: event.name, args: event.args });
    else if (event.type === 'usage') ({ usage } = event);
    else if (event.type === 'error') ({ error } = event);
  }
  const wholeMs = clock.now() - from;
  return { headMs: head.at === undefined ? undefined : head.at - from, firstMs, wholeMs, streamed: head.streamed, text, reasoning, calls, usage, error };
}

const isWord = ({ type }: ModelEvent): boolean => type === 'text' || type === 'reasoning' || type === 'toolCallStart' || type === 'toolCall';

/** When an answer began, and whether it said that it comes as a stream. Of several requests the last one counts. */
function createHeadWatch(fetch: Fetch, now: () => number): { readonly fetch: Fetch; readonly at: number | undefined; readonly streamed: boolean } {
  let at: number | undefined;
  let streamed = false;
  return {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      at = now();
      streamed = !/\bjson\b/i.test(response.headers.get('content-type') ?? '');
      return response;
    },
    get at() {
      return at;
    },
    get streamed() {
      return streamed;
    },
  };
}
