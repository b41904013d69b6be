import type { Usage } from '../ports/models';
import type { EngineError } from '../ports/result';
import type { NewEntry } from '../session/entries';
import type { Checkpoints, TurnRef } from '../manuscript/checkpoints';
import type { TurnDeps } from './deps';
import type { TurnEvent, TurnStatus } from './events';
import type { TurnLog } from './turn-log';

export interface Ending {
  readonly status: TurnStatus;
  /** As written into `end`, when it is not the same. */
  readonly endStatus?: 'interrupted' | 'undone';
  readonly error?: EngineError;
  /** Absent when the reply has been written already. */
  readonly reply?: {
    readonly text: string;
    readonly reasoning: string;
    readonly model: string;
    readonly usage?: Usage;
    /** What the person was told of it though the turn did not fail. */
    readonly notices?: readonly EngineError[];
    /** It ended at the output limit, or nobody knows why. */
    readonly cut?: boolean;
  };
}

/** What a turn has done to the files, credited: its checkpoints, and the newest of all after them. */
export interface TurnCredit {
  readonly ended: Awaited<ReturnType<Checkpoints['endTurn']>>;
  readonly checkpoint: string | undefined;
}

/** Up to two checkpoints: the author's words typed meanwhile, then the agent's edits. Writes nothing into the session. */
export async function creditTurn(deps: TurnDeps, turn: TurnRef, words: string, aborted: boolean): Promise<TurnCredit> {
  const ended = await deps.checkpoints.endTurn(turn, words, aborted);
  const head = await deps.checkpoints.head();
  return { ended, checkpoint: head.ok ? head.value?.id : undefined };
}

/**
 * The end of a turn: the reply, up to two checkpoints (the author's words typed meanwhile, then the agent's edits), the
 * `end` entry. Goes on after an abort, since what was written must be kept; trouble is told, and the rest still done.
 * `credited`: the checkpoints, where they have been made before.
 */
export async function finishTurn(
  deps: TurnDeps,
  log: TurnLog,
  turn: TurnRef,
  words: string,
  ending: Ending,
  emit: (event: TurnEvent) => void,
  credited?: TurnCredit,
): Promise<void> {
  emit({ type: 'phase', phase: 'finalising' });
  if (ending.reply !== undefined) await log.append([replyEntry(ending)], true);
  const { ended, checkpoint } = credited ?? (await creditTurn(deps, turn, words, ending.status === 'stopped'));
  await tellCheckpoints(log, turn, ended, emit);
  const files = await deps.review.rows(turn.sessionId, turn.userEntryId);
  if (files.length > 0) emit({ type: 'proposals', turnId: turn.userEntryId, files });
  await log.append(
    [{ type: 'end', data: { status: ending.endStatus ?? ending.status, ...(checkpoint === undefined ? {} : { checkpoint }) } }],
    true,
  );
}

const recorded = ({ code, args }: EngineError): { readonly code: string; readonly args?: EngineError['args'] } => ({ code, ...(args === undefined ? {} : { args }) });

function replyEntry({ reply, status, error }: Ending): NewEntry {
  return {
    type: 'reply',
    data: {
      text: reply?.text ?? '',
      ...(reply === undefined || reply.reasoning === '' ? {} : { reasoning: reply.reasoning }),
      model: reply?.model ?? '',
      ...(reply?.usage === undefined ? {} : { usage: { ...reply.usage } }),
      ...(reply?.notices === undefined || reply.notices.length === 0 ? {} : { notices: reply.notices.map(recorded) }),
      status: status !== 'done' ? status : reply?.cut === true ? 'unsealed' : 'sealed',
      ...(error === undefined ? {} : { error: recorded(error) }),
    },
  };
}

async function tellCheckpoints(log: TurnLog, turn: TurnRef, ended: TurnCredit['ended'], emit: (event: TurnEvent) => void): Promise<void> {
  if (!ended.ok) {
    emit({ type: 'notice', error: ended.error });
    return;
  }
  for (const record of ended.value.records) {
    const { id, author, changed } = record;
    await log.append([{ type: 'checkpoint', data: { id, author, message: record.message, changed } }], true);
    emit({ type: 'checkpoint', record });
  }
  const agent = ended.value.records.find(({ author }) => author === 'agent');
  const from = agent?.parents[0];
  if (agent !== undefined && from !== undefined && ended.value.changes.length > 0) {
    emit({ type: 'changes', changes: { turnId: turn.userEntryId, from, to: agent.id, files: ended.value.changes } });
  }
}
