import type { Checkpoints, FileChange } from '../manuscript/checkpoints';
import type { EngineError } from '../ports/result';
import type { Review } from '../review/review';
import type { EntryOf } from '../session/entries';
import type { Session } from '../session/session';
import { JOB_CHAPTER } from '../turn/job-block';
import type { TurnEvent, TurnStatus } from '../turn/events';
import type { Turns } from '../turn/turns';
import type { JobChapter } from './job';

/** How one chapter's turn ended, and what it has done to the files by then. */
export interface ChapterOutcome {
  readonly turnId?: string | undefined;
  readonly status: TurnStatus;
  readonly error?: EngineError | undefined;
  /** Absent: nothing was changed. */
  readonly changed?: { readonly added: number; readonly removed: number; readonly proposed: boolean };
}

export interface ChapterTurnDeps {
  readonly turns: Turns;
  readonly checkpoints: Checkpoints;
  readonly review: Review;
}

const sums = (files: readonly Pick<FileChange, 'added' | 'removed'>[], proposed: boolean): ChapterOutcome['changed'] =>
  files.length === 0 ? undefined : { added: sum(files.map(({ added }) => added)), removed: sum(files.map(({ removed }) => removed)), proposed };
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/**
 * One chapter's turn, on a branch of its own from the root, so that no chapter pays for the ones before it. A turn of it that a former host did
 * not survive is gone on with; one that had ended by then is not made twice.
 */
export async function runChapter(deps: ChapterTurnDeps, session: Session, chapter: JobChapter, words: string, signal: AbortSignal): Promise<ChapterOutcome> {
  const before = chapter.state === 'running' ? ownTurn(session, chapter) : undefined;
  if (before !== undefined) {
    const open = await deps.turns.interrupted(session);
    if (open?.turnId === before) return outcomeOf(deps.turns.resume(session, signal));
    return endedOutcome(deps, session, before);
  }
  const settled = await deps.turns.settle(session);
  if (!settled.ok && settled.error.code !== 'turn.nothing-open') return { status: 'error', error: settled.error };
  const rooted = session.leaf() === null ? undefined : await session.setLeaf(null);
  if (rooted?.ok === false) return { status: 'error', error: rooted.error };
  return outcomeOf(deps.turns.run(session, { text: words, task: { kind: JOB_CHAPTER, path: chapter.path } }, signal));
}

/** The turn at the leaf, when it is about this chapter and not the one the list knows already. */
function ownTurn(session: Session, chapter: JobChapter): string | undefined {
  const user = session.lastOnBranch('user');
  const task = user?.data.task;
  return user !== undefined && task?.kind === JOB_CHAPTER && task['path'] === chapter.path && user.id !== chapter.turnId ? user.id : undefined;
}

/** Tools that change a file. */
const CHANGING: ReadonlySet<string> = new Set(['edit', 'write', 'rename', 'delete']);

async function outcomeOf(events: AsyncIterable<TurnEvent>): Promise<ChapterOutcome> {
  let turnId: string | undefined;
  let changed: ChapterOutcome['changed'];
  let edited = false;
  let ending = false;
  for await (const event of events) {
    switch (event.type) {
      case 'started':
        turnId = event.turnId;
        break;
      case 'toolRun':
        edited ||= CHANGING.has(event.name);
        break;
      case 'phase':
        ending = event.phase === 'finalising';
        break;
      case 'notice':
        // No checkpoint could be taken of its edits: how much they are is not known, and they are not nothing.
        if (ending && edited) changed ??= { added: 0, removed: 0, proposed: false };
        break;
      case 'changes':
        changed = sums(event.changes.files, false);
        break;
      case 'proposals':
        changed = sums(event.files, true);
        break;
      case 'ended':
        return { turnId: event.turnId ?? turnId, status: event.status, error: event.error, ...(changed === undefined ? {} : { changed }) };
      default:
    }
  }
  return { turnId, status: 'error', error: { code: 'internal' }, ...(changed === undefined ? {} : { changed }) };
}

/** The outcome of a turn that had ended before its job could note it, from what was written. */
async function endedOutcome({ checkpoints, review }: ChapterTurnDeps, session: Session, turnId: string): Promise<ChapterOutcome> {
  const end: EntryOf<'end'> | undefined = session.lastOnBranch('end');
  const reply = session.lastOnBranch('reply');
  const own = await ownChanges(checkpoints, turnId);
  const proposals = await review.rows(session.header.id, turnId);
  const changed = proposals.length > 0 ? sums(proposals, true) : sums(own, false);
  const status = end?.data.status === 'done' ? 'done' : end?.data.status === 'error' ? 'error' : 'stopped';
  const error = reply?.data.error === undefined ? undefined : { code: reply.data.error.code as EngineError['code'] };
  return { turnId, status, ...(error === undefined ? {} : { error }), ...(changed === undefined ? {} : { changed }) };
}

async function ownChanges(checkpoints: Checkpoints, turnId: string): Promise<readonly FileChange[]> {
  const records = await checkpoints.records();
  const own = (records.ok ? records.value : []).filter(({ author, turn }) => author === 'agent' && turn?.userEntryId === turnId);
  const changes = await Promise.all(own.map(({ id }) => checkpoints.changesOf(id)));
  return changes.flatMap((one) => (one.ok ? one.value : []));
}
