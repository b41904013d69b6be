import { createAnswerReader, createLessonBook, createWatch } from '../../engine/index';
import type { AnswerReader, Clock, Log, ModelClient, ModelEvent, ModelProfile, ModelRequest, Usage, Watch } from '../../engine/index';
import { languageModelFailure, refusesTools } from './language-model-failure';
import { languageMessages, wordsOf } from './language-model-messages';
import type { LanguageAnswerPart, LanguageModel, LanguageRequest } from './language-models';

export interface LanguageModelClientOptions {
  readonly model: LanguageModel;
  /** Tokens; counts where it is less than what VS Code says the model takes. */
  readonly window?: number;
  readonly maxOutput?: number;
  /** `text` is taken for `native`: VS Code itself tells the model of the tools in the way it knows them. */
  readonly tools: ModelProfile['tools'];
  /** Shown when VS Code asks whether we may use the model. */
  readonly justification: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The person may be asked before the request goes out, and takes their time. */
const CONSENT_MS = 10 * 60_000;
const IDLE_MS = 120_000;
/** Counts that are not there so long after the answer are done without. */
const COUNT_MS = 3_000;
/** Tokens of a message's own form. */
const PER_MESSAGE = 4;
/** VS Code says nothing of a limit for the answer. What may be sent is counted without it, so little has to be kept free. */
const MOST_OUTPUT = 8_192;
const OUTPUT_SHARE = 0.12;

/**
 * A model of VS Code's as ours. VS Code has no figures of what was used: the usage is what the model itself counts of the texts, marked as
 * an estimate. Nothing is sent and nobody is asked before `stream`.
 */
export function createLanguageModelClient(options: LanguageModelClientOptions): ModelClient {
  const { model, clock, log } = options;
  const window = Math.min(options.window ?? model.maxInputTokens, model.maxInputTokens);
  const lessons = createLessonBook();
  let toolsRefused = false;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    // An aborted request would still have VS Code ask the person.
    if (signal.aborted) {
      yield stopEvent('aborted');
      return;
    }
    for (;;) {
      const offersTools = !toolsRefused && options.tools !== 'none';
      let yielded = false;
      let refused = false;
      for await (const event of attempt(request, offersTools, signal)) {
        if (event.type === 'toolsRefused') {
          refused = !yielded;
          continue;
        }
        if (refused && event.type === 'error') break;
        yielded = true;
        yield event;
      }
      if (!refused) return;
      toolsRefused = true;
      log.warn('model: it takes no tools, sending again without them', { model: model.id });
    }
  }

  /** Ends with `done` or `error`; before the error of a model that takes no tools it says so. */
  async function* attempt(request: ModelRequest, offersTools: boolean, signal: AbortSignal): AsyncGenerator<ModelEvent | { readonly type: 'toolsRefused' }, void, undefined> {
    const sent: LanguageRequest = {
      messages: languageMessages(request.messages),
      tools: offersTools ? (request.tools ?? []).map(({ name, description, parameters }) => ({ name, description, inputSchema: parameters })) : [],
      justification: options.justification,
    };
    const opening = createWatch(signal, clock, CONSENT_MS);
    const watch = createWatch(signal, clock, IDLE_MS);
    const reader = createAnswerReader(request, lessons, () => clock.now());
    const answered: string[] = [];
    try {
      const opened = await opening.wait(model.send(sent, opening.signal));
      const counted = opened === undefined ? undefined : settled(countOf(sent, opening.signal));
      const parts = opened?.value[Symbol.asyncIterator]();
      while (parts !== undefined) {
        const next = await watch.wait(parts.next());
        if (next === undefined || next.value.done === true) break;
        answered.push(wordsIn(next.value.value));
        yield* pushed(reader, next.value.value);
      }
      const stopped = opening.stopped ?? watch.stopped;
      if (stopped !== undefined) {
        yield* reader.abandon();
        yield stopEvent(stopped);
        return;
      }
      const ending = reader.end(true);
      const usage = ending.at(-1)?.type === 'done' ? await usageOf(counted, answered.join('')) : undefined;
      if (usage === undefined) yield* ending;
      else yield* [...ending.slice(0, -1), { type: 'usage', usage } as const, ...ending.slice(-1)];
    } catch (error) {
      yield* reader.abandon();
      const stopped = opening.stopped ?? watch.stopped;
      if (stopped !== undefined) {
        yield stopEvent(stopped);
        return;
      }
      if (sent.tools.length > 0 && refusesTools(error)) yield { type: 'toolsRefused' };
      const failed = languageModelFailure(error, model.name, clock.now());
      yield { type: 'error', ...failed };
    } finally {
      opening.dispose();
      watch.dispose();
    }
  }

  const countOf = async (sent: LanguageRequest, signal: AbortSignal): Promise<number> => {
    const tools = sent.tools.length === 0 ? '' : JSON.stringify(sent.tools);
    return (await model.count(`${tools}\n${wordsOf(sent.messages)}`, signal)) + PER_MESSAGE * sent.messages.length;
  };

  /** A count is a convenience: that it fails is told in the log and nowhere else. */
  const settled = (count: Promise<number>): Promise<number | undefined> =>
    count.catch((error: unknown) => {
      log.warn('model: VS Code cannot count its tokens', { model: model.id, error: String(error) });
      return undefined;
    });

  const usageOf = async (counted: Promise<number | undefined> | undefined, answered: string): Promise<Usage | undefined> => {
    const watch = createWatch(new AbortController().signal, clock, COUNT_MS);
    try {
      const both = await watch.wait(Promise.all([counted, settled(model.count(answered, watch.signal))]));
      const [input, output] = both?.value ?? [];
      return input === undefined || output === undefined ? undefined : { input, output, estimated: true };
    } finally {
      watch.dispose();
    }
  };

  return {
    name: model.name,
    id: `vscode:${model.vendor} ${model.id}`,
    rehearsal: false,
    window,
    maxOutput: options.maxOutput ?? Math.min(MOST_OUTPUT, Math.floor(window * OUTPUT_SHARE)),
    get params() {
      const { id, vendor, family, version } = model;
      return { model: id, provider: 'vscode', vendor, family, version, ...(toolsRefused ? { toolsRefused: true } : {}) };
    },
    stream,
  };
}

function pushed(reader: AnswerReader, part: LanguageAnswerPart): readonly ModelEvent[] {
  switch (part.kind) {
    case 'text':
      return reader.push({ text: part.text, reasoning: '', calls: [] });
    case 'reasoning':
      return reader.push({ text: '', reasoning: part.text, calls: [] });
    case 'call':
      return reader.push({ text: '', reasoning: '', calls: [{ ...(part.callId === '' ? {} : { id: part.callId }), name: part.name, args: JSON.stringify(part.input) }] });
  }
}

const wordsIn = (part: LanguageAnswerPart): string => (part.kind === 'call' ? JSON.stringify(part.input) : part.text);

function stopEvent(stopped: NonNullable<Watch['stopped']>): ModelEvent {
  return stopped === 'aborted'
    ? { type: 'error', error: { code: 'turn.aborted' }, retryable: false }
    : { type: 'error', error: { code: 'model.idle-timeout', args: { seconds: IDLE_MS / 1_000 } }, retryable: true };
}
