import type { ModelCall } from '../ports/models';
import type { Entry, EntryOf } from '../session/entries';
import type { BuiltMessage, PromptBlock } from './blocks';
import { userMessage } from './blocks';

export interface HistoryOptions {
  /** The text of a context object, as it was sent; `undefined` when it is lost: then the words stand alone. */
  contextText(sha: string): string | undefined;
  /** Entries left out: a hidden user entry takes its whole turn along. */
  readonly hidden?: ReadonlySet<string>;
  /** Stands where a past turn has no answer, so that roles keep alternating. */
  readonly noReply: string;
  /** The named blocks of the newest turn's context, when they are known; they join to the same text. */
  readonly currentContext?: { readonly entryId: string; readonly blocks: readonly PromptBlock[] };
  /** What is put before everything else in the first user message: the summary of the turns that are not among the entries. */
  readonly lead?: PromptBlock;
}

/**
 * The conversation as the model sees it: each turn's state block and words in one user message, every step with its calls
 * and reasoning, every result, what the user said meanwhile (said together, one message), the reply. A pure function of the entries (a branch, or its end from a cut point on), so
 * what was sent once is sent the same again.
 */
export function historyMessages(entries: readonly Entry[], options: HistoryOptions): readonly BuiltMessage[] {
  const built: BuiltMessage[] = [];
  let open: { readonly step: EntryOf<'step'>; readonly waiting: Map<string, ModelCall> } | undefined;
  let turn: EntryOf<'user'> | undefined;

  const closeCalls = (): void => {
    if (open === undefined) return;
    for (const call of open.waiting.values()) {
      const text = UNANSWERED;
      built.push({
        message: { role: 'tool', callId: call.callId, name: call.name, content: text },
        blocks: [{ kind: 'history', title: call.name, source: open.step.id, text }],
      });
    }
    open = undefined;
  };
  const closeTurn = (): void => {
    closeCalls();
    const last = built.at(-1)?.message;
    if (turn === undefined || (last?.role === 'assistant' && last.calls === undefined)) return;
    built.push({
      message: { role: 'assistant', content: options.noReply },
      blocks: [{ kind: 'history', title: 'reply', source: turn.id, text: options.noReply }],
    });
  };

  const shown = visible(entries, options.hidden);
  shown.forEach((entry, at) => {
    switch (entry.type) {
      case 'user': {
        closeTurn();
        turn = entry;
        built.push(led(wordsOf(entry, contextAfter(shown, at), options), built.length === 0 ? options.lead : undefined));
        return;
      }
      case 'steer': {
        closeCalls();
        if (turn === undefined) return;
        const blocks = steerBlocks(entry, options);
        const before = shown[at - 1]?.type === 'steer' ? built.pop() : undefined;
        built.push(userMessage([...(before?.blocks ?? []), ...blocks]));
        return;
      }
      case 'step': {
        closeCalls();
        if (turn === undefined) return;
        open = { step: entry, waiting: new Map(entry.data.calls.map((call) => [call.callId, call])) };
        built.push(assistantOf(entry, entry.data.text ?? '', entry.data.reasoning, entry.data.calls));
        return;
      }
      case 'tool': {
        const call = open?.waiting.get(entry.data.callId);
        if (call === undefined) return;
        open?.waiting.delete(call.callId);
        const { result } = entry.data;
        built.push({
          message: { role: 'tool', callId: call.callId, name: call.name, content: result },
          blocks: [{ kind: 'history', title: call.name, source: entry.id, text: result, entryId: entry.id }],
        });
        return;
      }
      case 'reply': {
        closeCalls();
        if (turn === undefined || entry.data.text === '') return;
        built.push(assistantOf(entry, entry.data.text, undefined, undefined));
        return;
      }
      default:
        return;
    }
  });
  return built;
}

function led(built: BuiltMessage, lead: PromptBlock | undefined): BuiltMessage {
  return lead === undefined ? built : userMessage([lead, ...built.blocks]);
}

function visible(entries: readonly Entry[], hidden: ReadonlySet<string> | undefined): readonly Entry[] {
  if (hidden === undefined || hidden.size === 0) return entries;
  let inHiddenTurn = false;
  return entries.filter((entry) => {
    if (entry.type === 'user') inHiddenTurn = hidden.has(entry.id);
    return !inHiddenTurn && !hidden.has(entry.id);
  });
}

const UNANSWERED = '{"error":"interrupted"}';

function contextAfter(entries: readonly Entry[], user: number): EntryOf<'context'> | undefined {
  for (const entry of entries.slice(user + 1)) {
    if (entry.type === 'context') return entry;
    if (entry.type === 'user' || entry.type === 'step' || entry.type === 'reply') return undefined;
  }
  return undefined;
}

function wordsOf(user: EntryOf<'user'>, context: EntryOf<'context'> | undefined, options: HistoryOptions): BuiltMessage {
  const words: PromptBlock = { kind: 'words', title: 'words', source: user.id, text: user.data.text, entryId: user.id };
  if (context === undefined) return userMessage([{ ...words, kind: 'history' }]);
  if (options.currentContext?.entryId === context.id) return userMessage([...options.currentContext.blocks, words]);
  const { sha } = context.data;
  const text = options.contextText(sha);
  if (text === undefined) return userMessage([{ ...words, kind: 'history' }]);
  const state: PromptBlock = {
    kind: 'history',
    title: 'context',
    source: context.id,
    text,
    entryId: context.id,
    object: sha,
  };
  return userMessage([state, { ...words, kind: 'history' }]);
}

function steerBlocks(steer: EntryOf<'steer'>, options: HistoryOptions): readonly PromptBlock[] {
  const { text, sha } = steer.data;
  const words: PromptBlock = { kind: 'history', title: 'steer', source: steer.id, text, entryId: steer.id };
  const before = sha === undefined ? undefined : options.contextText(sha);
  if (sha === undefined || before === undefined) return [words];
  return [{ kind: 'history', title: 'mentions', source: steer.id, text: before, entryId: steer.id, object: sha }, words];
}

function assistantOf(
  entry: Entry,
  content: string,
  reasoning: string | undefined,
  calls: readonly ModelCall[] | undefined,
): BuiltMessage {
  return {
    message: {
      role: 'assistant',
      content,
      ...(reasoning === undefined || reasoning === '' ? {} : { reasoning }),
      ...(calls === undefined ? {} : { calls }),
    },
    blocks: [
      {
        kind: 'history',
        title: entry.type,
        source: entry.id,
        text: [reasoning ?? '', content, ...(calls ?? []).map((call) => `${call.name} ${call.args}`)].join('\n').trim(),
        entryId: entry.id,
      },
    ],
  };
}
