import type { Checkpoints } from '../manuscript/checkpoints';
import type { Manuscript } from '../manuscript/manuscript';
import type { Clock } from '../ports/clock';
import type { Documents } from '../ports/documents';
import type { Files } from '../ports/files';
import type { Ids } from '../ports/ids';
import type { Log } from '../ports/log';
import type { EngineError, Result } from '../ports/result';
import { EngineFailure, fail, ok, refuse } from '../ports/result';
import type { ObjectStore } from '../store/objects';
import { createQueue } from '../store/queue';
import { applyWorks, carryOutFile, wholeText, type CarryOutDeps, type TextWork } from './carry-out';
import { viewOf, type ProposalView } from './on-live';
import { createOverlay } from './overlay';
import { isPending, kindOf, turnOf, type Proposal, type ReviewState } from './proposal';
import type { Accepted, Review } from './review';
import { createReviewStore } from './review-store';
import { rowsOf } from './rows';
import * as steps from './state';

export interface ReviewDeps {
  readonly files: Files;
  readonly objects: ObjectStore;
  readonly documents: Documents;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly readOnly?: boolean;
  /** Runs `f` while this window holds the session; refuses `session.read-only` else. `words`: the author's words of a turn. */
  readonly holding: <T>(sessionId: string, f: (words: (turnId: string) => string) => Promise<Result<T>>) => Promise<Result<T>>;
  /** Chapters over other documents; never writes the cache. */
  readonly manuscriptOver: (documents: Documents) => Manuscript;
}

/** What the author types into the files of proposals is told so late, in ms. */
const QUIET_MS = 250;

const gone = (id: string): Result<never> => refuse('review.gone', { id });

