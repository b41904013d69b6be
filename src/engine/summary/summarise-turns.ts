import type { ModelMessage } from '../ports/models';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import type { Turn } from '../session/history';
import type { TranscriptTexts } from './transcript';
import { CLIPS, turnTranscript } from './transcript';

export interface CompactTexts extends TranscriptTexts {
  readonly compactBefore: string;
  readonly compactTalk: string;
}

export interface SummariseInput {
  /** What the model is to do (`compact.md`). */
  readonly prompt: string;
  readonly texts: CompactTexts;
  /** The summary of what came before, which the new one takes in. */
  readonly before: string | undefined;
  /** Oldest first, with their numbers on the branch. */
  readonly turns: readonly { readonly turn: Turn; readonly floor: number }[];
  /** Tokens that a request may have. */
  readonly room: number;
  countTokens(text: string): Promise<number>;
  /** One question to the model, retried as needed; its answer, never blank. */
  ask(messages: readonly ModelMessage[], signal: AbortSignal): Promise<Result<string>>;
}

/**
 * The new summary: of the one before and of these turns. One call as a rule; when even the shortest telling of the turns does not
 * fit, several, each taking in the one before. Refuses what `ask` refuses, and `turn.aborted`; then nothing has come of it.
 */
export async function summariseTurns(input: SummariseInput, signal: AbortSignal): Promise<Result<string>> {
  let summary = input.before;
  let rest = input.turns;
  while (rest.length > 0) {
    if (signal.aborted) return refuse('turn.aborted');
    const request = await largestRequest(input, summary, rest);
    const answer = await input.ask(request.messages, signal);
    if (!answer.ok) return answer;
    summary = answer.value.trim();
    rest = rest.slice(request.count);
  }
  return ok(summary ?? '');
}

interface Request {
  readonly messages: readonly ModelMessage[];
  /** How many turns are in it. */
  readonly count: number;
}

/** All turns as fully as they fit; else, as short as can be, as many as fit, and at least one. */
async function largestRequest(input: SummariseInput, before: string | undefined, turns: SummariseInput['turns']): Promise<Request> {
  const fixed = (await input.countTokens(input.prompt)) + (await input.countTokens(before ?? '')) + ENVELOPE;
  const room = input.room - fixed;
  let parts: readonly string[] = [];
  for (const clip of CLIPS) {
    parts = turns.map(({ turn, floor }) => turnTranscript(turn, floor, input.texts, clip));
    if ((await tokensOf(parts, input)) <= room) return request(input, before, parts);
  }
  let count = 0;
  let sum = 0;
  for (const part of parts) {
    sum += (await input.countTokens(part)) + JOIN;
    if (count > 0 && sum > room) break;
    count += 1;
  }
  return request(input, before, parts.slice(0, count));
}

/** Tokens of the headings and of the messages' own form; of a blank line. */
const ENVELOPE = 60;
const JOIN = 2;

async function tokensOf(parts: readonly string[], { countTokens }: SummariseInput): Promise<number> {
  let sum = 0;
  for (const part of parts) sum += (await countTokens(part)) + JOIN;
  return sum;
}

function request({ prompt, texts }: SummariseInput, before: string | undefined, parts: readonly string[]): Request {
  const old = before === undefined ? [] : [`${texts.compactBefore}\n${before}`];
  return {
    messages: [
      { role: 'system', content: prompt },
      { role: 'user', content: [...old, `${texts.compactTalk}\n${parts.join('\n\n')}`].join('\n\n') },
    ],
    count: parts.length,
  };
}
