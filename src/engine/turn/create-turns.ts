import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import type { Session } from '../session/session';
import type { AgentTurn } from './agent-turn';
import { creditAgentTurn, openTurnOf, resumeAgentTurn, runAgentTurn, settleAgentTurn } from './agent-turn';
import { compactByHand, rewriteSummary, useSummary } from './by-hand';
import type { TurnDeps } from './deps';
import { createEventQueue } from './event-queue';
import type { TurnEvent } from './events';
import { pendingAsk } from './open-calls';
import { createPartialJournal } from './partial-journal';
import type { Turns } from './turns';
import { createWaits } from './waiting';
import { createWordQueue } from './word-queue';

export interface AgentTurns extends Turns {
  /**
   * For who holds the gate and is about to go back before an interrupted turn, if there is one: credits what it has done, which
   * leaves the session as it is. `close` then closes it as undone, once going back has succeeded.
   */
  discard(session: Session): Promise<{ close(): Promise<Result<void>> }>;
}

export function createTurns(deps: TurnDeps): AgentTurns {
  const partials = createPartialJournal(deps);
  const contexts = new Map<string, string>();
  const wordQueue = createWordQueue(deps);
  const waits = createWaits(deps.clock);
  const ended = (event: Omit<Extract<TurnEvent, { type: 'ended' }>, 'type'>): TurnEvent => ({ type: 'ended', ...event });

  /** A queue that cannot be written is no reason to fail a turn that has ended. */
  const endSteering = async (session: Session): Promise<void> => {
    if (session.readOnly) return;
    const done = await wordQueue.endSteering(session);
    if (!done.ok) deps.log.warn('turn: words that were to steer cannot be put back', { code: done.error.code });
  };

  /** Takes the session, runs, and always says that it has ended. The work goes on whether or not anyone reads. */
  const start = (
    session: Session,
    signal: AbortSignal,
    work: (turn: AgentTurn) => Promise<Extract<TurnEvent, { type: 'ended' }>>,
  ): AsyncIterable<TurnEvent> => {
    const queue = createEventQueue<TurnEvent>();
    const leave = deps.gate.enter(session.header.id);
    const close = (event: TurnEvent): void => {
      queue.push(event);
      queue.close();
    };
    /** Left before steering ends: words that come in between see that no turn runs, and wait. */
    const closeRun = async (event: TurnEvent): Promise<void> => {
      leave?.();
      await endSteering(session);
      close(event);
    };
    if (leave === undefined) close(ended({ turnId: undefined, status: 'error', error: { code: 'session.busy' } }));
    else if (session.readOnly) {
      leave();
      close(ended({ turnId: undefined, status: 'error', error: { code: 'session.read-only' } }));
    } else {
      work({ deps, session, partials, contexts, queue: wordQueue, waits, emit: (event) => queue.push(event), signal })
        .catch((error: unknown) => {
          deps.log.error('turn: crashed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
          return ended({ turnId: undefined, status: 'error', error: { code: 'internal', cause: String(error) } });
        })
        .then(closeRun)
        .catch((error: unknown) => {
          deps.log.error('turn: its end failed', { error: String(error) });
          close(ended({ turnId: undefined, status: 'error', error: { code: 'internal', cause: String(error) } }));
        });
    }
    return queue.events;
  };

  /** The turn as it is closed: nobody can stop that. */
  const closing = (session: Session, emit: (event: TurnEvent) => void): AgentTurn => ({
    deps,
    session,
    partials,
    contexts,
    queue: wordQueue,
    waits,
    emit,
    signal: new AbortController().signal,
  });

  const closeOpen = async (session: Session, emit: (event: TurnEvent) => void): Promise<Result<void>> => {
    const open = openTurnOf(session);
    if (open === undefined) return ok(undefined);
    await endSteering(session);
    return settleAgentTurn(closing(session, emit), open, 'interrupted');
  };

  return {
    run: (session, input, signal) =>
      start(session, signal, async (turn) => {
        const settled = await closeOpen(session, turn.emit);
        if (!settled.ok) return { type: 'ended', turnId: undefined, status: 'error', error: settled.error };
        return runAgentTurn(turn, input);
      }),
    queue: wordQueue,
    steer: (session, words) => wordQueue.add(session, words, true),
    retryNow: (sessionId) => { waits.goOn(sessionId); },
    busy: (sessionId) => deps.gate.busy(sessionId),
    async interrupted(session) {
      const open = deps.gate.busy(session.header.id) ? undefined : openTurnOf(session);
      if (open === undefined) return undefined;
      const partial = await partials.read(session.header.id);
      const ask = pendingAsk(open);
      const belongs = partial !== undefined && partial.turnId === open.id && partial.leaf === session.leaf();
      return {
        turnId: open.id,
        text: open.user.data.text,
        ...(belongs ? { partial: { text: partial.text, reasoning: partial.reasoning } } : {}),
        ...(ask === undefined ? {} : { pendingAsk: ask }),
      };
    },
    resume: (session, signal) =>
      start(session, signal, async (turn) => {
        const open = openTurnOf(session);
        if (open === undefined) return { type: 'ended', turnId: undefined, status: 'error', error: { code: 'turn.nothing-open' } };
        return resumeAgentTurn(turn, open);
      }),
    async settle(session) {
      if (session.readOnly) return refuse('session.read-only');
      const leave = deps.gate.enter(session.header.id);
      if (leave === undefined) return refuse('session.busy');
      try {
        return await closeOpen(session, () => undefined);
      } finally {
        leave();
      }
    },
    compact: (session, signal) => start(session, signal, compactByHand),
    useSummary: (session, summaryId, use) => useSummary(deps.gate, session, summaryId, use),
    rewriteSummary: (session, summaryId, text) => rewriteSummary(deps, session, summaryId, text),
    async discard(session) {
      const open = openTurnOf(session);
      if (open === undefined) return { close: () => Promise.resolve(ok(undefined)) };
      const turn = closing(session, () => undefined);
      const credited = await creditAgentTurn(turn, open);
      return {
        close: async () => {
          await endSteering(session);
          return settleAgentTurn(turn, open, 'undone', credited);
        },
      };
    },
  };
}