export function createReview(deps: ReviewDeps): Review {
  const { documents, checkpoints, clock, ids, log } = deps;
  const store = createReviewStore(deps);
  const states = new Map<string, ReviewState>();
  const listeners = new Set<(sessionId: string) => void>();
  const queue = createQueue();
  let loading: Promise<Result<void>> | undefined;

  const stamp = (): steps.Stamp => ({ id: () => ids.next(), now: clock.now() });
  const tell = (sessionId: string): void => listeners.forEach((listener) => listener(sessionId));
  const stateOf = (sessionId: string): ReviewState => states.get(sessionId) ?? steps.emptyReview(sessionId);
  const all = (): readonly Proposal[] => [...states.values()].flatMap(({ proposals }) => proposals);
  const find = (id: string): Proposal | undefined => all().find((one) => one.id === id);
  const waiting = (id: string): Proposal | undefined => {
    const found = find(id);
    return found !== undefined && isPending(found) ? found : undefined;
  };

  const guarded = async <T>(f: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await f();
    } catch (error) {
      if (error instanceof EngineFailure) return fail(error.error);
      throw error;
    }
  };

  /** One step: on the disk first, then here, then told. */
  async function step(sessionId: string, change: (state: ReviewState) => ReviewState): Promise<Result<void>> {
    const before = stateOf(sessionId);
    const after = change(before);
    if (after === before) return ok(undefined);
    await store.save(after);
    states.set(sessionId, after);
    tell(sessionId);
    return ok(undefined);
  }

  /** Another window may have decided since: what it wrote counts. Within the queue. */
  async function fresh(sessionId: string): Promise<void> {
    if (!(await store.changed(sessionId))) return;
    const known = stateOf(sessionId);
    const there = await store.load(sessionId);
    states.set(sessionId, there);
    if (JSON.stringify(there) !== JSON.stringify(known)) tell(sessionId);
  }

  const load = (): Promise<Result<void>> =>
    (loading ??= guarded(async () => {
      for (const sessionId of await store.sessions()) if (!states.has(sessionId)) states.set(sessionId, await store.load(sessionId));
      return ok(undefined);
    }).then((done) => {
      if (!done.ok) loading = undefined;
      return done;
    }));

  /** Loaded, held by this window, one thing at a time. */
  const changing = <T>(sessionId: string, f: (words: (turnId: string) => string) => Promise<Result<T>>): Promise<Result<T>> =>
    guarded(async () => {
      const loaded = await load();
      if (!loaded.ok) return loaded;
      return deps.readOnly === true ? refuse('session.read-only') : deps.holding(sessionId, (words) =>
        queue.run(async () => {
          await fresh(sessionId);
          return f(words);
        }),
      );
    });

  /** The text at the place a proposal is about. */
  async function liveText(proposal: Proposal): Promise<string | undefined> {
    const live = await documents.read(proposal.from ?? proposal.path);
    return live.ok ? live.value.text : undefined;
  }

  async function view(id: string): Promise<ProposalView | undefined> {
    const proposal = find(id);
    return proposal === undefined ? undefined : viewOf(proposal, await liveText(proposal));
  }

  const carrying: CarryOutDeps = {
    documents,
    journal: (proposal) => checkpoints.journal({ sessionId: proposal.sessionId, userEntryId: turnOf(proposal) }),
  };

  /** The agent's checkpoint for each turn whose proposals were carried out. Trouble leaves the edits journalled: the next checkpoint has them. */
  async function credit(done: readonly Proposal[], words: (turnId: string) => string): Promise<readonly string[]> {
    const taken: string[] = [];
    for (const turn of new Set(done.map(turnOf))) {
      const sessionId = done[0]?.sessionId ?? '';
      const ended = await checkpoints.endTurn({ sessionId, userEntryId: turn }, words(turn), false);
      if (ended.ok) taken.push(...ended.value.records.map(({ id }) => id));
      else log.warn('what was accepted has no checkpoint yet', { code: ended.error.code });
    }
    return taken;
  }

  /** A new file or a new name that was carried out before, and could not be noted: a full disk, a window that was killed. */
  async function stands({ from, path, text }: Proposal, live: string | undefined): Promise<boolean> {
    if (from === null) return text !== null && live === text;
    if (from === path || text === null || live !== undefined) return false;
    const there = await documents.read(path);
    return there.ok && there.value.text === text;
  }

  async function acceptIn(sessionId: string, proposals: readonly Proposal[], force: boolean, words: (turnId: string) => string): Promise<Result<Accepted>> {
    const refused: { id: string; path: string; error: EngineError }[] = [];
    const refuseOne = ({ id, path }: Proposal, error: EngineError): void => void refused.push({ id, path, error });
    const texts: { proposal: Proposal; work: TextWork }[] = [];
    const rest: Proposal[] = [];
    const done: Proposal[] = [];
    for (const proposal of proposals) {
      const kind = kindOf(proposal);
      const live = await liveText(proposal);
      if (await stands(proposal, live)) {
        done.push(proposal);
        continue;
      }
      if (force && live === undefined && proposal.from !== null && proposal.text !== null) {
        // There is no such file any more: it comes back as it is proposed.
        rest.push({ ...proposal, from: null, base: null });
        continue;
      }
      const asText = kind === 'modify' || kind === 'rename' || (kind === 'create' && live !== undefined);
      if (!asText || (kind === 'rename' && proposal.text === proposal.base)) {
        rest.push(proposal);
        continue;
      }
      const work = wholeText(proposal, force);
      const planned = live === undefined ? refuse('review.conflict', { path: work.path }) : work.plan(live);
      if (planned.ok) texts.push({ proposal, work });
      else refuseOne(proposal, planned.error);
    }
    const applied = texts.length === 0 ? ok(undefined) : await applyWorks(carrying, texts.map(({ work }) => work));
    for (const { proposal } of texts) {
      if (!applied.ok) refuseOne(proposal, applied.error);
      else if (kindOf(proposal) === 'rename') rest.push(proposal);
      else done.push(proposal);
    }
    for (const proposal of rest) {
      const carried = await carryOutFile(carrying, proposal, force);
      if (carried.ok) done.push(proposal);
      else refuseOne(proposal, carried.error);
    }
    const checkpointIds = await credit(done, words);
    if (done.length > 0) {
      const at = stamp();
      const noted = await step(sessionId, (state) => done.reduce((now, proposal) => steps.acceptedWhole(now, proposal, at), state));
      if (!noted.ok) return noted;
    }
    return ok({ accepted: done.map(({ id }) => id), refused, checkpoints: checkpointIds });
  }

  /** The proposals of these ids that wait, by session. */
  function bySession(wanted: readonly string[]): ReadonlyMap<string, readonly string[]> {
    const groups = new Map<string, string[]>();
    for (const id of wanted) {
      const sessionId = waiting(id)?.sessionId;
      if (sessionId !== undefined) groups.set(sessionId, [...(groups.get(sessionId) ?? []), id]);
    }
    return groups;
  }

  async function accept(wanted: readonly string[], { force = false } = {}): Promise<Result<Accepted>> {
    const loaded = await load();
    if (!loaded.ok) return loaded;
    let sum: Accepted = { accepted: [], refused: [], checkpoints: [] };
    for (const [sessionId, group] of bySession(wanted)) {
      const done = await changing(sessionId, (words) => acceptIn(sessionId, group.flatMap((id) => waiting(id) ?? []), force, words));
      if (!done.ok) return done;
      sum = {
        accepted: [...sum.accepted, ...done.value.accepted],
        refused: [...sum.refused, ...done.value.refused],
        checkpoints: [...sum.checkpoints, ...done.value.checkpoints],
      };
    }
    return ok(sum);
  }

  /** A proposal brought to what stands in its file, and one of its changes there. */
  async function placedChange(id: string, changeId: string): Promise<{ proposal: Proposal; change: ReturnType<typeof steps.changesOf>[number]; conflict: boolean } | undefined> {
    const proposal = waiting(id);
    if (proposal === undefined) return undefined;
    const shown = viewOf(proposal, await liveText(proposal));
    const found = shown.changes.find(({ change }) => change.id === changeId);
    return found === undefined ? undefined : { proposal: shown.proposal, change: found.change, conflict: found.conflict };
  }

  const sessionOf = (id: string): string | undefined => waiting(id)?.sessionId;

  const touchedSessions = new Set<string>();
  let waitingToTell: (() => void) | undefined;
  const stopWatching = documents.watch(({ path }) => {
    const touched = all().filter((one) => isPending(one) && (one.from === path || one.path === path));
    if (touched.length === 0) return;
    for (const { sessionId } of touched) touchedSessions.add(sessionId);
    // Not with every letter that is typed.
    waitingToTell ??= clock.after(QUIET_MS, () => {
      waitingToTell = undefined;
      const sessions = [...touchedSessions];
      touchedSessions.clear();
      sessions.forEach(tell);
    });
  });

  return {
    load,
    refresh: (sessionId) =>
      guarded(async () => {
        const loaded = await load();
        if (!loaded.ok) return loaded;
        const fresh = await queue.run(() => store.load(sessionId));
        if (JSON.stringify(fresh) === JSON.stringify(stateOf(sessionId))) return ok(undefined);
        states.set(sessionId, fresh);
        tell(sessionId);
        return ok(undefined);
      }),
    pending: () => all().filter(isPending).sort((a, b) => a.ts - b.ts),
    lost: () => store.lost(),
    find,
    view,
    rows: (sessionId, turnId) => rowsOf(stateOf(sessionId), turnId, view),
    turns: (sessionId) => [...new Set(stateOf(sessionId).proposals.flatMap((one) => one.steps.map(({ turn }) => turn)))],
    async setText(id, text) {
      const sessionId = sessionOf(id);
      if (sessionId === undefined) return gone(id);
      return changing(sessionId, async () => {
        const shown = await view(id);
        if (shown === undefined || !isPending(shown.proposal)) return gone(id);
        if (shown.proposal.text === text) return ok(undefined);
        return step(sessionId, (state) => steps.tweaked(state, shown.proposal, text));
      });
    },
    accept,
    async acceptChange(id, changeId) {
      const sessionId = sessionOf(id);
      if (sessionId === undefined) return gone(id);
      return changing(sessionId, async (words) => {
        const found = await placedChange(id, changeId);
        if (found === undefined) return gone(id);
        const { proposal, change } = found;
        const path = proposal.from ?? proposal.path;
        if (found.conflict) return refuse('review.conflict', { path });
        const one = { ...proposal, text: steps.accepting(proposal, change) };
        const applied = await applyWorks(carrying, [{ proposal, path, plan: (live) => wholeText(one, false).plan(live) }]);
        if (!applied.ok) return applied;
        const taken = await credit([proposal], words);
        const noted = await step(sessionId, (state) => steps.acceptedChange(state, proposal, change, stamp()));
        return noted.ok ? ok({ accepted: [id], refused: [], checkpoints: taken }) : noted;
      });
    },
    async reject(wanted) {
      for (const [sessionId, group] of bySession(wanted)) {
        const done = await changing(sessionId, () =>
          step(sessionId, (state) => group.flatMap((id) => waiting(id) ?? []).reduce((now, proposal) => steps.rejectedWhole(now, proposal, stamp()), state)),
        );
        if (!done.ok) return done;
      }
      return ok(undefined);
    },
    async rejectChange(id, changeId) {
      const sessionId = sessionOf(id);
      if (sessionId === undefined) return gone(id);
      return changing(sessionId, async () => {
        const found = await placedChange(id, changeId);
        return found === undefined ? gone(id) : step(sessionId, (state) => steps.rejectedChange(state, found.proposal, found.change, stamp()));
      });
    },
    async reopen(id) {
      const proposal = find(id);
      if (proposal?.state !== 'rejected') return gone(id);
      return changing(proposal.sessionId, async () => {
        const taken = steps.pendingOf(stateOf(proposal.sessionId)).some((one) => one.path === proposal.path || (one.from !== null && one.from === proposal.from));
        return taken ? gone(id) : step(proposal.sessionId, (state) => steps.reopened(state, proposal));
      });
    },
    async desk(sessionId, turnId) {
      const loaded = await load();
      if (!loaded.ok) return loaded;
      const read = await guarded(() => queue.run(async () => ok(await fresh(sessionId))));
      if (!read.ok) return read;
      const overlay = createOverlay({
        documents,
        pending: () => steps.pendingOf(stateOf(sessionId)),
        record: (edits) => guarded(() => queue.run(() => step(sessionId, (state) => steps.propose(state, turnId, edits, stamp())))),
      });
      return ok({ documents: overlay, manuscript: deps.manuscriptOver(overlay) });
    },
    async tell(sessionId, turnId, branch) {
      return guarded(async () => {
        const loaded = await load();
        if (!loaded.ok) return loaded;
        const on = new Set(branch);
        const noted = await queue.run(async () => {
          await fresh(sessionId);
          const state = stateOf(sessionId);
          return state.proposals.length === 0 ? ok(undefined) : step(sessionId, (now) => steps.told(now, turnId, on, stamp()));
        });
        if (!noted.ok) return noted;
        const state = stateOf(sessionId);
        const notes = state.notes.filter(({ told }) => told.includes(turnId));
        const pending = steps.pendingOf(state).filter((one) => on.has(turnOf(one)));
        return ok({ notes, pending: pending.map((one) => ({ path: one.path, kind: kindOf(one) })) });
      });
    },
    async drop(sessionId, turns) {
      const loaded = await load();
      if (!loaded.ok) return loaded;
      return guarded(() =>
        queue.run(async () => {
          await fresh(sessionId);
          if (steps.pendingOf(stateOf(sessionId)).length === 0) return ok(undefined);
          return step(sessionId, (state) => steps.dropTurns(state, new Set(turns)));
        }),
      );
    },
    async follow(renames) {
      const loaded = await load();
      if (!loaded.ok) return loaded;
      const names = new Map(renames.map(({ from, to }) => [from, to]));
      const now = (path: string): string => names.get(path) ?? path;
      return guarded(() =>
        queue.run(async () => {
          for (const sessionId of [...states.keys()]) {
            await fresh(sessionId);
            const done = await step(sessionId, (state) => steps.followed(state, now));
            if (!done.ok) return done;
          }
          return ok(undefined);
        }),
      );
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    dispose() {
      stopWatching();
      waitingToTell?.();
      listeners.clear();
    },
  };
}
