import { isTurnUndone, lastTurnCosts, lastUsage, mentionsOf, turnVariants } from '../../../engine/index';
import type { EngineError, Entry, EntryData, NewWords, Result, TokenUsage, TurnEvent, TurnInput, TurnStatus } from '../../../engine/index';
import type { ChatDelta, ChatItem, ChatStatus } from '../../../protocol/chat';
import { costWords } from './context-use';
import { createItemList } from './item-list';
import { badLinesNotice, conflictsNotice, errorNotice, itemIds, rehearsalNotice, switchedNotice, toollessNotice } from './notices';
import { itemsOfBranch } from './project-branch';
import { asRemark } from './remarks';
import { isElsewhere } from './read-only';
import { createProposalCards } from './proposal-cards';
import { advance, reduceTurn } from './reduce-turn';
import type { Phase, SessionChat, SessionChatDeps } from './session-chat-parts';
import { createSessionQueue } from './session-queue';
import { summaryWritten } from './summaries';
import { agentCheckpoints, createTurnChangesCache } from './turn-changes';
import { entriesSince, turnsAfter } from './turn-entries';

/** Cards whose counts are waited for before the first snapshot; older ones are filled in after it. */
const countedAtOnce = 5;

export type { Phase, SessionChat, SessionChatDeps } from './session-chat-parts';

/** What went along with the words of a turn. */
function extrasOf({ attachments, task, passage }: EntryData<'user'>): Omit<Extract<TurnInput, NewWords>, 'text'> {
  return { mentions: mentionsOf(attachments), ...(task === undefined ? {} : { task }), ...(passage === undefined ? {} : { passage }) };
}

