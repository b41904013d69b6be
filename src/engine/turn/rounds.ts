import type { ModelClient, ModelMessage, ToolSpec } from '../ports/models';
import type { EngineError } from '../ports/result';
import { caught } from '../ports/result';
import type { BuiltMessage } from '../prompt/blocks';
import type { ForbiddenMatcher } from '../text/forbidden-words';
import { NOT_RUN } from '../tools/receipts';
import type { ToolSet } from '../tools/registry';
import type { SeenTexts, ToolContext } from '../tools/tool';
import type { TurnJournal } from '../manuscript/checkpoints';
import type { Assembler } from './assemble';
import { createAssembler } from './assemble';
import type { TurnDeps } from './deps';
import type { TurnEvent } from './events';
import type { Ending } from './finish';
import type { CallOutcome } from './model-call';
import { callModel } from './model-call';
import type { PartialJournal } from './partial-journal';
import { askedToGoOver } from './over-budget';
import { deliverSteering } from './steering';
import { readCalls, runBatch } from './tool-batch';
import type { TurnLog } from './turn-log';
import type { Waits } from './waiting';
import type { WordQueue } from './word-queue';

/** Rounds with tools; after them comes one last call that may not use any. */
export const MOST_ROUNDS = 20;
/** Characters of one tool result, at most. */
const RESULT_CHARS = 30_000;
const RESULT_SHARE = 0.2;

export interface RoundsInput {
  readonly deps: TurnDeps;
  readonly log: TurnLog;
  readonly turnId: string;
  readonly client: ModelClient;
  readonly system: BuiltMessage;
  /** The author's forbidden words, when they are used. */
  readonly forbidden?: ForbiddenMatcher | undefined;
  readonly tools: ToolSet;
  /** The turn offers a text and changes none: tools that change are refused. */
  readonly offersOnly: boolean;
  /** The one file the turn may change. */
  readonly only?: string | undefined;
  readonly journal: TurnJournal;
  /** Review mode: see `ToolContext.proposes`. */
  readonly proposes?: boolean;
  readonly partials: PartialJournal;
  /** Texts of context objects, kept between turns. */
  readonly contexts: Map<string, string>;
  readonly queue: WordQueue;
  readonly waits: Waits;
  readonly emit: (event: TurnEvent) => void;
  readonly signal: AbortSignal;
}

/** Model calls and tools until the model stops calling, something ends the turn, or the rounds are used up. Never rejects. */
export async function runRounds(input: RoundsInput): Promise<Ending> {
  const { deps, log, client, emit, signal } = input;
  const steps = stepsOf(input);
  const usedIds = new Set(log.entries.flatMap((entry) => (entry.type === 'step' ? entry.data.calls.map(({ callId }) => callId) : [])));
  const context = toolContext(input);
  const assembler = createAssembler(input);

  for (let round = steps + 1; ; round += 1) {
    if (signal.aborted) return stopped(client);
    // Behind tool results only: before its first call a turn has the words it began with.
    if (round > 1 && !(await deliverSteering(input))) return notWritten(log);
    const last = round > MOST_ROUNDS;
    const outcome = await nextAnswer(input, assembler, round, last, (id) => freshId(id, usedIds, deps));
    if (outcome.kind === 'stopped') return { ...stopped(client), reply: replyOf(outcome, client) };
    if (outcome.kind === 'error') return { status: 'error', error: outcome.error, reply: replyOf(outcome, client) };
    if (outcome.reason === 'content_filter') {
      return { status: 'error', error: { code: 'model.content-filter' }, reply: replyOf(outcome, client) };
    }
    if (outcome.calls.length === 0 || last) {
      for (const { callId, name } of outcome.calls) {
        emit({ type: 'toolDone', callId, name, ok: false, result: JSON.stringify(NOT_RUN) });
      }
      const notices: readonly EngineError[] = [
        ...(outcome.reason === 'length' ? [{ code: 'model.output-limit', args: { limit: client.maxOutput } } as const] : []),
        ...(outcome.text.trim() === '' ? [{ code: 'turn.no-answer' } as const] : []),
      ];
      for (const error of notices) emit({ type: 'notice', error });
      return { status: 'done', reply: { ...replyOf(outcome, client), notices, cut: outcome.reason === 'length' || outcome.reason === 'unknown' } };
    }

    const calls = readCalls(outcome.calls, outcome.reason === 'length' || outcome.reason === 'unknown');
    const written = await log.append(
      [
        {
          type: 'step',
          data: {
            ...(outcome.text === '' ? {} : { text: outcome.text }),
            ...(outcome.reasoning === '' ? {} : { reasoning: outcome.reasoning }),
            calls: calls.map(({ call }) => ({ ...call })),
            model: client.name,
            ...(outcome.usage === undefined ? {} : { usage: { ...outcome.usage } }),
          },
        },
      ],
      false,
    );
    if (!written) return notWritten(log);
    await input.partials.remove(log.session.header.id);
    emit({ type: 'phase', phase: 'tools' });
    const end = await runBatch({ tools: input.tools, offersOnly: input.offersOnly, only: input.only, log: deps.log, emit, context, append: (entries, durable) => log.append(entries, durable) }, calls);
    if (end === 'not-written') return notWritten(log);
    if (end !== 'go-on') return stopped(client);
  }
}

