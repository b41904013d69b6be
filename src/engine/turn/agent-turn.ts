import type { ModelClient } from '../ports/models';
import type { EngineError, Result } from '../ports/result';
import { EngineFailure, ok, refuse } from '../ports/result';
import type { EntryData, EntryOf } from '../session/entries';
import type { Turn } from '../session/history';
import { openTurn, recentBranch } from '../session/history';
import { keptMentions } from '../session/mentions';
import type { Session } from '../session/session';
import { agentTools, chapterTools } from '../tools/registry';
import type { TurnDeps } from './deps';
import type { TurnEvent } from './events';
import type { Ending, TurnCredit } from './finish';
import { creditTurn, finishTurn } from './finish';
import type { PartialJournal } from './partial-journal';
import { answerOpenCalls } from './open-calls';
import { turnDesk } from './review-mode';
import { callsOf } from './calls-of';
import { runRounds, stopped } from './rounds';
import { writeStateBlock } from './state-block';
import { withMentions } from './steering';
import { jobChapterOf } from './job-block';
import { turnRules } from './system';
import type { TurnLog } from './turn-log';
import { createTurnLog } from './turn-log';
import type { TurnExtras, TurnInput } from './turns';
import type { Waits } from './waiting';
import type { NewWords, WordQueue } from './word-queue';

export interface AgentTurn {
  readonly deps: TurnDeps;
  readonly session: Session;
  readonly partials: PartialJournal;
  readonly contexts: Map<string, string>;
  readonly queue: WordQueue;
  readonly waits: Waits;
  readonly emit: (event: TurnEvent) => void;
  readonly signal: AbortSignal;
}

/** The smallest window that can hold rules, tools, a chapter and an answer. */
export const LEAST_WINDOW = 8_000;

type Ended = Extract<TurnEvent, { readonly type: 'ended' }>;

/** A whole turn from the user's words on. Never rejects for what a turn can meet; resolves to its last event. */
export async function runAgentTurn(turn: AgentTurn, input: TurnInput): Promise<Ended> {
  const { session, emit } = turn;
  const log = createTurnLog(session, emit);
  const written = await writeWords(turn, input);
  if (!written.ok) return { type: 'ended', turnId: undefined, status: 'error', error: written.error };
  if (written.value === undefined) return { type: 'ended', turnId: undefined, status: 'stopped' };
  const { id: user, data } = written.value;
  const words = data.text;
  const client = await clientFor(turn.deps);
  emitStarted(turn, user, client);
  log.note(written.value);
  const ending = await guarded(turn, async () => {
    emit({ type: 'phase', phase: 'preparing' });
    if (!client.ok) return failed(client.error);
    const author = await turn.deps.checkpoints.take({ author: 'user' });
    if (!author.ok) return failed(author.error, client.value);
    if (author.value !== undefined) emit({ type: 'checkpoint', record: author.value });
    return work(turn, log, user, client.value);
  });
  return finish(turn, log, { id: user, words }, ending);
}

/** The `user` entry, on the disk. Queued words leave the queue with it; `undefined`: they are gone. */
async function writeWords({ session, queue }: AgentTurn, input: TurnInput): Promise<Result<EntryOf<'user'> | undefined>> {
  const append = async (words: NewWords & TurnExtras, id?: string): Promise<Result<EntryOf<'user'> | undefined>> => {
    const written = await session.append([{ type: 'user', ...(id === undefined ? {} : { id }), data: userData(words) }], { durable: true });
    return written.ok ? ok(written.value.find((entry): entry is EntryOf<'user'> => entry.type === 'user')) : written;
  };
  if (!('queued' in input)) return append(input);
  let written: Result<EntryOf<'user'> | undefined> = ok(undefined);
  const said = await queue.say(
    session,
    ({ id }) => id === input.queued,
    async ([words]) => {
      if (words !== undefined) written = await append({ text: words.text, mentions: words.mentions }, words.id);
      return written.ok;
    },
  );
  return said.ok || (written.ok && written.value !== undefined) ? written : said;
}

function userData({ text, mentions, task, passage }: NewWords & TurnExtras): EntryData<'user'> {
  return { text, ...withMentions(keptMentions(mentions ?? [])), ...(task === undefined ? {} : { task: { ...task } }), ...(passage === undefined ? {} : { passage }) };
}

/** Goes on with a turn that its host did not survive: the same messages, and what had streamed in kept beside the chain. */
export async function resumeAgentTurn(turn: AgentTurn, open: Turn): Promise<Ended> {
  const { session, emit, deps } = turn;
  const kept = await keepPartialBeside(turn, open);
  const log = createTurnLog(session, emit);
  const at = { id: open.id, words: open.user.data.text };
  if (!kept.ok) return { type: 'ended', turnId: open.id, status: 'error', error: kept.error };
  const client = await clientFor(deps);
  emitStarted(turn, open.id, client);
  if (open.reply !== undefined) return finish(turn, log, at, replied(open.reply.data.status));
  const ending = await guarded(turn, async () => {
    if (!client.ok) return failed(client.error);
    return work(turn, log, open.id, client.value);
  });
  return finish(turn, log, at, ending);
}

/** What an interrupted turn has done so far, credited before it is closed. */
export function creditAgentTurn({ deps, session }: AgentTurn, open: Turn): Promise<TurnCredit> {
  return creditTurn(deps, { sessionId: session.header.id, userEntryId: open.id }, open.user.data.text, true);
}