export function createSessionChat(deps: SessionChatDeps): SessionChat {
  const { engine, session, log, t } = deps;
  const list = createItemList();
  const changes = createTurnChangesCache(engine, log);
  const queue = createSessionQueue({
    turns: engine.turns,
    session,
    log,
    running: () => run !== undefined,
    endedWell: () => ended === 'done',
    start: (id) => { start({ queued: id }); },
    onChange: () => { emit([{ op: 'queue', queue: [...queue.rows()] }]); },
  });
  const proposals = createProposalCards(engine.review, session.header.id);
  let phase: Phase = 'idle';
  let usage: ChatStatus['usage'];
  let run: { readonly abort: AbortController; readonly done: Promise<void> } | undefined;
  /** Where the run stands; `since`: the turn it found, which it may have to close first. */
  let place: { readonly turnId: string; readonly round: number; readonly since?: string } = { turnId: '', round: 0 };
  /** How the last turn here ended; nothing before the first. */
  let ended: TurnStatus | undefined;
  /** Told once in the life of this chat. */
  let toldBadLines = false;
  let toldToolless = false;
  let rehearsing = false;

  const emit = (deltas: readonly ChatDelta[]): void => {
    for (const delta of deltas) list.apply(delta);
    if (deltas.length > 0) deps.onDeltas(deltas);
  };
  const setPhase = (next: Phase): void => {
    if (phase === next) return;
    phase = next;
    deps.onStatus();
  };

  const variantOf = (turnId: string): { readonly at: number; readonly of: number } | undefined => {
    const turns = turnVariants(session, turnId);
    return turns.length < 2 ? undefined : { at: turns.indexOf(turnId) + 1, of: turns.length };
  };
  const project = (entries: readonly Entry[], runningTurn?: string): ChatItem[] =>
    proposals.among(itemsOfBranch(entries, { t, filesOf: (id) => changes.filesOf(id), runningTurn, variantOf, isUndone: (turnId) => isTurnUndone(session, turnId) }));

  /** Counts of older cards, one after the other, each shown as it is known. */
  async function countRest(): Promise<void> {
    for (const { turnId, entry } of agentCheckpoints(session.branch())) {
      const loaded = await changes.load([entry.data.id]);
      const item = list.get(itemIds.changes(turnId));
      const files = changes.filesOf(entry.data.id);
      if (loaded.length > 0 && item?.kind === 'changes' && files !== undefined) emit([{ op: 'put', item: { ...item, files: [...files] } }]);
    }
  }

  /** Cards that are shown follow what the author decides; one at a time, the last one last. */
  let followed: Promise<void> = Promise.resolve();
  engine.review.onChange((sessionId) => {
    if (sessionId !== session.header.id) return;
    followed = followed
      .then(async () => {
        await proposals.load();
        emit(proposals.changed((id) => list.get(id)).map((item) => ({ op: 'put', item })));
      })
      .catch((error: unknown) => { log.error('proposals could not be shown', { error: String(error) }); });
  });

  session.onReadOnly(() => {
    deps.onReadOnly();
    deps.onStatus();
  });

  async function interruptedItem(): Promise<ChatItem[]> {
    // A turn without an end may be running in the window that has the session.
    if (isElsewhere(session)) return [];
    const found = await engine.turns.interrupted(session);
    if (found === undefined) return [];
    return [
      {
        kind: 'interrupted',
        id: itemIds.interrupted(found.turnId),
        turnId: found.turnId,
        partial: found.partial?.text ?? '',
        waiting: found.pendingAsk !== undefined,
      },
    ];
  }

  const usageNow = ({ input, output, estimated }: Pick<TokenUsage, 'input' | 'output' | 'estimated'>): NonNullable<ChatStatus['usage']> => ({
    input,
    output,
    window: deps.window(),
    ...(estimated === undefined ? {} : { estimated }),
  });

  function badLines(): ChatItem[] {
    const count = session.badLines.length;
    if (count === 0 || toldBadLines) return [];
    toldBadLines = true;
    log.warn('lines of a conversation cannot be read', { sessionId: session.header.id, lines: session.badLines.map(({ line }) => line).join(', ') });
    return [badLinesNotice(count, t)];
  }

  async function reload(): Promise<void> {
    const branch = session.branch();
    const last = lastUsage(session);
    usage = last === undefined ? undefined : usageNow(last);
    await proposals.load();
    const cards = agentCheckpoints(branch);
    await changes.load(cards.slice(0, countedAtOnce).map(({ entry }) => entry.data.id));
    const interrupted = run === undefined ? await interruptedItem() : [];
    if (!isElsewhere(session)) await queue.load();
    list.replace([...project(branch, run === undefined ? undefined : place.turnId), ...interrupted, ...badLines()]);
    deps.onReset();
    if (cards.length > countedAtOnce) void countRest().catch((error: unknown) => { log.error('counting changes failed', { error: String(error) }); });
  }

  /**
   * After a turn: what the log says now is what is shown; notices of the run stay. Only the turns the run wrote in are looked
   * at: its own, and the one it may have had to close first. So a turn costs the same however long the conversation is.
   */
  async function reconcile(): Promise<void> {
    await proposals.load();
    const before = entriesSince(session, place.since);
    const entries = before.length > 0 ? before : entriesSince(session);
    await changes.load(agentCheckpoints(entries).map(({ entry }) => entry.data.id));
    const projected = project(entries);
    const wanted = new Set(projected.map((item) => item.id));
    const turns = new Set([...entries.filter((entry) => entry.type === 'user').map((entry) => entry.id), place.turnId]);
    const shown = [...turns].flatMap((turnId) => list.ofTurn(turnId));
    const stale = shown.filter((item) => item.kind !== 'notice' && !wanted.has(item.id)).map((item) => item.id);
    const fresh = projected.filter((item) => JSON.stringify(list.get(item.id)) !== JSON.stringify(item));
    emit([...(stale.length === 0 ? [] : [{ op: 'remove' as const, ids: stale }]), ...fresh.map((item) => ({ op: 'put' as const, item }))]);
  }

  function take(event: TurnEvent): void {
    const next = advance(event, place);
    const turnId = event.type === 'entry' && event.entry.type === 'step' ? place : next;
    emit(reduceTurn(event, { t, ...turnId, variantOf, get: (id) => list.get(id), ofTurn: (id) => list.ofTurn(id) }));
    place = { ...place, ...next };
    switch (event.type) {
      case 'entry':
        if (event.entry.type === 'summary') emit(summaryWritten(list.items(), session.branch()));
        break;
      case 'started':
        rehearsing = event.rehearsal;
        if (queue.rows().length > 0) void queue.load();
        break;
      case 'steered':
        void queue.load();
        break;
      case 'ended':
        ended = event.status;
        break;
      case 'phase':
        setPhase(event.phase);
        break;
      case 'usage':
        usage = usageNow(event.usage);
        deps.onStatus();
        break;
      case 'checkpoint':
        deps.onCheckpoint();
        break;
      default:
        break;
    }
  }

  function drive(start: (signal: AbortSignal) => AsyncIterable<TurnEvent>, watch?: (event: TurnEvent) => void): Promise<void> {
    const abort = new AbortController();
    const follow = async (): Promise<void> => {
      const failed = (error: unknown): void => {
        log.error('a turn failed', { error: String(error instanceof Error ? error.stack : error) });
        emit([{ op: 'put', item: errorNotice(`${place.turnId}:internal`, place.turnId, { code: 'internal' }, t) }]);
      };
      try {
        for await (const event of start(abort.signal)) {
          try {
            take(event);
            watch?.(event);
          } catch (error) {
            // What cannot be shown must not go on unseen: the turn is stopped, and followed to its end.
            if (!abort.signal.aborted) failed(error);
            abort.abort();
          }
        }
        await reconcile();
        await queue.load();
      } catch (error) {
        failed(error);
      }
      run = undefined;
      if (rehearsing && deps.firstRehearsal()) emit([{ op: 'put', item: rehearsalNotice(t) }]);
      if (!rehearsing && !toldToolless && deps.toolsRefused()) {
        toldToolless = true;
        emit([{ op: 'put', item: toollessNotice(t) }]);
      }
      if (!queue.sendNext()) setPhase('idle');
      deps.onEnded();
    };
    ended = undefined;
    // Set before the first event, so that a second start is refused at once.
    setPhase('preparing');
    const done = Promise.resolve().then(follow);
    run = { abort, done };
    return done;
  }

  /** Where the branch stands: what a run does first (closing an interrupted turn) belongs to its last turn. */
  function placeOnBranch(): typeof place {
    const entries = entriesSince(session);
    const [user] = entries;
    const round = entries.filter((entry) => entry.type === 'step').length + 1;
    return user === undefined ? { turnId: '', round } : { turnId: user.id, round, since: user.id };
  }

  const dropInterrupted = (): void => {
    const ids = list.ofTurn(place.turnId).filter((item) => item.kind === 'interrupted').map((item) => item.id);
    if (ids.length > 0) emit([{ op: 'remove', ids }]);
  };

  function start(input: TurnInput, watch?: (event: TurnEvent) => void): void {
    place = placeOnBranch();
    dropInterrupted();
    void drive((signal) => engine.turns.run(session, input, signal), watch);
  }

  const busy = (): { readonly ok: false; readonly error: EngineError } => ({ ok: false, error: { code: 'session.busy' } });

  async function undo(turnId: string): ReturnType<SessionChat['undo']> {
    if (run !== undefined) return busy();
    const undone = await engine.undoTurn(session, { sessionId: session.header.id, userEntryId: turnId });
    if (undone.ok) {
      ended = undefined;
      deps.onCheckpoint();
      await reload();
      if (undone.value.conflicts.length > 0) emit([{ op: 'put', item: conflictsNotice(turnId, undone.value.conflicts, t) }]);
    }
    return undone;
  }

  async function retryLast(): Promise<Result<void>> {
    const last = session.lastOnBranch('user');
    if (last === undefined) return { ok: false, error: { code: 'undo.nothing' } };
    const undone = await undo(last.id);
    if (!undone.ok) return undone;
    start({ ...extrasOf(last.data), text: undone.value.words, mentions: undone.value.mentions });
    return { ok: true, value: undefined };
  }

  async function runAgain(turnId: string, how: 'files-and-conversation' | 'conversation', text?: string): Promise<Result<void>> {
    if (run !== undefined) return busy();
    const said = session.get(turnId);
    const back = await engine.goBack(session, turnId, how);
    if (!back.ok) return back;
    deps.onCheckpoint();
    await reload();
    const { conflicts, words } = back.value;
    if (conflicts.length > 0) emit([{ op: 'put', item: conflictsNotice(turnId, conflicts, t) }]);
    const before = said?.type === 'user' ? (said.data as EntryData<'user'>) : undefined;
    start({ ...(before === undefined ? {} : extrasOf(before)), text: text ?? words });
    return { ok: true, value: undefined };
  }

  async function switchTurn(turnId: string, step: 1 | -1): Promise<Result<void>> {
    if (run !== undefined) return busy();
    const turns = turnVariants(session, turnId);
    const next = turns[turns.indexOf(turnId) + step];
    if (next === undefined) return { ok: true, value: undefined };
    const moved = await engine.switchTurn(session, next);
    if (!moved.ok) return moved;
    await reload();
    emit([{ op: 'put', item: switchedNotice(t) }]);
    return { ok: true, value: undefined };
  }

  return {
    session,
    items: () => list.items(),
    phase: () => phase,
    usage: () => usage,
    turnCost: () => {
      const costs = lastTurnCosts(session);
      return costs.length === 0 ? undefined : costWords(costs);
    },
    running: () => run !== undefined,
    reload,
    send: (text, mentions = [], task) => {
      if (run !== undefined) return false;
      start({ text, mentions, ...(task === undefined ? {} : { task }) });
      return true;
    },
    run: (input, watch) => {
      if (run !== undefined) return false;
      start(input, watch);
      return true;
    },
    enqueue: (words, steer) => queue.add(words, steer),
    queue: () => queue.rows(),
    queueAct: (act) => queue.act(act),
    leaveQueue: () => { queue.leave(); },
    stop: () => { run?.abort.abort(); },
    retryNow: () => { engine.turns.retryNow(session.header.id); },
    resume: async (how) => {
      if (run !== undefined) return busy();
      const interrupted = await engine.turns.interrupted(session);
      if (interrupted === undefined) return { ok: false, error: { code: 'turn.nothing-open' } };
      if (how === 'continue') {
        place = placeOnBranch();
        dropInterrupted();
        void drive((signal) => engine.turns.resume(session, signal));
        return { ok: true, value: undefined };
      }
      if (how === 'retry') {
        const again = await retryLast();
        return again.ok ? { ok: true, value: undefined } : again;
      }
      if (how === 'undo') {
        const undone = await undo(interrupted.turnId);
        return undone.ok ? { ok: true, value: undone.value } : undone;
      }
      const settled = await engine.turns.settle(session);
      if (!settled.ok) return settled;
      deps.onCheckpoint();
      await reload();
      return { ok: true, value: undefined };
    },
    undo,
    compact: async () => {
      if (run !== undefined) return busy();
      place = placeOnBranch();
      let refused: EngineError | undefined;
      const heard = async function* (signal: AbortSignal): AsyncGenerator<TurnEvent> {
        for await (const event of engine.turns.compact(session, signal)) {
          if (event.type === 'ended') refused = event.error;
          yield event;
        }
      };
      await drive((signal) => asRemark(heard(signal)));
      return refused === undefined ? { ok: true, value: undefined } : { ok: false, error: refused };
    },
    useSummary: async (id, use) => {
      if (run !== undefined) return busy();
      const done = await engine.turns.useSummary(session, id, use);
      if (done.ok) await reload();
      return done;
    },
    rewriteSummary: async (id, text) => {
      if (run !== undefined) return busy();
      const done = await engine.turns.rewriteSummary(session, id, text);
      if (done.ok) await reload();
      return done;
    },
    retryLast,
    planAgain: async (turnId) => (run === undefined ? engine.planGoBack(session, turnId) : busy()),
    runAgain,
    switchTurn,
    turnsAfter: (turnId) => turnsAfter(session, turnId).length,
    changesOf: async (turnId) => {
      const found = agentCheckpoints(entriesSince(session, turnId)).find((one) => one.turnId === turnId);
      return found === undefined ? { ok: false, error: { code: 'checkpoint.not-found' } } : changes.changesOf(found.entry.data.id);
    },
    idle: async () => {
      while (run !== undefined) await run.done;
    },
  };
}
