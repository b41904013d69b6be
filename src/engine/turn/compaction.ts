import type { ModelClient } from '../ports/models';
import type { EngineError, Result } from '../ports/result';
import { caught, refuse } from '../ports/result';
import { historyMessages } from '../prompt/history';
import { messageTokens } from '../prompt/measure';
import type { EntryOf } from '../session/entries';
import type { Turn } from '../session/history';
import { hiddenOn, historyOf } from '../session/history';
import type { ModelSize, SizedTurn } from '../summary/plan';
import { callLimit, turnsToSummarise } from '../summary/plan';
import { compactedBranch } from '../summary/summary-at';
import { summariseTurns } from '../summary/summarise-turns';
import { inOurTokens } from '../text/token-scale';
import type { TurnDeps } from './deps';
import type { TurnEvent } from './events';
import { sideCall } from './side-call';
import { loadContexts } from './state-block';
import type { TurnLog } from './turn-log';

export interface CompactionInput {
  readonly deps: TurnDeps;
  readonly log: TurnLog;
  /** The turn it is made for; `''` by hand. */
  readonly turnId: string;
  /** Texts of context objects, kept between turns. */
  readonly contexts: Map<string, string>;
  readonly emit: (event: TurnEvent) => void;
  readonly signal: AbortSignal;
}

export interface CompactionNeed {
  /** The model that writes, in tokens as we count them. */
  readonly size: ModelSize;
  /** Tokens of system message and tools. */
  readonly fixed: number;
  readonly forced: boolean;
}

/**
 * Summarises the oldest turns of the branch, with the summary before them, into a `summary` entry at its end. Refuses `summary.nothing`
 * when no turn can be taken, and what models and the session refuse; then the branch is as it was.
 */
async function compactDiscussion(input: CompactionInput, need: CompactionNeed): Promise<Result<EntryOf<'summary'>>> {
  const { deps, log, emit, signal } = input;
  const { summary: before } = compactedBranch(log.entries);
  const turns = openTurns(log);
  const count = turnsToSummarise({ turns: await sizedTurns(input, turns), ...need });
  const taken = turns.slice(0, count);
  const through = taken.at(-1);
  if (through === undefined) return refuse('summary.nothing');

  emit({ type: 'phase', phase: 'compacting' });
  const client = await deps.models.client('side');
  if (!client.ok) return client;
  const floors = floorsOf(log);
  const floorOf = (turn: Turn): number => floors.get(turn.id) ?? 0;
  const { compact: prompt, texts } = deps.assets();
  const text = await summariseTurns(
    {
      prompt,
      texts,
      before: before?.data.text,
      turns: taken.map((turn) => ({ turn, floor: floorOf(turn) })),
      room: callLimit(inOurTokens(client.value, deps.tokenScale)),
      countTokens: deps.countTokens,
      ask: (messages, stop) => sideCall(sideOf(input, client.value), messages, stop),
    },
    signal,
  );
  if (!text.ok) return text;
  const from = before?.data.covers.from ?? taken[0]?.id ?? through.id;
  const written = await log.append(
    [
      {
        type: 'summary',
        data: {
          text: text.value,
          covers: { from, through: through.id, floors: [floors.get(from) ?? 1, floorOf(through)] },
          sources: [...(before === undefined ? [] : [before.id]), ...taken.map((turn) => turn.id)],
          tokens: await deps.countTokens(text.value),
        },
      },
    ],
    true,
  );
  const entry = log.entries.at(-1);
  return written && entry?.type === 'summary' ? { ok: true, value: entry } : { ok: false, error: log.failure() ?? { code: 'store.io' } };
}

/** The turns that are sent whole: those after the summary, without what is hidden. */
export function openTurns(log: TurnLog): readonly Turn[] {
  const hidden = hiddenOn(log.entries);
  return historyOf(compactedBranch(log.entries).entries).turns.filter(({ id }) => !hidden.has(id));
}

/** Turns with the tokens they are sent with. */
export async function sizedTurns({ deps, contexts }: Pick<CompactionInput, 'deps' | 'contexts'>, turns: readonly Turn[]): Promise<readonly SizedTurn[]> {
  const { noReply } = deps.assets().texts;
  const sized: SizedTurn[] = [];
  for (const { id, entries } of turns) {
    await loadContexts(deps, entries, contexts);
    const messages = historyMessages(entries, { contextText: (sha) => contexts.get(sha), noReply, hidden: hiddenOn(entries) });
    sized.push({ id, tokens: await messageTokens(messages.map(({ message }) => message), deps.countTokens) });
  }
  return sized;
}

/** Keeps on the branch that turns are still to be summarised, and tells. */
export async function oweSummary({ log, turnId, emit }: CompactionInput, error: EngineError): Promise<void> {
  const attempt = 1 + log.entries.filter((entry) => entry.type === 'side' && entry.data.job === 'summary').length;
  await log.append([{ type: 'side', data: { job: 'summary', for: turnId, outcome: 'failed', error: error.code, attempt } }], true);
  emit({ type: 'notice', error: { code: 'summary.failed', args: { because: error.code } } });
}

/** What a turn cannot foresee is a refusal of the compaction, not of the turn. */
export function guardedCompaction(input: CompactionInput, need: CompactionNeed): ReturnType<typeof compactDiscussion> {
  return caught(() => compactDiscussion(input, need));
}

function sideOf({ deps, log, turnId }: CompactionInput, client: ModelClient): Parameters<typeof sideCall>[0] {
  return { deps, session: log.session, turnId, client, job: 'summary', source: `prompts/${deps.project.config.language}/compact.md` };
}

/** Numbers of the turns on the branch, from 1. */
function floorsOf({ entries }: TurnLog): ReadonlyMap<string, number> {
  const floors = new Map<string, number>();
  for (const entry of entries) if (entry.type === 'user') floors.set(entry.id, floors.size + 1);
  return floors;
}