/** Closes an interrupted turn as it stands. */
export async function settleAgentTurn(
  turn: AgentTurn,
  open: Turn,
  endStatus: 'interrupted' | 'undone',
  credited?: TurnCredit,
): Promise<Result<void>> {
  const { session, partials, emit, deps } = turn;
  const log = createTurnLog(session, emit);
  const partial = await partials.read(session.header.id);
  const streamed = partial !== undefined && partial.turnId === open.id && partial.leaf === session.leaf() ? partial : undefined;
  await answerOpenCalls(log, open);
  const ending: Ending = {
    status: 'stopped',
    endStatus,
    ...(open.reply === undefined
      ? { reply: { text: streamed?.text ?? '', reasoning: streamed?.reasoning ?? '', model: open.steps.at(-1)?.entry.data.model ?? '' } }
      : {}),
  };
  await finishTurn(deps, log, { sessionId: session.header.id, userEntryId: open.id }, open.user.data.text, ending, emit, credited);
  const failure = log.failure();
  if (failure !== undefined) return { ok: false, error: failure };
  await partials.remove(session.header.id);
  return ok(undefined);
}

/** Whether this branch ends in a turn without an `end`. */
export function openTurnOf(session: Session): Turn | undefined {
  return openTurn(recentBranch(session, 1).branch);
}

function emitStarted({ session, emit }: AgentTurn, turnId: string, client: Result<ModelClient>): void {
  emit({
    type: 'started',
    turnId,
    sessionId: session.header.id,
    model: client.ok ? client.value.name : '',
    rehearsal: client.ok && client.value.rehearsal,
  });
}

/** The model that writes. Refuses also `model.window-too-small`. */
export async function clientFor(deps: TurnDeps): Promise<Result<ModelClient>> {
  const client = await deps.models.client('writing');
  if (!client.ok) return client;
  if (client.value.window < LEAST_WINDOW) return refuse('model.window-too-small', { window: client.value.window, least: LEAST_WINDOW });
  return client;
}

/** The state block if it is not there yet, open calls if there are any, then the rounds. */
async function work(turn: AgentTurn, log: TurnLog, turnId: string, client: ModelClient): Promise<Ending> {
  const { deps, session, partials, contexts, emit, signal } = turn;
  const desk = await turnDesk(deps, session, turnId);
  if (!desk.ok) return failed(desk.error, client);
  const open = openTurn(log.entries);
  if (open?.context === undefined) {
    const written = await writeStateBlock(desk.value.deps, log);
    if (!written.ok) return failed(written.error, client);
  } else if (await answerOpenCalls(log, open, { deps, emit, signal })) return stopped(client);
  const failure = log.failure();
  if (failure !== undefined) return { status: 'error', error: failure };
  const only = jobChapterOf(open?.user.data);
  return runRounds({
    ...desk.value,
    log,
    turnId,
    client: callsOf(client, { sessionId: session.header.id, turnId }),
    ...(await turnRules(deps)),
    tools: only === undefined ? agentTools(deps.assets()) : chapterTools(deps.assets()),
    only,
    offersOnly: open?.user.data.passage !== undefined,
    partials,
    contexts,
    queue: turn.queue,
    waits: turn.waits,
    emit,
    signal,
  });
}

function failed(error: EngineError, client?: ModelClient): Ending {
  return { status: 'error', error, reply: { text: '', reasoning: '', model: client?.name ?? '' } };
}

/** The ending of a turn whose reply had been written before its host went away. */
function replied(status: 'sealed' | 'unsealed' | 'stopped' | 'error'): Ending {
  return { status: status === 'stopped' || status === 'error' ? status : 'done' };
}

/** What a turn cannot foresee (a full disk where nothing is refused, a bug) ends it as an error. */
async function guarded({ deps }: AgentTurn, f: () => Promise<Ending>): Promise<Ending> {
  try {
    return await f();
  } catch (error) {
    if (error instanceof EngineFailure) return failed(error.error);
    deps.log.error('turn: failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    return failed({ code: 'internal', cause: String(error) });
  }
}

async function finish(turn: AgentTurn, log: TurnLog, at: { readonly id: string; readonly words: string }, ending: Ending): Promise<Ended> {
  const { deps, session, emit, partials } = turn;
  const closing = await guarded(turn, async () => {
    await finishTurn(deps, log, { sessionId: session.header.id, userEntryId: at.id }, at.words, ending, emit);
    return ending;
  });
  const failure = ending.error ?? closing.error ?? log.failure();
  if (log.failure() === undefined) await partials.remove(session.header.id);
  const status = failure === undefined ? ending.status : 'error';
  return { type: 'ended', turnId: at.id, status, ...(failure === undefined ? {} : { error: failure }) };
}

/** Partial text of an interrupted call becomes a stopped reply beside the chain that goes on. */
async function keepPartialBeside(turn: AgentTurn, open: Turn): Promise<Result<void>> {
  const { session, partials } = turn;
  const leaf = session.leaf();
  const partial = await partials.read(session.header.id);
  const belongs = partial !== undefined && partial.turnId === open.id && partial.leaf === leaf;
  if (!belongs || (partial.text === '' && partial.reasoning === '')) return ok(undefined);
  const kept = await session.append(
    [
      {
        type: 'reply',
        data: {
          text: partial.text,
          ...(partial.reasoning === '' ? {} : { reasoning: partial.reasoning }),
          model: open.steps.at(-1)?.entry.data.model ?? '',
          status: 'stopped',
        },
      },
    ],
    { durable: true },
  );
  if (!kept.ok) return kept;
  const moved = await session.setLeaf(leaf);
  if (!moved.ok) return moved;
  await partials.remove(session.header.id);
  return ok(undefined);
}
