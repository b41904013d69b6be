import type { ConversationRestored, Engine, RestoreKind, WentBack } from './engine';
import { planGoBack, turnsFrom } from './go-back';
import type { Checkpoints, TurnRef } from './manuscript/checkpoints';
import type { Log } from './ports/log';
import type { Result } from './ports/result';
import { ok, refuse } from './ports/result';
import type { EntryOf } from './session/entries';
import type { Mention } from './session/mentions';
import { mentionsOf } from './session/mentions';
import type { Session } from './session/session';
import { markTurnUndone } from './session/undone-turns';
import { newestLeaf } from './session/variants';
import type { OpenSessions } from './open-sessions';
import type { AgentTurns } from './turn/create-turns';
import type { Review } from './review/review';
import type { TurnGate } from './turn/gate';

export interface RestoreDeps {
  readonly checkpoints: Checkpoints;
  readonly turns: AgentTurns;
  readonly gate: TurnGate;
  readonly review: Review;
  readonly withSession: OpenSessions['with'];
  readonly log: Log;
}

/**
 * Going back: files, conversation, or both; and taking back one turn. None of it while a turn runs. The files go first, since there
 * most can fail: what is refused has left files and conversation as they were.
 */
export function createRestore(deps: RestoreDeps): Pick<Engine, 'restore' | 'undoTurn' | 'planGoBack' | 'goBack' | 'switchTurn'> {
  const { checkpoints, turns, gate, review, withSession, log } = deps;

  /** The words of a turn, once it is sure that its session can be moved. */
  const wordsOf = (session: Session, turn: TurnRef): Result<TurnWords & { readonly parentId: string | null }> => {
    if (session.readOnly) return refuse('session.read-only');
    const entry = session.get(turn.userEntryId);
    if (entry === undefined || !isUser(entry)) return refuse('session.unknown-entry', { id: turn.userEntryId });
    return ok({ ...saidIn(session, entry), parentId: entry.parentId });
  };

  /** Leaves a branch. A turn without its end on it is closed first, so that it never shows up as interrupted. */
  const leave = async (session: Session, open: Awaited<ReturnType<AgentTurns['discard']>>, to: string | null): Promise<Result<void>> => {
    const closed = await open.close();
    if (!closed.ok) return closed;
    const turnsBefore = userIdsOf(session);
    const moved = await session.setLeaf(to);
    if (!moved.ok) return moved;
    // What the turns that are left had proposed goes with them; the conversation stands where it stands also if that cannot be written.
    const stay = new Set(userIdsOf(session));
    const dropped = await review.drop(session.header.id, turnsBefore.filter((id) => !stay.has(id)));
    if (!dropped.ok) log.warn('proposals of turns that were taken back are still there', { code: dropped.error.code });
    return moved;
  };

  const restoreTurn = async (turn: TurnRef, filesToo: boolean): Promise<Result<ConversationRestored>> =>
    withSession(turn.sessionId, async (session) => {
      const words = wordsOf(session, turn);
      if (!words.ok) return words;
      const before = filesToo ? await checkpoints.before(turn) : undefined;
      if (before?.ok === false) return before;
      const open = await turns.discard(session);
      const files = before === undefined ? undefined : await checkpoints.restore(before.value.id);
      if (files?.ok === false) return files;
      const moved = await leave(session, open, words.value.parentId);
      if (!moved.ok) {
        const back = files === undefined ? files : await checkpoints.restore(files.value.pre);
        if (back?.ok === false) log.error('restored files could not be taken back with their conversation', { code: back.error.code });
        return moved;
      }
      return ok({ words: words.value.words, mentions: words.value.mentions, ...(files === undefined ? {} : { files: files.value }) });
    });

  const restore = async (kind: RestoreKind, checkpointId: string): Promise<Result<ConversationRestored>> => {
    if (kind === 'files') {
      const files = await checkpoints.restore(checkpointId);
      return files.ok ? ok({ files: files.value }) : files;
    }
    const record = await checkpoints.get(checkpointId);
    if (!record.ok) return record;
    const { turn } = record.value;
    if (turn === undefined) return refuse('checkpoint.no-turn', { id: checkpointId });
    return restoreTurn({ sessionId: turn.sessionId, userEntryId: turn.userEntryId }, kind === 'files-and-conversation');
  };

  /** That a turn is undone shows on its card when its branch is seen again; without the mark nothing is lost. */
  const marked = async (session: Session, turnIds: readonly string[]): Promise<void> => {
    for (const turnId of turnIds) {
      const done = await markTurnUndone(session, turnId);
      if (!done.ok) log.warn('a turn could not be marked as undone', { turnId, code: done.error.code });
    }
  };

  const goBack: Engine['goBack'] = async (session, turnId, how) => {
    const sessionId = session.header.id;
    const words = wordsOf(session, { sessionId, userEntryId: turnId });
    if (!words.ok) return words;
    if (!session.isOnBranch(turnId)) return refuse('session.unknown-entry', { id: turnId });
    const turnIds = how === 'conversation' ? [] : [...turnsFrom(session, turnId)].reverse();
    const open = await turns.discard(session);
    const taken = await checkpoints.take({ author: 'user' });
    if (!taken.ok) return taken;
    const before = await checkpoints.head();
    if (!before.ok) return before;
    const conflicts: WentBack['conflicts'][number][] = [];
    const undone: string[] = [];
    const putBack = async (): Promise<void> => {
      const back = undone.length === 0 || before.value === undefined ? undefined : await checkpoints.restore(before.value.id);
      if (back?.ok === false) log.error('files could not be put back after going back failed', { code: back.error.code });
    };
    for (const id of turnIds) {
      const one = await checkpoints.undoTurn({ sessionId, userEntryId: id });
      if (one.ok) {
        conflicts.push(...one.value.conflicts);
        undone.push(id);
      } else if (one.error.code !== 'undo.nothing') {
        await putBack();
        return one;
      }
    }
    const moved = await leave(session, open, words.value.parentId);
    if (!moved.ok) {
      await putBack();
      return moved;
    }
    await marked(session, undone);
    return ok({ words: words.value.words, conflicts });
  };

  return {
    planGoBack: (session, turnId) => planGoBack(checkpoints, session, turnId),
    goBack: (session, turnId, how) => gate.alone(() => goBack(session, turnId, how)),
    switchTurn: (session, turnId) =>
      gate.alone(async () => {
        if (session.readOnly) return refuse('session.read-only');
        if (session.stub(turnId)?.type !== 'user') return refuse('session.unknown-entry', { id: turnId });
        return session.setLeaf(newestLeaf(session, turnId));
      }),
    restore: (kind, checkpointId) => gate.alone(() => restore(kind, checkpointId)),
    undoTurn: (session, turn) =>
      gate.alone(async () => {
        const words = wordsOf(session, turn);
        if (!words.ok) return words;
        const open = await turns.discard(session);
        const undone = await checkpoints.undoTurn(turn);
        // A turn that changed nothing is left by its conversation alone.
        if (!undone.ok && undone.error.code !== 'undo.nothing') return undone;
        const moved = await leave(session, open, words.value.parentId);
        if (!moved.ok) return moved;
        await marked(session, [turn.userEntryId]);
        return ok({ ...(undone.ok ? undone.value : { undone: [], conflicts: [] }), words: words.value.words, mentions: words.value.mentions });
      }),
  };
}

const userIdsOf = (session: Session): readonly string[] => session.path().filter((id) => session.stub(id)?.type === 'user');

/** All that the user said in a turn, its first words and those that steered it, for the input box. */
interface TurnWords {
  readonly words: string;
  readonly mentions: readonly Mention[];
}

function saidIn(session: Session, user: EntryOf<'user'>): TurnWords {
  const path = session.path();
  const rest = path.slice(path.indexOf(user.id) + 1);
  const next = rest.findIndex((id) => session.stub(id)?.type === 'user');
  const steered = rest
    .slice(0, next === -1 ? rest.length : next)
    .filter((id) => session.stub(id)?.type === 'steer')
    .flatMap((id) => (session.get(id) as EntryOf<'steer'> | undefined) ?? []);
  const said = [user, ...steered];
  return { words: said.map(({ data }) => data.text).join('\n\n'), mentions: said.flatMap(({ data }) => mentionsOf(data.attachments)) };
}

function isUser(entry: NonNullable<ReturnType<Session['get']>>): entry is EntryOf<'user'> {
  return entry.type === 'user';
}
