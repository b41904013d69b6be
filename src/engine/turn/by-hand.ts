import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { fixedTokens } from '../prompt/measure';
import type { Session } from '../session/session';
import { compactedBranch } from '../summary/summary-at';
import { inOurTokens } from '../text/token-scale';
import { agentTools } from '../tools/registry';
import type { AgentTurn } from './agent-turn';
import { clientFor, openTurnOf } from './agent-turn';
import { guardedCompaction } from './compaction';
import type { TurnDeps } from './deps';
import type { TurnEvent } from './events';
import type { TurnGate } from './gate';
import { turnRules } from './system';
import { createTurnLog } from './turn-log';

type Ended = Extract<TurnEvent, { readonly type: 'ended' }>;

/** Compaction that the author asked for. */
export async function compactByHand(turn: AgentTurn): Promise<Ended> {
  const { deps, session, contexts, emit, signal } = turn;
  const ended = (error: Ended['error']): Ended => ({ type: 'ended', turnId: undefined, status: signal.aborted ? 'stopped' : 'error', ...(error === undefined ? {} : { error }) });
  if (openTurnOf(session) !== undefined) return ended({ code: 'summary.turn-open' });
  const client = await clientFor(deps);
  if (!client.ok) return ended(client.error);
  const { system } = await turnRules(deps);
  const fixed = await fixedTokens(system.message, agentTools(deps.assets()).specs, deps.countTokens);
  const log = createTurnLog(session, emit);
  const done = await guardedCompaction({ deps, log, turnId: '', contexts, emit, signal }, { size: inOurTokens(client.value, deps.tokenScale), fixed, forced: true });
  return done.ok ? { type: 'ended', turnId: undefined, status: 'done' } : ended(done.error);
}

/** `Turns.useSummary`. */
export function useSummary(gate: TurnGate, session: Session, summaryId: string, use: boolean): Promise<Result<void>> {
  return betweenTurns(gate, session, async () => {
    if (session.stub(summaryId)?.type !== 'summary' || !session.isOnBranch(summaryId)) return refuse('session.unknown-entry', { id: summaryId });
    const written = await session.append([{ type: use ? 'unhide' : 'hide', data: { targetId: summaryId } }], { durable: true });
    return written.ok ? ok(undefined) : written;
  });
}

/** `Turns.rewriteSummary`. */
export function rewriteSummary({ gate, countTokens }: Pick<TurnDeps, 'gate' | 'countTokens'>, session: Session, summaryId: string, words: string): Promise<Result<void>> {
  return betweenTurns(gate, session, async () => {
    const text = words.trim();
    if (text === '') return refuse('summary.nothing');
    const old = compactedBranch(createTurnLog(session, () => undefined).entries).summary;
    if (old?.id !== summaryId) return refuse('session.unknown-entry', { id: summaryId });
    const { covers } = old.data;
    const data = { text, covers, sources: [summaryId], tokens: await countTokens(text), by: 'author' as const };
    const written = await session.append([{ type: 'summary', data }], { durable: true });
    return written.ok ? ok(undefined) : written;
  });
}

/** What is written into a session by itself: alone, and while no turn is open. */
async function betweenTurns(gate: TurnGate, session: Session, write: () => Promise<Result<void>>): Promise<Result<void>> {
  if (session.readOnly) return refuse('session.read-only');
  const leave = gate.enter(session.header.id);
  if (leave === undefined) return refuse('session.busy');
  try {
    return openTurnOf(session) === undefined ? await write() : refuse('summary.turn-open');
  } finally {
    leave();
  }
}
