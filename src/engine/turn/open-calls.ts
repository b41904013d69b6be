import type { NewEntry } from '../session/entries';
import type { Turn } from '../session/history';
import { parseArguments, checkArguments } from '../tools/arguments';
import { askTool } from '../tools/ask';
import { INTERRUPTED } from '../tools/receipts';
import type { TurnDeps } from './deps';
import type { TurnEvent } from './events';
import type { TurnLog } from './turn-log';

export interface PendingAsk {
  readonly callId: string;
  readonly question: string;
  readonly options: readonly string[];
}

/** The question a turn was waiting for when its host went away. */
export function pendingAsk(open: Turn): PendingAsk | undefined {
  const step = open.steps.at(-1);
  const call = step?.entry.data.calls.find(({ callId, name }) => name === askTool.name && step.unanswered.includes(callId));
  const args = call === undefined ? undefined : parseArguments(call.args);
  if (call === undefined || args?.ok !== true) return undefined;
  const checked = checkArguments(askTool, args.value.value);
  if (!checked.ok) return undefined;
  const { question, options } = checked.value as { readonly question: string; readonly options: readonly string[] };
  return { callId: call.callId, question, options };
}

interface AskAgain {
  readonly deps: Pick<TurnDeps, 'ui'>;
  readonly emit: (event: TurnEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Answers the calls of the last step that have none: as interrupted, or, with `again`, a pending question by asking it once
 * more. True when the user stopped there, now or before the host went away.
 */
export async function answerOpenCalls(log: TurnLog, open: Turn, again?: AskAgain): Promise<boolean> {
  const step = open.steps.at(-1);
  const ask = again === undefined ? undefined : pendingAsk(open);
  let stopped = open.choices.some(({ data }) => data.stopped === true);
  for (const callId of step?.unanswered ?? []) {
    const decided = ask?.callId === callId && again !== undefined && !stopped ? await askAgain(ask, again) : undefined;
    const written = await log.append(decided?.entries ?? [interrupted(callId)], true);
    if (!written) return stopped;
    stopped ||= decided?.stopped ?? false;
  }
  return stopped;
}

function interrupted(callId: string): NewEntry {
  return { type: 'tool', data: { callId, result: JSON.stringify(INTERRUPTED), ok: false } };
}

async function askAgain(
  { callId, question, options }: PendingAsk,
  { deps, emit, signal }: AskAgain,
): Promise<{ readonly entries: readonly NewEntry[]; readonly stopped: boolean }> {
  emit({ type: 'phase', phase: 'waiting' });
  emit({ type: 'ask', callId, question, options });
  const decided = await deps.ui.ask({ askId: callId, question, options }, signal);
  const answered = decided.kind === 'answer';
  const receipt = answered ? { answer: decided.text, by: 'user' } : { stopped: true, by: 'user' };
  return {
    stopped: !answered,
    entries: [
      {
        type: 'choice',
        data: { callId, question, options: [...options], ...(answered ? { answer: decided.text } : { stopped: true }), by: 'user' },
      },
      { type: 'tool', data: { callId, result: JSON.stringify(receipt), ok: true } },
    ],
  };
}