function stepsOf({ log, turnId }: RoundsInput): number {
  const start = log.entries.findIndex(({ id }) => id === turnId);
  return log.entries.slice(start).filter(({ type }) => type === 'step').length;
}

function replyOf(outcome: CallOutcome, client: ModelClient): NonNullable<Ending['reply']> {
  const { text, reasoning, usage } = outcome;
  return { text, reasoning, model: client.name, ...(usage === undefined ? {} : { usage }) };
}

export function stopped(client: Pick<ModelClient, 'name'>): Ending {
  return { status: 'stopped', reply: { text: '', reasoning: '', model: client.name } };
}

function notWritten(log: TurnLog): Ending {
  return { status: 'error', error: log.failure() ?? { code: 'store.io' } };
}

/** The id as the endpoint gave it, or a new one when a call of this session already has it. */
function freshId(id: string, used: Set<string>, deps: TurnDeps): string {
  const fresh = id === '' || used.has(id) ? `call_${deps.ids.next()}` : id;
  used.add(fresh);
  return fresh;
}

/** Makes the messages and asks; once more with shorter ones when the service finds them too long. */
async function nextAnswer(
  input: RoundsInput,
  assembler: Assembler,
  round: number,
  last: boolean,
  callId: (fromEndpoint: string) => string,
): Promise<CallOutcome> {
  const { emit, signal } = input;
  const ask = async (messages: Awaited<ReturnType<Assembler['next']>>): Promise<CallOutcome> => {
    if (signal.aborted) return { kind: 'stopped', text: '', reasoning: '' };
    if (!messages.ok) return { kind: 'error', error: messages.error, text: '', reasoning: '' };
    emit({ type: 'phase', phase: 'generating' });
    const outcome = await tracedCall(input, messages.value, round, last, callId);
    assembler.learn(outcome.usage);
    return outcome;
  };
  const first = await ask(await assembler.next());
  const over = first.kind === 'error' ? await askedToGoOver(input, first.error) : 'refused';
  if (over === 'stopped') return { kind: 'stopped', text: '', reasoning: '' };
  const outcome = over === 'go-on' ? await ask(await assembler.next()) : first;
  const refused = outcome.kind === 'error' && outcome.error.code === 'model.context-overflow' && outcome.text === '' && outcome.reasoning === '';
  const shorter = refused ? await assembler.shorter() : undefined;
  return shorter === undefined ? outcome : ask(shorter);
}

async function tracedCall(
  input: RoundsInput,
  built: readonly BuiltMessage[],
  round: number,
  last: boolean,
  callId: (fromEndpoint: string) => string,
): Promise<CallOutcome> {
  const { deps, log, turnId, client, emit, signal } = input;
  const tools: readonly ToolSpec[] = input.tools.specs;
  const messages: readonly ModelMessage[] = built.map(({ message }) => message);
  const sessionId = log.session.header.id;
  const toolChoice = last ? 'none' : 'auto';
  const line = await caught(() =>
    deps.traces.call({
      session: log.session,
      turnId,
      use: 'turn',
      round,
      model: client.name,
      params: client.params,
      messages: built,
      tools,
      toolChoice,
    }),
  );
  if (!line.ok) emit({ type: 'notice', error: line.error });

  const startedAt = deps.clock.now();
  const partial = input.partials.open(sessionId, { turnId, leaf: log.session.leaf() ?? '' });
  const outcome = await callModel(
    { clock: deps.clock, log: deps.log, client, emit, partial, wait: (ms, stop) => input.waits.pause(sessionId, ms, stop), callId },
    { messages, tools, toolChoice },
    round,
    signal,
  );
  await partial.settle();

  if (line.ok) {
    const { usage, firstTokenMs } = outcome;
    const result = await caught(() =>
      deps.traces.result(sessionId, line.value.id, {
        outcome: outcome.kind === 'done' ? outcome.reason : outcome.kind === 'error' ? outcome.error.code : 'stopped',
        ...(usage === undefined ? {} : { usage }),
        ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
        totalMs: deps.clock.now() - startedAt,
      }),
    );
    if (!result.ok) emit({ type: 'notice', error: result.error });
  }
  return outcome;
}

function toolContext(input: RoundsInput): Omit<ToolContext, 'callId'> {
  const { deps, client, journal, forbidden, signal } = input;
  return {
    documents: deps.documents,
    manuscript: deps.manuscript,
    rules: deps.project.rules,
    journal,
    ui: deps.ui,
    trusted: deps.trusted(),
    seen: createSeenTexts(),
    regexSearch: deps.regexSearch,
    forbidden,
    ...(input.proposes === true ? { proposes: true } : {}),
    resultLimit: Math.min(RESULT_CHARS, Math.floor(client.window * RESULT_SHARE)),
    signal,
  };
}

function createSeenTexts(): SeenTexts {
  const texts = new Map<string, string>();
  return {
    get: (path) => texts.get(path),
    note: (path, text) => void texts.set(path, text),
    forget: (path) => void texts.delete(path),
  };
}
