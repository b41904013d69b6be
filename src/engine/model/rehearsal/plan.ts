import type { ModelMessage, ModelRequest } from '../../ports/models';
import { parsedJson } from '../../text/json';
import { createChapter } from './create';
import type { Intent } from './intents';
import { findIntents } from './intents';
import { jobIn, jobIntents } from './job';
import { nextChapterIn, writeNextChapter } from './next-chapter';
import { deleteChapter, offerOptions, readChapters, readFirst, renameChapter, searchText, tellOutline } from './look';
import { passageAnswer } from './passage';
import type { Phrases } from './phrases';
import { replaceText } from './replace';
import { planSummary } from './summary';
import type { PlannedCall, Receipt, Speaker, Work } from './talk';
import { createSpeaker, WorkAbandoned } from './talk';

/** What the rehearsal model answers: text, and calls unless it is done. */
export interface Plan {
  readonly text: string;
  readonly calls: readonly PlannedCall[];
}

/** Titles of the blocks that the program puts before the author's words, in both languages. */
const STATE_TITLES = /^【(?:前情提要|世界状态|登场名录|正文目录|作者的改动|下一章|Next chapter|Summary|World state|Cast|Chapters|Author’s changes)】/;

/**
 * The answer to a request, from its messages alone: the requests in the author's last words are carried out from the start with
 * the receipts that are there, up to the first call whose receipt is missing.
 */
export function planAnswer(request: ModelRequest, phrases: Phrases): Plan {
  if (request.tools === undefined || request.tools.length === 0) {
    const summary = planSummary(request, phrases);
    if (summary !== undefined) return { text: summary, calls: [] };
  }
  const speaker = createSpeaker(phrases);
  const at = request.messages.findLastIndex((message) => message.role === 'user');
  const passage = passageAnswer(request.messages[at]?.content ?? '', phrases);
  if (passage !== undefined) return finished(passage, phrases, request);
  const words = wordsOf(request.messages[at]);
  const next = nextChapterIn(request.messages[at]);
  const job = jobIn(request.messages[at]);
  const intents: readonly Intent[] = job !== undefined ? jobIntents(job) : next === undefined ? findIntents(words) : [next];
  if (intents.length === 0) {
    speaker.say('help');
    return finished(speaker.take(), phrases, request);
  }
  if (request.toolChoice === 'none' || request.tools === undefined || request.tools.length === 0) {
    speaker.say('noTools');
    return finished(speaker.take(), phrases, request);
  }
  const system = request.messages.find((message) => message.role === 'system')?.content ?? '';
  const work = carryOut(intents, system, speaker);
  let step = work.next();
  for (const receipts of roundsIn(request.messages.slice(at + 1))) {
    if (step.done === true) break;
    speaker.take();
    if (receipts.some((receipt) => receipt['stopped'] === true)) {
      speaker.say('stopped');
      return finished(speaker.take(), phrases, request);
    }
    step = work.next(receipts);
  }
  const text = speaker.take();
  return step.done === true ? finished(text, phrases, request) : { text: text === '' ? '' : phrases.label + text, calls: step.value };
}

/** The end of a turn. What this model is, in full, stands in a conversation once; the label says it each time. */
function finished(text: string, phrases: Phrases, { messages }: ModelRequest): Plan {
  const told = messages.some((message) => message.role === 'assistant' && message.content.includes(phrases.closing));
  return { text: `${phrases.label}${text}${told ? '' : `\n\n${phrases.closing}`}`, calls: [] };
}

function* carryOut(intents: readonly Intent[], system: string, speaker: Speaker): Work {
  for (const intent of intents) {
    try {
      yield* carryOutOne(intent, system, speaker);
    } catch (error) {
      if (!(error instanceof WorkAbandoned)) throw error;
      speaker.say('failed', { error: error.reason });
    }
  }
}

function carryOutOne(intent: Intent, system: string, speaker: Speaker): Work {
  switch (intent.kind) {
    case 'replace':
      return replaceText(intent, speaker);
    case 'create':
      return createChapter(intent, system, speaker);
    case 'read':
      return readChapters(intent.refs, speaker);
    case 'read-first':
      return readFirst(intent.count, speaker);
    case 'outline':
      return tellOutline(speaker);
    case 'search':
      return searchText(intent.pattern, speaker);
    case 'delete':
      return deleteChapter(intent.ref, speaker);
    case 'rename':
      return renameChapter(intent.ref, intent.title, speaker);
    case 'options':
      return offerOptions(speaker);
    case 'next-chapter':
      return writeNextChapter(intent, speaker);
  }
}

/** The author's own words: what follows the last state block of the message. */
export function wordsOf(message: ModelMessage | undefined): string {
  const parts = (message?.content ?? '').split('\n\n');
  return parts.slice(parts.findLastIndex((part) => STATE_TITLES.test(part)) + 1).join('\n\n');
}

/** The receipts of each round since, in the order of its calls. */
function roundsIn(messages: readonly ModelMessage[]): readonly (readonly Receipt[])[] {
  const results = new Map(messages.flatMap((message) => (message.role === 'tool' ? [[message.callId, parseReceipt(message.content)] as const] : [])));
  return messages.flatMap((message) =>
    message.role === 'assistant' && message.calls !== undefined && message.calls.length > 0 ? [message.calls.map((made) => results.get(made.callId) ?? {})] : [],
  );
}

function parseReceipt(content: string): Receipt {
  const value = parsedJson(content);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Receipt) : {};
}
