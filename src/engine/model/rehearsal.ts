import type { Clock } from '../ports/clock';
import type { ModelClient, ModelEvent, ModelMessage, ModelRequest } from '../ports/models';
import { phrasesOf } from './rehearsal/phrases';
import { planAnswer } from './rehearsal/plan';

export interface RehearsalDeps {
  /** What it speaks; it understands requests in both. */
  readonly language: 'zh' | 'en';
  readonly clock: Clock;
  /** Pause before each piece, in ms, so that a turn looks like one. 0: none, and no timers. Default 15. */
  readonly pieceMs?: number;
}

const TEXT_PIECE = 3;
const ARGS_PIECE = 24;

/**
 * 排练: a rule-based stand-in that needs neither network nor key. It carries out literal requests of the author's last words by really
 * calling the tools, and says in each reply what it is. What it answers depends on the messages alone.
 */
export function createRehearsalClient({ language, clock, pieceMs = 15 }: RehearsalDeps): ModelClient {
  const phrases = phrasesOf(language);

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    for (const event of answerEvents(request)) {
      if (event.type === 'text' || event.type === 'toolCallDelta') await pause(clock, pieceMs, signal);
      if (signal.aborted) {
        yield { type: 'error', error: { code: 'turn.aborted' }, retryable: false };
        return;
      }
      yield event;
    }
  }

  function answerEvents(request: ModelRequest): readonly ModelEvent[] {
    const { text, calls } = planAnswer(request, phrases);
    const stem = fingerprint(request.messages);
    return [
      ...pieces(text, TEXT_PIECE).map((piece): ModelEvent => ({ type: 'text', text: piece })),
      ...calls.flatMap((call, at): readonly ModelEvent[] => {
        const callId = `${stem}${at.toString(36)}`;
        const args = JSON.stringify(call.args);
        return [
          { type: 'toolCallStart', callId, name: call.name },
          ...pieces(args, ARGS_PIECE).map((piece): ModelEvent => ({ type: 'toolCallDelta', callId, args: piece })),
          { type: 'toolCall', callId, name: call.name, args },
        ];
      }),
      { type: 'done', reason: calls.length > 0 ? 'tool_calls' : 'stop' },
    ];
  }

  return {
    name: language === 'zh' ? '排练' : 'Rehearsal',
    rehearsal: true,
    window: 65_536,
    maxOutput: 8_192,
    params: { model: 'rehearsal' },
    stream,
  };
}

function pieces(text: string, size: number): readonly string[] {
  const points = [...text];
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) => points.slice(at * size, (at + 1) * size).join(''));
}

/** Resolves after `ms`, or at once when aborted. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end);
      cancel();
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Eight letters and digits (FNV-1a) that differ between conversations, so that call ids do. */
function fingerprint(messages: readonly ModelMessage[]): string {
  let hash = 0x811c9dc5;
  for (const message of messages) {
    const text = `${message.role}\n${message.content}\n`;
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}
