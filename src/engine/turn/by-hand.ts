import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { fixedTokens } from '../prompt/measure';
import type { Session } from '../session/session';
import { inOurTokens } from '../text/token-scale';
import { agentTools } from '../tools/registry';
import type { AgentTurn } from './agent-turn';
import { clientFor, openTurnOf } from './agent-turn';
import { guardedCompaction } from './compaction';
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
export async function useSummary(gate: TurnGate, session: Session, summaryId: string, use: boolean): Promise<Result<void>> {
  if (session.readOnly) return refuse('session.read-only');
  const leave = gate.enter(session.header.id);
  if (leave === undefined) return refuse('session.busy');
  try {
    if (session.stub(summaryId)?.type !== 'summary' || !session.isOnBranch(summaryId)) return refuse('session.unknown-entry', { id: summaryId });
    if (openTurnOf(session) !== undefined) return refuse('summary.turn-open');
    const written = await session.append([{ type: use ? 'unhide' : 'hide', data: { targetId: summaryId } }], { durable: true });
    return written.ok ? ok(undefined) : written;
  } finally {
    leave();
  }
}
