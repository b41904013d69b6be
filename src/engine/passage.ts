import type { Engine } from './engine';
import { applyTexts, type JournalledPlan } from './manuscript/apply-texts';
import type { Checkpoints, TurnRef } from './manuscript/checkpoints';
import type { OpenSessions } from './open-sessions';
import type { Documents } from './ports/documents';
import type { Log } from './ports/log';
import type { Result } from './ports/result';
import { ok, refuse } from './ports/result';
import type { EntryOf } from './session/entries';
import type { Passage } from './session/passage';
import type { Session } from './session/session';
import { findPassage } from './text/find-passage';
import type { TurnGate } from './turn/gate';

export interface PassageDeps {
  readonly documents: Documents;
  readonly checkpoints: Checkpoints;
  readonly gate: TurnGate;
  readonly withSession: OpenSessions['with'];
  readonly log: Log;
}

/** Where the accepted text stands now, in UTF-16 offsets, end exclusive. */
export interface AcceptedPassage {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** What a turn about a passage has offered. */
export interface Offer {
  readonly passage: Passage;
  /** Its newest answer on the branch, for `readCandidates`. */
  readonly answer: string;
}

/**
 * Puts a candidate into the text: one edit, and the agent's checkpoint with the turn that offered it. What the author has typed since is
 * a checkpoint of theirs before it. What goes on from a passage is put in once. Refuses `passage.gone` when the place cannot be told any more, `session.busy` while a turn runs,
 * and what `Documents.apply` refuses; then nothing has changed.
 */
export function createPassages(deps: PassageDeps): Pick<Engine, 'acceptPassage' | 'offerOf'> {
  const { documents, checkpoints, gate, withSession, log } = deps;

  const change = async (turn: TurnRef, passage: Passage, text: string): Promise<Result<AcceptedPassage>> => {
    const { path } = passage;
    const plan: JournalledPlan<number> = {
      path,
      journal: checkpoints.journal(turn),
      plan: (live) => {
        const place = findPassage(live.text, passage);
        if (place === undefined) return refuse('passage.gone', { path });
        const start = passage.task === 'continue' ? place.end : place.start;
        // Accepted before, by a window that was killed before it could say so.
        const stands = passage.task === 'continue' && live.text.startsWith(text, start) && !passage.after.startsWith(text);
        return ok({ changes: stands ? [] : [{ start, end: place.end, text }], found: start });
      },
    };
    const applied = await applyTexts(documents, [plan]);
    if (!applied.ok) return applied;
    const start = applied.value[0]?.found ?? passage.start;
    return ok({ path, start, end: start + text.length });
  };

  /** While the turn is the last of its conversation, its card shows what came of it. */
  const tell = async (session: Session, turn: TurnRef, ended: Awaited<ReturnType<Checkpoints['endTurn']>>): Promise<void> => {
    const record = ended.ok ? ended.value.records.find(({ author }) => author === 'agent') : undefined;
    if (record === undefined || session.readOnly || session.lastOnBranch('user')?.id !== turn.userEntryId) return;
    const { id, author, message, changed } = record;
    await session.append([{ type: 'checkpoint', data: { id, author, message, changed } }], { durable: true });
  };

  const accept: Engine['acceptPassage'] = (turn, passage, text) =>
    gate.alone(() =>
      withSession(turn.sessionId, async (session) => {
        const saved = await checkpoints.take({ author: 'user' });
        if (!saved.ok) return saved;
        const accepted = await change(turn, passage, text);
        const ended = await checkpoints.endTurn(turn, userOf(session, turn)?.text ?? '', false);
        if (!accepted.ok) return accepted;
        // The words stand: a refusal would have them put in once more. The edit is journalled, and the next checkpoint has it.
        if (!ended.ok) log.warn('a passage that was accepted has no checkpoint yet', { code: ended.error.code });
        await tell(session, turn, ended);
        return accepted;
      }),
    );

  return {
    acceptPassage: accept,
    offerOf: (turn) =>
      withSession(turn.sessionId, async (session) => {
        const passage = userOf(session, turn)?.passage;
        if (passage === undefined) return refuse('session.unknown-entry', { id: turn.userEntryId });
        const entries = session.branch();
        const own = entries.slice(entries.findIndex(({ id }) => id === turn.userEntryId) + 1);
        const next = own.findIndex(({ type }) => type === 'user');
        const reply = (next < 0 ? own : own.slice(0, next)).findLast((entry): entry is EntryOf<'reply'> => entry.type === 'reply');
        return ok({ passage, answer: reply?.data.text ?? '' });
      }),
  };
}

function userOf(session: Session, turn: TurnRef): EntryOf<'user'>['data'] | undefined {
  const entry = session.get(turn.userEntryId);
  return entry?.type === 'user' ? (entry as EntryOf<'user'>).data : undefined;
}
