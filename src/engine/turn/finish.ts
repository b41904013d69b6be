import type { Usage } from '../ports/models';
import type { EngineError } from '../ports/result';
import type { NewEntry } from '../session/entries';
import type { TurnRef } from '../manuscript/checkpoints';
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
  };
}

/**
 * The end of a turn: the reply, up to two checkpoints (the author's words typed meanwhile, then the agent's edits), the
 * `end` entry. Goes on after an abort, since what was written must be kept; trouble is told, and the rest still done.
 */
export async function finishTurn(
  deps: TurnDeps,
  log: TurnLog,
  turn: TurnRef,
  words: string,
  ending: Ending,
  emit: (event: TurnEvent) => void,
): Promise<void> {
  emit({ type: 'phase', phase: 'finalising' });
  if (ending.reply !== undefined) await log.append([replyEntry(ending)], true);
  await endCheckpoints(deps, log, turn, words, ending.status === 'stopped', emit);
  const head = await deps.checkpoints.head();
  const checkpoint = head.ok ? head.value?.id : undefined;
  await log.append(
    [{ type: 'end', data: { status: ending.endStatus ?? ending.status, ...(checkpoint === undefined ? {} : { checkpoint }) } }],
    true,
  );
}

function replyEntry({ reply, status, error }: Ending): NewEntry {
  return {
    type: 'reply',
    data: {
      text: reply?.text ?? '',
      ...(reply === undefined || reply.reasoning === '' ? {} : { reasoning: reply.reasoning }),
      model: reply?.model ?? '',
      ...(reply?.usage === undefined ? {} : { usage: { ...reply.usage } }),
      status: status === 'done' ? 'sealed' : status,
      ...(error === undefined ? {} : { error: { code: error.code, ...(error.args === undefined ? {} : { args: error.args }) } }),
    },
  };
}

async function endCheckpoints(
  deps: TurnDeps,
  log: TurnLog,
  turn: TurnRef,
  words: string,
  aborted: boolean,
  emit: (event: TurnEvent) => void,
): Promise<void> {
  const ended = await deps.checkpoints.endTurn(turn, words, aborted);
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
